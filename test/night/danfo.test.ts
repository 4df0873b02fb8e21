import { fileURLToPath } from 'node:url';
import type { Table } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { longFrame } from '../../src/frame/build/long.js';
import { wideFrame } from '../../src/frame/build/wide.js';
import '../../src/frame/formats/load-in-node.js';
import { loadDanfo } from '../../src/frame/formats/optional-package.js';
import { frame } from '../../src/frame/frame.js';
import { ArgumentError } from '../../src/model/errors.js';
import { NAMES, runsOf, seriesOf } from '../frame/points.js';

/** Filled by `npm ci --prefix test/danfo`. */
const folder = fileURLToPath(new URL('../danfo', import.meta.url));

const POINTS = {
  series: [seriesOf(), seriesOf({ region_id: 6 })],
  runs: runsOf([
    { series: 0, start: '1969-01-01', end: '1969-12-31', value: 1.5, reporting: '1970-02-03' },
    { series: 0, start: '2001-01-01', end: '2001-12-31', value: null },
    { series: 1, start: '2001-01-01', end: '2001-12-31', value: 4 },
  ]),
};

/** The part of Danfo's objects that the tests use. */
interface Frame {
  shape: [number, number];
  dtypes: string[];
  columns: string[];
  values: unknown[][];
  column(name: string): { values: unknown[]; mean(): number; sum(): number; isNa(): { values: boolean[] } };
}

describe('toDanfo', () => {
  const danfoOf = async (table: Table) =>
    (await frame(table).toDanfo({ danfo: await loadDanfo([folder]) })) as unknown as Frame;

  test('has the shape, names and types of the frame', async () => {
    const frame = await danfoOf(longFrame(POINTS, { names: NAMES }));
    expect(frame.shape).toEqual([3, 18]);
    expect(frame.columns.slice(0, 5)).toEqual([
      'start_date',
      'end_date',
      'value',
      'unit_id',
      'reporting_date',
    ]);
    expect(frame.dtypes.slice(0, 5)).toEqual(['datetime', 'datetime', 'float32', 'int32', 'datetime']);
    expect(frame.column('region_name').values).toEqual(['Iowa', 'Iowa', "Côte d'Ivoire"]);
  });

  test('null is NaN, not 0, in values and in what Danfo computes', async () => {
    const value = (await danfoOf(longFrame(POINTS))).column('value');
    expect(value.values).toEqual([1.5, Number.NaN, 4]);
    expect(value.isNa().values).toEqual([false, true, false]);
    expect(value.mean()).toBe(2.75);
  });

  test('dates are Date objects, and a null date is null', async () => {
    const frame = await danfoOf(longFrame(POINTS));
    expect(frame.column('end_date').values[0]).toEqual(new Date('1969-12-31T00:00:00Z'));
    expect(frame.column('reporting_date').isNa().values).toEqual([false, true, true]);
  });

  test('converts wide frames and frames without rows', async () => {
    const wide = await danfoOf(wideFrame(POINTS, { names: NAMES }));
    expect(wide.shape).toEqual([2, 3]);
    expect(wide.values[1]!.slice(1)).toEqual([Number.NaN, 4]);
    const empty = await danfoOf(longFrame({ series: [], runs: [] }));
    expect(empty.columns).toHaveLength(11);
  });
});

test('without danfojs-node the message says how to install it', async () => {
  const loading = longFrame(POINTS).toDanfo();
  await expect(loading).rejects.toThrow(ArgumentError);
  await expect(loading).rejects.toThrow(
    /^format: danfo needs .* Add this to your package\.json:\n.*"@tensorflow\/tfjs-node": "npm:@tensorflow\/tfjs@4\.22\.0".*\nthen run npm install danfojs-node@1\.2\.0$/,
  );
});
