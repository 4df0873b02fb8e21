import { setBit } from '../../src/columns/bitmap.js';
import { type PointSet, packColumns } from '../../src/columns/packed-points.js';
import type { PointColumns, PointSeries } from '../../src/columns/point-columns.js';
import type { EntityNames } from '../../src/model/entity.js';
import { FREQUENCIES } from '../../src/model/frequency.js';
import { DAY_MS } from '../../src/model/time.js';

/** The same points by columns, as rivals take them, and as runs. */
export interface PointBatches extends PointSet {
  readonly batches: readonly PointColumns[];
}

/** Rows of a batch, as a service sends them. */
const BATCH_ROWS = 65_536;

export interface PointPlan {
  series: number;
  /** Of each series. */
  days: number;
  /** Share of the days, drawn at random, that a series has (default all). */
  share?: number;
  /** Gives each calendar day a time of its own, so that the dates lie on no grid. */
  offGrid?: boolean;
}

/** A generator of numbers from 0 to 1 that gives the same ones in every run (Park and Miller 1988). */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/**
 * Daily points of many series over partly overlapping ranges, every hundredth value null, in batches that cut across
 * series as those of a wire do.
 */
export function dailyPoints(plan: PointPlan): PointBatches {
  const next = numbers(1);
  const first = Date.UTC(1990, 0, 1);
  const batches: PointColumns[] = [];
  let batch = roomFor(BATCH_ROWS);
  let row = 0;
  for (let series = 0; series < plan.series; series++) {
    for (let day = 0; day < plan.days; day++) {
      if (plan.share !== undefined && next() > plan.share) continue;
      const calendarDay = (series % 100) * 10 + day;
      const time = plan.offGrid ? timeOf(calendarDay) : 0;
      batch.series[row] = series;
      batch.start_date[row] = BigInt(first + calendarDay * DAY_MS + time);
      if (next() < 0.99) {
        batch.value[row] = Math.round(next() * 10_000) / 100;
        setBit(batch.value_valid, row);
      }
      if (++row < BATCH_ROWS) continue;
      batches.push(finish(batch, row));
      batch = roomFor(BATCH_ROWS);
      row = 0;
    }
  }
  if (row > 0) batches.push(finish(batch, row));
  return { series: manySeries(plan.series), batches, runs: batches.flatMap(packColumns) };
}

/** A time of day, different from day to day. */
export function timeOf(calendarDay: number): number {
  return (calendarDay * 7_919_003) % DAY_MS;
}

function roomFor(rows: number) {
  return {
    series: new Uint32Array(rows),
    start_date: new BigInt64Array(rows),
    value: new Float64Array(rows),
    value_valid: new Uint8Array(rows / 8),
  };
}

function finish(batch: ReturnType<typeof roomFor>, length: number): PointColumns {
  const start_date = batch.start_date.slice(0, length);
  return {
    length,
    series: batch.series.slice(0, length),
    start_date,
    end_date: start_date.slice(),
    value: batch.value.slice(0, length),
    value_valid: batch.value_valid,
    unit_id: new Int32Array(length).fill(10),
    reporting_date: new BigInt64Array(length),
    reporting_valid: new Uint8Array(Math.ceil(length / 8)),
  };
}

function manySeries(count: number): PointSeries[] {
  return Array.from({ length: count }, (_, series) => ({
    metric_id: 2_540_047,
    item_id: 2_039 + (series % 4),
    region_id: 100_000 + series,
    partner_region_id: 0,
    source_id: 26,
    frequency_id: 1,
    unit_id: 10,
  }));
}

/** Names for those series. */
export function namesOf({ series }: PointSet): EntityNames {
  return {
    metrics: new Map([[2_540_047, 'Temperature']]),
    items: new Map([2_039, 2_040, 2_041, 2_042].map((id) => [id, `Temperature ${id - 2_038}`])),
    regions: new Map([
      [0, 'World'],
      ...series.map(({ region_id }) => [region_id, `District ${region_id}`] as const),
    ]),
    frequencies: new Map(FREQUENCIES.map(({ id, name }) => [id, name])),
    sources: new Map([[26, 'NOAA GHCN-Daily']]),
    units: new Map([[10, '°C']]),
  };
}

export function countRows({ batches }: PointBatches): number {
  return batches.reduce((sum, { length }) => sum + length, 0);
}
