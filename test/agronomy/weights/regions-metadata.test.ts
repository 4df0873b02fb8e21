import { expect, it } from 'vitest';
import { metadataOfRegions } from '../../../src/agronomy/weights/regions-metadata.js';

const of = (region: number, more: object = {}) =>
  new Map(
    Object.entries({
      metric_id: '1',
      metric_name: 'Yield',
      region_id: `${region}`,
      region_name: `Region ${region}`,
      unit_id: '7',
      unit_name: 'tonne',
      ...more,
    }),
  );

it('says what all regions have in common, and lists up to three names where they differ', () => {
  const metadata = Object.fromEntries(metadataOfRegions([of(3), of(4), of(5), of(3)]));
  expect(metadata).toMatchObject({
    metric_id: '1',
    metric_name: 'Yield',
    region_id: '0',
    region_name: 'Region 3, Region 4, Region 5',
    unit_id: '7',
    unit_name: 'tonne',
  });
  expect(metadata).not.toHaveProperty('unit_abbreviation');
  expect(metadataOfRegions([of(3), of(4), of(5), of(6)]).get('region_name')).toBe('4 regions');
  expect(metadataOfRegions([of(3)]).get('region_id')).toBe('3');
  const symbols = [of(3, { unit_abbreviation: 't' }), of(4, { unit_abbreviation: 't' })];
  expect(metadataOfRegions(symbols).get('unit_abbreviation')).toBe('t');
});

it('names no unit where regions have several', () => {
  const metadata = metadataOfRegions([
    of(3, { unit_abbreviation: 't' }),
    of(4, { unit_id: '8', unit_abbreviation: 'kg' }),
  ]);
  expect([...metadata.keys()].filter((key) => key.startsWith('unit_'))).toEqual(['unit_name']);
});
