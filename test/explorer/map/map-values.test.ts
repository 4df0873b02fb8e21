import { describe, expect, it } from 'vitest';
import { latestCommonDate } from '../../../src/charts/map.js';
import { breaksOf, classOf } from '../../../src/charts/map-colours.js';
import type { MapData } from '../../../src/explorer/map/map-data.js';
import { changesBetween, valuesOn } from '../../../src/explorer/map/map-values.js';

const region = (id: number, ends: readonly number[], values: readonly number[]) => ({
  id,
  line: { end: Float64Array.from(ends), value: Float64Array.from(values) },
});

const regions = [
  region(1, [10, 20], [5, 6]),
  region(2, [10], [7]),
  region(3, [30], [9]),
] as unknown as MapData['regions'];

const shown = (dateMs: number) => valuesOn(regions, dateMs).map(({ value }) => value);

describe('the values of a map', () => {
  it('are those of exactly the date, and null where there is none', () => {
    expect(shown(20)).toEqual([6, null, null]);
    expect(shown(30)).toEqual([null, null, 9]);
  });

  it('change between two dates where both have one, and in percent of what was not zero', () => {
    const changes = (values: readonly number[], isPercent: boolean) => {
      const regions = [region(1, [10, 20], values), region(2, [10], [7])] as unknown as MapData['regions'];
      const [before, after] = [10, 20].map((ms) => valuesOn(regions, ms));
      return changesBetween(before!, after!, { isPercent }).map(({ value }) => value);
    };
    expect(changes([5, 6], false)).toEqual([1, null]);
    expect(changes([5, 6], true)).toEqual([20, null]);
    expect(changes([-5, -6], true)).toEqual([-20, null]);
    expect(changes([0, 6], true)).toEqual([null, null]);
  });

  it('have classes of equal counts where steps put most of them into one', () => {
    const skewed = [...Array(30).keys(), 10_000];
    expect(breaksOf(skewed)).toEqual([5, 10, 15, 20, 25]);
    const even = [...Array(30).keys()];
    expect(breaksOf(even)).toEqual([5, 10, 15, 20, 25]);
  });

  it('are first of the latest date that most regions have, not of the one that all had once', () => {
    expect(latestCommonDate(regions.map(({ line }) => line.end))).toBe(10);
    const ended = [[1947, 2019, 2020], [1947, 2019, 2020], [1947, 2019], [1947]];
    expect(latestCommonDate(ended)).toBe(2019);
  });
});

describe('the classes of a map', () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 + i);

  it('end at round numbers: of steps, or of as many values each', () => {
    expect(breaksOf(values)).toEqual([120, 140, 160, 180]);
    const skewed = values.map((value) => (value < 190 ? value : value * 100));
    expect(breaksOf(skewed)).toEqual([116, 133, 150, 166, 183]);
    expect(breaksOf([4, 4])).toEqual([]);
    expect([119.9, 120, 500].map((value) => classOf(value, [120, 140]))).toEqual([0, 1, 2]);
  });
});
