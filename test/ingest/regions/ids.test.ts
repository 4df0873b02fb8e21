import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashName } from '../../../src/ingest/batch/batch-builder.js';
import {
  countryRegionId,
  formerCountryRegionId,
  REGION_ID_RANGES,
  regionIdKind,
  subdivisionRegionId,
  usCountyRegionId,
  usStateRegionId,
} from '../../../src/ingest/regions/ids.js';

it('REGION_ID_RANGES do not overlap, and are of positive 32-bit integers except the world', () => {
  const ranges = Object.values(REGION_ID_RANGES);
  for (let i = 1; i < ranges.length; i++) expect(ranges[i]![0]).toBeGreaterThan(ranges[i - 1]![1]);
  expect(ranges.at(-1)![1]).toBe(2 ** 31 - 1);
});

describe('region ids', () => {
  it('never change', () => {
    expect(countryRegionId('840')).toBe(840);
    expect(usStateRegionId('53')).toBe(10_053);
    expect(usStateRegionId(72)).toBe(630);
    expect(usCountyRegionId('53033')).toBe(153_033);
    expect(formerCountryRegionId('SUHH')).toBe(1_330_077);
    expect(formerCountryRegionId('ZZZZ')).toBe(REGION_ID_RANGES.formerCountry[1]);
    expect(subdivisionRegionId('ZZ-999')).toBe(REGION_ID_RANGES.subdivision[1]);
    expect(subdivisionRegionId('GB-ENG')).toBe(544_830_803);
  });

  it('of places that only a name identifies stay in their range', () => {
    fc.assert(fc.property(fc.string(), (text) => regionIdKind(hashName(text)) === 'named'));
  });
});
