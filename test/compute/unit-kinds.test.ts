import { expect, it } from 'vitest';
import { kindOf } from '../../src/compute/unit-kinds.js';
import type { Unit } from '../../src/model/entity.js';

const NAMELESS = { id: 1, name: '?', namePlural: '?', abbreviation: '?', baseConvFactor: {} };

it.each<[Partial<Unit>, string | undefined]>([
  [{ name: 'Kilogram' }, 'mass'],
  [{ namePlural: 'Kilograms' }, 'mass'],
  [{ abbreviation: 'kg' }, 'mass'],
  [{ abbreviation: 'KG' }, undefined],
  [{ name: 'hectare', namePlural: 'kilograms' }, 'area'],
  [{}, undefined],
])('knows what a unit measures by its name, plural or abbreviation: %j', (names, kind) => {
  expect(kindOf({ ...NAMELESS, ...names })).toBe(kind);
});

it('reads units that a service names in part', () => {
  expect(kindOf({ id: 1, abbreviation: 'kg', baseConvFactor: {} } as Unit)).toBe('mass');
});
