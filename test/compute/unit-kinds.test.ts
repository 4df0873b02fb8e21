import { expect, it } from 'vitest';
import { kindOf, lacksOffset } from '../../src/compute/unit-kinds.js';
import type { ConversionFactor, Unit } from '../../src/model/entity.js';

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

const CELSIUS = { ...NAMELESS, name: 'Degree Celsius' };
const FAHRENHEIT = { ...NAMELESS, namePlural: 'degrees fahrenheit' };
const KELVIN = { ...NAMELESS, abbreviation: 'k' };
const KILOGRAM = { ...NAMELESS, name: 'kilogram' };

it.each<[Unit, ConversionFactor, Unit, ConversionFactor, boolean]>([
  [FAHRENHEIT, { factor: 5 / 9 }, CELSIUS, { factor: 1 }, true],
  [CELSIUS, { factor: 1 }, KELVIN, { factor: 1 }, true],
  [KELVIN, { factor: 1, offset: -273.15 }, CELSIUS, { factor: 1 }, false],
  // The zeros may be up to a degree from ours.
  [KELVIN, { factor: 1 }, CELSIUS, { factor: 1, offset: 272.15 }, false],
  [KELVIN, { factor: 1 }, CELSIUS, { factor: 1, offset: 272.1 }, true],
  // A base unit with the zero of °F.
  [FAHRENHEIT, { factor: 5 / 9 }, KELVIN, { factor: 1, offset: -(273.15 - 160 / 9) }, false],
  [FAHRENHEIT, { factor: 5 / 9, offset: 0 }, KELVIN, { factor: 1, offset: 0 }, false],
  // Only two scales have an offset between them.
  [FAHRENHEIT, { factor: 5 / 9 }, KILOGRAM, { factor: 1 }, false],
  [KILOGRAM, { factor: 1 }, FAHRENHEIT, { factor: 5 / 9 }, false],
  [KILOGRAM, { factor: 1 }, KILOGRAM, { factor: 1 }, false],
])('tells whether an offset is left out: from %j by %j to %j by %j', (from, its, to, other, isLeftOut) => {
  expect(lacksOffset({ ...from, baseConvFactor: its }, { ...to, baseConvFactor: other })).toBe(isLeftOut);
});

it('looks for a scale among the names that a service gives', () => {
  const from = { id: 1, abbreviation: '°F', baseConvFactor: { factor: 5 / 9 } } as Unit;
  expect(lacksOffset(from, { ...CELSIUS, baseConvFactor: { factor: 1 } })).toBe(true);
  expect(lacksOffset({ id: 1, baseConvFactor: {} } as Unit, CELSIUS)).toBe(false);
});
