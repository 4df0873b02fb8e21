import fc from 'fast-check';
import {
  availableAt,
  endAt,
  type PackedPoints,
  type PointSet,
  packRows,
  reportingAt,
  unitAt,
  valueAt,
} from '../../src/columns/packed-points.js';
import type { PointSeries } from '../../src/columns/point-columns.js';
import { dateAt } from '../../src/columns/series-dates.js';
import type { EntityNames } from '../../src/model/entity.js';
import type { Provenance } from '../../src/model/provenance.js';
import { compareSeriesKeys } from '../../src/model/series.js';

/** A point of a test: dates as `YYYY-MM-DD` or milliseconds. */
export interface TestPoint {
  series: number;
  start: number | string;
  end: number | string;
  value: number | null;
  unit_id?: number;
  reporting?: number | string | null;
  available?: number | string;
  metadata?: string | null;
}

export const ms = (date: number | string): number => (typeof date === 'number' ? date : Date.parse(date));

export function seriesOf(ids: Partial<PointSeries> = {}): PointSeries {
  return {
    metric_id: 1,
    item_id: 2,
    region_id: 3,
    partner_region_id: 0,
    source_id: 5,
    frequency_id: 9,
    unit_id: 7,
    ...ids,
  };
}

/** Points, in order, as runs of neighbours of one series. */
export function runsOf(points: readonly TestPoint[]): PackedPoints[] {
  const bounds = points.flatMap(({ series }, i) => (series === points[i - 1]?.series ? [] : [i]));
  return bounds.map((from, i) => runOf(points.slice(from, bounds[i + 1])));
}

function runOf(points: readonly TestPoint[]): PackedPoints {
  return packRows(
    points[0]!.series,
    points.map(({ start, end, value, unit_id = 7, reporting = null, available, metadata }) => ({
      startMs: ms(start),
      endMs: ms(end),
      value,
      unitId: unit_id,
      reportingMs: reporting === null ? null : ms(reporting),
      availableMs: available === undefined ? undefined : ms(available),
      metadata,
    })),
  );
}

const mapOf = (names: Record<number, string>) =>
  new Map(Object.entries(names).map(([id, name]) => [Number(id), name]));

export const NAMES: EntityNames = {
  metrics: mapOf({ 1: 'Yield', 2: 'Area, harvested' }),
  items: mapOf({ 2: 'Corn', 4: 'Winter "hard" wheat' }),
  regions: mapOf({ 0: 'World', 3: 'Iowa', 6: "Côte d'Ivoire", 8: 'Iowa' }),
  frequencies: mapOf({ 1: 'daily', 9: 'annual' }),
  sources: mapOf({ 5: 'USDA NASS' }),
  units: mapOf({ 7: 't/ha', 10: 'ha' }),
};

export const PROVENANCE: Provenance = {
  request: { selections: [{ metric_id: 1, item_id: 2 }], at_time: null },
  retrieved_at: '2024-05-06T07:08:09.010Z',
  api_host: 'http://127.0.0.1:4666',
  sources: [
    {
      id: 5,
      name: 'USDA NASS',
      longName: 'National Agricultural Statistics Service',
      licence: 'public domain',
      citation: 'USDA NASS Quick Stats',
      url: 'https://quickstats.nass.usda.gov',
    },
  ],
  units: [
    {
      id: 7,
      name: 'tonne per hectare',
      namePlural: 'tonnes per hectare',
      abbreviation: 't/ha',
      baseConvFactor: { factor: 1 },
    },
  ],
  report: [],
};

const DAY = 86_400_000;

const anySeries = fc
  .record({
    metric_id: fc.constantFrom(1, 2),
    item_id: fc.constantFrom(2, 4),
    region_id: fc.constantFrom(3, 6, 8, 99),
    partner_region_id: fc.constantFrom(0, 6),
    frequency_id: fc.constantFrom(1, 9),
    unit_id: fc.constantFrom(7, 10, null),
  })
  .map(seriesOf);

