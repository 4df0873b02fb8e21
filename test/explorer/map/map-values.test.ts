import { describe, expect, it } from 'vitest';
import { fullestDate } from '../../../src/charts/map.js';
import type { MapData } from '../../../src/explorer/map/map-data.js';
import { colourOfShare, shareOf, valuesOn } from '../../../src/explorer/map/map-values.js';

const region = (id: number, ends: readonly number[], values: readonly number[]) => ({
  id,
  line: { end: Float64Array.from(ends), value: Float64Array.from(values) },
});

const data = {
  regions: [region(1, [10, 20], [5, 6]), region(2, [10], [7]), region(3, [30], [9])],
  dates: [10, 20, 30],
} as unknown as MapData;

const shown = (dateMs: number, nearest: boolean) =>
  valuesOn(data, dateMs, nearest).map(({ value, isOlder }) => (isOlder ? [value] : value));

describe('the values of a map', () => {
  it('are those of exactly the date, and null where there is none', () => {
    expect(shown(20, false)).toEqual([6, null, null]);
    expect(shown(30, false)).toEqual([null, null, 9]);
  });

  it('are on request the latest before it, and say so; never a later one', () => {
    expect(shown(20, true)).toEqual([6, [7], null]);
    expect(shown(30, true)).toEqual([[6], [7], 9]);
  });

  it('are first of the latest date on which most regions have one', () => {
    expect(fullestDate(data.regions.map(({ line }) => line.end))).toBe(10);
  });
});

describe('the colours of a map', () => {
  it('stand out most for the highest value: dark on light paper, bright on dark paper', () => {
    expect([0, 1].map((share) => colourOfShare(share, 'light'))).toEqual(['rgb(253 231 37)', 'rgb(68 1 84)']);
    expect([0, 1].map((share) => colourOfShare(share, 'dark'))).toEqual(['rgb(68 1 84)', 'rgb(253 231 37)']);
  });

  it('are the same for all where all are equal', () => {
    expect(shareOf(4, [4, 4])).toBe(0.5);
    expect(shareOf(4, [3, 7])).toBe(0.25);
  });
});
