import fc from 'fast-check';
import { iso31662 } from 'iso-3166';
import { describe, expect, it } from 'vitest';
import { hashName } from '../../../src/ingest/batch/named-ids.js';
import {
  countryRegionId,
  formerCountryRegionId,
  REGION_ID_RANGES,
  regionIdKind,
  subdivisionRegionId,
  usCountyRegionId,
  usStateRegionId,
} from '../../../src/ingest/regions/ids.js';

const BLANK_LETTERS_DIGITS = ' ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** The ISO 3166-2 code of a subdivision's id. */
function subdivisionCode(id: number): string {
  const number = id - REGION_ID_RANGES.subdivision[0];
  const country = Math.floor(number / 37 ** 3);
  const part = number % 37 ** 3;
  const rest = [Math.floor(part / 37 ** 2), Math.floor(part / 37) % 37, part % 37];
  const letters = [Math.floor(country / 26), country % 26].map((value) => String.fromCharCode(65 + value));
  return `${letters.join('')}-${rest
    .map((value) => BLANK_LETTERS_DIGITS[value])
    .join('')
    .trimEnd()}`;
}

describe('REGION_ID_RANGES', () => {
  it('do not overlap, and are of positive 32-bit integers except the world', () => {
    const ranges = Object.values(REGION_ID_RANGES);
    for (let i = 1; i < ranges.length; i++) expect(ranges[i]![0]).toBeGreaterThan(ranges[i - 1]![1]);
    expect(ranges.at(-1)![1]).toBe(2 ** 31 - 1);
  });
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

  it('of subdivisions convert back to their codes', () => {
    for (const { code } of iso31662) expect(subdivisionCode(subdivisionRegionId(code))).toBe(code);
    const character = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');
    const letter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    const code = fc
      .tuple(letter, letter, fc.array(character, { minLength: 1, maxLength: 3 }))
      .map(([a, b, rest]) => `${a}${b}-${rest.join('')}`);
    fc.assert(fc.property(code, (text) => subdivisionCode(subdivisionRegionId(text)) === text));
  });

  it('of places that only a name identifies stay in their range', () => {
    fc.assert(fc.property(fc.string(), (text) => regionIdKind(hashName(text)) === 'named'));
  });

  it('refuse invalid codes', () => {
    expect(() => countryRegionId('1000')).toThrow('"1000" is not a code of the region kind country');
    expect(() => usCountyRegionId('x')).toThrow(RangeError);
    expect(() => subdivisionRegionId('gb-eng')).toThrow('ISO 3166-2');
    expect(() => formerCountryRegionId('SU')).toThrow('ISO 3166-3');
  });
});