const anyPoint = (gridded: boolean) =>
  fc.record({
    series: fc.nat(4),
    start: fc.integer({ min: -40, max: 40 }).map((day) => day * DAY),
    length: fc.constantFrom(0, 0, 0, 7, 30),
    offset: gridded ? fc.constant(0) : fc.constantFrom(0, 3_600_000, 86_399_999),
    value: fc.option(fc.double({ noNaN: true }), { freq: 4 }),
    unit_id: fc.constantFrom(7, 7, 7, 10),
    reporting: fc.option(fc.integer({ min: 0, max: 3 }).map((day) => day * DAY)),
  });

/**
 * Any point set of a service: up to five series (a key possibly twice), with points in order and unique within an entry,
 * cut into runs at random.
 */
export function anyPointSet(options: { gridded?: boolean; history?: boolean } = {}): fc.Arbitrary<PointSet> {
  const gridded = options.gridded === undefined ? fc.boolean() : fc.constant(options.gridded);
  return gridded.chain((onGrid) =>
    fc
      .record({
        series: fc.array(anySeries, { minLength: 5, maxLength: 5 }),
        points: fc.array(anyPoint(onGrid), { maxLength: 80, size: 'max' }),
        cuts: fc.array(fc.nat(80), { maxLength: 4 }),
      })
      .map(({ series, points, cuts }) => {
        const rows = points.map(({ start, length, offset, ...rest }) => ({
          ...rest,
          reporting: options.history === false ? null : rest.reporting,
          start,
          end: start + length * DAY + offset,
        }));
        return { series, runs: cutRuns(inOrder(rows), cuts) };
      }),
  );
}

function inOrder(
  points: (TestPoint & { start: number; end: number; reporting: number | null })[],
): TestPoint[] {
  const key = (point: (typeof points)[number]) =>
    [point.series, point.start, point.end, point.reporting ?? -1] as const;
  const unique = new Map(points.map((point) => [key(point).join(), point]));
  return [...unique.values()].sort((a, b) => {
    const [one, other] = [key(a), key(b)];
    return one.map((part, i) => part - other[i]!).find((difference) => difference !== 0) ?? 0;
  });
}

function cutRuns(points: readonly TestPoint[], cuts: readonly number[]): PackedPoints[] {
  const bounds = [...new Set([0, ...cuts.filter((cut) => cut < points.length), points.length])].sort(
    (a, b) => a - b,
  );
  return bounds.slice(1).flatMap((to, i) => runsOf(points.slice(bounds[i]!, to)));
}

/** A point as a plain row, for comparison. */
export interface NaiveRow {
  key: PointSeries;
  start: number;
  end: number;
  reporting: number | null;
  available: number | null;
  value: number | null;
  unit_id: number;
}

/**
 * The rows of a point set in frame order, computed row by row: the slow oracle of the frames. A point of several entries
 * of the list is kept once, from the first entry.
 */
export function naiveRows({ series, runs }: PointSet, index_by_series = false): NaiveRow[] {
  const rows = runs.flatMap((run) =>
    Array.from({ length: run.length }, (_, i) => ({
      entry: run.series,
      key: series[run.series]!,
      start: dateAt(run.start_date, i),
      end: endAt(run, i),
      reporting: reportingAt(run, i),
      available: run.available_date === undefined ? null : availableAt(run, i),
      value: valueAt(run, i),
      unit_id: unitAt(run, i),
    })),
  );
  const kept = rows.filter(
    (row) =>
      !rows.some(
        (other) =>
          other.entry < row.entry &&
          compareSeriesKeys(other.key, row.key) === 0 &&
          other.start === row.start &&
          other.end === row.end &&
          other.reporting === row.reporting,
      ),
  );
  const first = (row: (typeof rows)[number]) =>
    series.findIndex((key) => compareSeriesKeys(key, row.key) === 0);
  kept.sort(
    (a, b) =>
      (index_by_series ? compareSeriesKeys(a.key, b.key) : first(a) - first(b)) ||
      a.start - b.start ||
      a.end - b.end ||
      (a.reporting ?? -Infinity) - (b.reporting ?? -Infinity) ||
      (a.available ?? 0) - (b.available ?? 0),
  );
  return kept;
}
