import { expect, it } from 'vitest';
import type { CountedHit, SearchableType } from '../../../src/model/entity.js';
import { namedParts } from '../../../src/model/names/named-parts.js';

const hit = (entity_type: SearchableType, name: string, part: string) =>
  ({ entity_type, id: 1, name, series: 1, exact: false, part }) as CountedHit;
const FOUND = [hit('items', 'Corn', 'corn'), hit('metrics', 'Yield', 'yield')];

it('of a text are one entity of each type', () => {
  const iowa = hit('regions', 'Iowa', 'iowa');
  expect(namedParts('corn yield iowa', [...FOUND, iowa])).toEqual({
    hits: { items: FOUND[0], metrics: FOUND[1], regions: iowa },
    unread: undefined,
  });
});

it('have a source only for a word that names nothing else', () => {
  const own = hit('sources', 'yields', 'yield');
  expect(namedParts('corn yield', [...FOUND, own])?.hits).toEqual({ items: FOUND[0], metrics: FOUND[1] });
  const nass = hit('sources', 'USDA NASS corn', 'nass corn');
  expect(namedParts('nass corn yield', [...FOUND, nass])?.hits).toMatchObject({ sources: nass });
});
