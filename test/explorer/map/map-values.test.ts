import { describe, expect, it } from 'vitest';
import { latestCommonDate } from '../../../src/charts/map.js';
import { breaksOf, classOf } from '../../../src/charts/map-colours.js';
import { changesBetween } from '../../../src/compute/changes.js';
import type { MapData } from '../../../src/explorer/map/map-data.js';
import { ARROWS, regionBeyond, valuesOn } from '../../../src/explorer/map/map-values.js';

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

/** Centres of the states of the contiguous United States, in degrees east and south. */
const STATES: Readonly<Record<string, readonly [number, number]>> = {
  AL: [-86.8, -32.8],
  AZ: [-111.7, -34.3],
  AR: [-92.4, -34.9],
  CA: [-119.6, -37.3],
  CO: [-105.5, -39],
  CT: [-72.7, -41.6],
  DE: [-75.5, -39],
  FL: [-82.5, -28.6],
  GA: [-83.4, -32.7],
  ID: [-114.6, -44.4],
  IL: [-89.2, -40.1],
  IN: [-86.3, -39.9],
  IA: [-93.5, -42.1],
  KS: [-98.4, -38.5],
  KY: [-85.3, -37.5],
  LA: [-92, -31.1],
  ME: [-69.2, -45.4],
  MD: [-76.8, -39],
  MA: [-71.8, -42.3],
  MI: [-85.4, -44.3],
  MN: [-94.3, -46.3],
  MS: [-89.7, -32.8],
  MO: [-92.5, -38.4],
  MT: [-109.6, -47],
  NE: [-99.8, -41.5],
  NV: [-116.7, -39.3],
  NH: [-71.6, -43.7],
  NJ: [-74.7, -40.2],
  NM: [-106.1, -34.4],
  NY: [-75.5, -42.9],
  NC: [-79.4, -35.5],
  ND: [-100.5, -47.4],
  OH: [-82.8, -40.3],
  OK: [-97.5, -35.6],
  OR: [-120.6, -43.9],
  PA: [-77.8, -40.9],
  RI: [-71.6, -41.6],
  SC: [-80.9, -33.9],
  SD: [-100.2, -44.4],
  TN: [-86.3, -35.9],
  TX: [-99.3, -31.5],
  UT: [-111.7, -39.3],
  VT: [-72.7, -44.1],
  VA: [-78.8, -37.5],
  WA: [-120.4, -47.4],
  WV: [-80.6, -38.6],
  WI: [-90, -44.6],
  WY: [-107.5, -43],
};
const REGIONS = Object.entries(STATES).map(([name, centre]) => ({ name, centre }));

/** How many presses of arrow keys each region is away from one of them. */
function pressesFrom(name: string): ReadonlyMap<string, number> {
  const presses = new Map([[name, 0]]);
  for (const [now, count] of presses)
    for (const arrow of Object.values(ARROWS)) {
      const region = REGIONS.find((one) => one.name === now)!;
      const next = regionBeyond(REGIONS, region, arrow)?.name;
      if (next !== undefined && !presses.has(next)) presses.set(next, count + 1);
    }
  return presses;
}

describe('the arrow keys on a map', () => {
  it('move to the nearest region in their direction, and reach every region', () => {
    const to = (name: string, key: string) =>
      regionBeyond(REGIONS, REGIONS.find((one) => one.name === name)!, ARROWS[key]!)?.name;
    const around = ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown'].map((key) => to('IA', key));
    expect(around).toEqual(['IL', 'NE', 'MN', 'MO']);
    expect(to('ME', 'ArrowRight')).toBeUndefined();
    for (const { name } of REGIONS) expect(pressesFrom(name).size, name).toBe(REGIONS.length);
    expect(pressesFrom('KS').get('IA')).toBeLessThanOrEqual(3);
  });
});
