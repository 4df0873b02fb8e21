import { Float64, makeData, makeVector } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { sumAcrossRegions } from '../../../src/agronomy/weighting/sum-across-regions.js';
import { longFrame } from '../../../src/frame/build/long.js';
import { align } from '../../../src/frame/combine/align.js';
import { displayFrame } from '../../../src/frame/display/display-frame.js';
import { fromRows } from '../../../src/frame/formats/from-rows.js';
import { toRows } from '../../../src/frame/formats/rows.js';
import { resample } from '../../../src/frame/verbs/resample.js';
import { rollingMean } from '../../../src/frame/verbs/rolling-mean.js';
import { yearOverYear } from '../../../src/frame/verbs/year-over-year.js';
import { UnitError } from '../../../src/model/errors.js';
import { NAMES, PROVENANCE, runsOf, seriesOf } from '../../frame/points.js';

const point = (series: number, date: string, value: number | null, unit_id = 7) => ({
  series,
  start: date,
  end: date,
  value,
  unit_id,
});
const DAILY = [seriesOf({ frequency_id: 1 }), seriesOf({ frequency_id: 1, region_id: 6 })];

function daily(points: readonly ReturnType<typeof point>[]) {
  return longFrame(
    { series: DAILY, runs: runsOf(points) },
    { names: { ...NAMES, frequencies: new Map([[1, 'daily']]) }, provenance: PROVENANCE },
  );
}

describe('sumAcrossRegions', () => {
  const sum = () =>
    sumAcrossRegions(
      daily([
        point(0, '2012-01-01', 1),
        point(0, '2012-01-02', null),
        point(0, '2012-01-03', 3),
        point(1, '2012-01-01', 10),
        point(1, '2012-01-02', null),
        point(1, '2012-01-04', 40),
      ]),
    );

  it('sums each period by ascending end; a null adds nothing, and nulls alone are null', () => {
    expect(toRows(sum()).map(({ end_date, value }) => [String(end_date).slice(0, 10), value])).toEqual([
      ['2012-01-01', 11],
      ['2012-01-02', null],
      ['2012-01-03', 3],
      ['2012-01-04', 40],
    ]);
  });

  it('takes a null for one whatever lies in its memory, and a value that is no number', () => {
    const frame = daily([
      point(0, '2012-01-01', 1),
      point(0, '2012-01-02', 2),
      point(1, '2012-01-01', 10),
      point(1, '2012-01-02', 20),
    ]);
    const values = { type: new Float64(), data: Float64Array.of(1, 2, Number.NaN, 20) };
    const nulls = makeVector(makeData({ ...values, nullBitmap: Uint8Array.of(0b1101) }));
    expect(toRows(sumAcrossRegions(frame.setChild('value', nulls))).map(({ value }) => value)).toEqual([
      1, 20,
    ]);
  });

  it('is a frame of one series, which says what its regions have in common', () => {
    const summed = sum();
    expect(displayFrame(summed)).toContain('wide frame · 4 rows × 4 columns · 1 series');
    const metadata = summed.schema.fields.find(({ name }) => name === 'value')!.metadata;
    expect(Object.fromEntries(metadata)).toMatchObject({
      metric_id: expect.stringMatching(/^-\d+$/),
      metric_name: 'Yield, sum of regions',
      region_id: '0',
      region_name: "Iowa, Côte d'Ivoire",
      frequency_id: '1',
      unit_name: 't/ha',
    });
  });

  it('can be worked with like any other frame', () => {
    const summed = sum();
    const rolling = rollingMean(summed, { window: { days: 3 } });
    expect(rolling.schema.fields.map(({ name }) => name)).toEqual(
      summed.schema.fields.map(({ name }) => name),
    );
    expect(toRows(rolling).map(({ value }) => value)).toEqual([11, null, 7, 21.5]);
    const monthly = resample(summed, { to: 'monthly', how: 'sum', min_temporal_coverage: 0 });
    expect(Object.values(toRows(monthly)[0]!)).toEqual(['2012-01-31T00:00:00.000Z', 54]);
    expect(align(summed, monthly, { join: 'outer' })[0].numRows).toBe(5);
    const years = sumAcrossRegions(daily([point(0, '2012-06-01', 4), point(0, '2013-06-01', 5)]));
    expect(toRows(yearOverYear(years)).map(({ value }) => value)).toEqual([null, 1]);
  });

  it('refuses values in several units, and a table without regions', () => {
    expect(() => sumAcrossRegions(daily([point(0, '2012-01-01', 1), point(1, '2012-01-01', 1, 4)]))).toThrow(
      UnitError,
    );
    expect(() => sumAcrossRegions(fromRows([{ value: 1 }]))).toThrow(/start_date/);
  });
});
