import { deepStrictEqual } from 'node:assert';
import type { Table } from 'apache-arrow';
import { sumDegreeDays } from '../src/agronomy/degree-days/degree-days.js';
import { applyRule } from '../src/agronomy/degree-days/plan.js';
import { constantWeights } from '../src/agronomy/weighting/weights.js';
import type { PointSet } from '../src/columns/packed-points.js';
import { type RegionRun, weightRun } from '../src/compute/weighting.js';
import { longFrame } from '../src/frame/build/long.js';
import { wideFrame } from '../src/frame/build/wide.js';
import { readColumn } from '../src/frame/table/columns.js';
import { SERIES_KEY_FIELDS } from '../src/model/series.js';
import { DAY_MS } from '../src/model/time.js';
import { type Rival, rival, type WorkloadMaker, workload } from './measure.js';
import { type Pandas, type PandasAnswer, startPandas } from './pandas.js';

const REGIONS = 1_000;
const DAYS = 3_650;
const ROWS = REGIONS * DAYS;
const BASE = 10;
const CAP = 30;

/** A generator of numbers from 0 to 1 that gives the same ones in every run (Park and Miller 1988). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Fails unless the values are equal but for the rounding of sums in another order. */
function assertClose(ours: ArrayLike<number>, theirs: ArrayLike<number>): void {
  deepStrictEqual(ours.length, theirs.length);
  for (let i = 0; i < ours.length; i++) {
    const [one, other] = [ours[i]!, theirs[i]!];
    if (Number.isNaN(one) && Number.isNaN(other)) continue;
    if (!(Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one))))
      throw new RangeError(`value ${i}: ${one} is not ${other}`);
  }
}

/** A rival in pandas; none where there is no pandas. */
function byPandas<Answer>(
  pandas: Pandas | null,
  valuesOf: (ours: Answer) => ArrayLike<number>,
): Rival<Answer>[] {
  if (pandas === null) return [];
  return [
    rival({
      name: 'pandas',
      run: () => pandas.run(),
      ownMs: ({ ms }: PandasAnswer) => ms,
      assertEqual: (ours: Answer, { values }: PandasAnswer) => assertClose(valuesOf(ours), values),
    }),
  ];
}

/** Daily extremes of many regions, all days of a region side by side, °C; every hundredth value is missing. */
function temperatures(): { tmin: Float64Array; tmax: Float64Array; regions: number; days: number } {
  const next = numbers(1);
  const tmin = new Float64Array(ROWS);
  const tmax = new Float64Array(ROWS);
  for (let i = 0; i < ROWS; i++) {
    const season = 12 - 12 * Math.cos((2 * Math.PI * (i % DAYS)) / 365.25);
    tmin[i] = next() < 0.01 ? Number.NaN : season - 8 + 6 * next();
    tmax[i] = next() < 0.01 ? Number.NaN : season + 2 + 8 * next();
  }
  return { tmin, tmax, regions: REGIONS, days: DAYS };
}

/** Totals by the core of `degreeDays`, region by region, as for a frame. */
function sumRegions({ tmin, tmax }: ReturnType<typeof temperatures>): Float64Array {
  const rule = applyRule({ base_temperature: BASE, upper_temperature_cap: CAP });
  return Float64Array.from({ length: REGIONS }, (_, region) => {
    const [from, to] = [region * DAYS, (region + 1) * DAYS];
    const days = { tmin: tmin.subarray(from, to), tmax: tmax.subarray(from, to), next_tmin: Number.NaN };
    return sumDegreeDays(days, { rule, missing: 'zero' }).total;
  });
}

/** The specification's rule in one loop. */
function degreeDaysPlainly({ tmin, tmax }: ReturnType<typeof temperatures>): Float64Array {
  const totals = new Float64Array(REGIONS);
  for (let region = 0, i = 0; region < REGIONS; region++) {
    let total = 0;
    for (const end = i + DAYS; i < end; i++) {
      const value = Math.max(Math.min((tmin[i]! + tmax[i]!) / 2, CAP), BASE) - BASE;
      if (!Number.isNaN(value)) total += value;
    }
    totals[region] = total;
  }
  return totals;
}

const degreeDays: WorkloadMaker = {
  name: 'degree days, 1,000 regions × 3,650 days',
  make() {
    const input = temperatures();
    const pandas = startPandas('degree-days', { ...input, base: BASE, cap: CAP });
    return workload<Float64Array>({
      name: this.name,
      rows: ROWS,
      ours: () => sumRegions(input),
      rivals: [
        rival({
          name: 'plain loop',
          run: () => degreeDaysPlainly(input),
          assertEqual: assertClose,
        }),
        ...byPandas(pandas, (totals: Float64Array) => totals),
      ],
      close: () => pandas?.close(),
    });
  },
};

/** Daily values of many regions as a retrieval returns them, region after region; every hundredth is missing. */
function regionValues(): Float64Array {
  const next = numbers(2);
  return Float64Array.from({ length: ROWS }, () => (next() < 0.01 ? Number.NaN : 40 * next() - 5));
}

function runsOf(values: Float64Array): RegionRun[] {
  const days = { firstMs: 0, stepMs: DAY_MS };
  return Array.from({ length: REGIONS }, (_, region) => {
    const value = values.subarray(region * DAYS, (region + 1) * DAYS);
    return { region, start_date: days, end_date: null, value };
  });
}

function weightPlainly(values: Float64Array, weights: Float64Array): Float64Array {
  const weightedValues = new Float64Array(values.length);
  for (let region = 0, row = 0; region < REGIONS; region++)
    for (const end = row + DAYS; row < end; row++) weightedValues[row] = weights[region]! * values[row]!;
  return weightedValues;
}

const weighted: WorkloadMaker = {
  name: 'crop-weighted series, 1,000 regions × 3,650 days',
  make() {
    const value = regionValues();
    const runs = runsOf(value);
    const next = numbers(3);
    const shares = Float64Array.from({ length: REGIONS }, next);
    const total = shares.reduce((sum, share) => sum + share, 0);
    const weights = shares.map((share) => share / total);
    const pandas = startPandas('weighted-series', { ...{ regions: REGIONS, days: DAYS, value }, weights });
    return workload<Float64Array[]>({
      name: this.name,
      rows: ROWS,
      ours: () => {
        const ofRegions = constantWeights(new Map(weights.entries()));
        return runs.map((run) => weightRun(run, ofRegions, undefined));
      },
      rivals: [
        rival({
          name: 'plain loop',
          run: () => weightPlainly(value, weights),
          assertEqual: (ours: Float64Array[], theirs) => assertClose(joined(ours), theirs),
        }),
        ...byPandas(pandas, joined),
      ],
      close: () => pandas?.close(),
    });
  },
};

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(ROWS);
  parts.forEach((part, region) => {
    all.set(part, region * DAYS);
  });
  return all;
}

/** Days between the first dates of neighbouring series, which so overlap in part. */
const SHIFT_DAYS = 10;
const AXIS_DAYS = DAYS + 99 * SHIFT_DAYS;

const firstDay = (series: number): number => (series % 100) * SHIFT_DAYS;

/** Daily points of many series as they arrive from a service; every hundredth value is null. */
function dailyPoints(): PointSet {
  const next = numbers(4);
  const series = Array.from({ length: REGIONS }, (_, i) => ({
    ...{ metric_id: 2, item_id: 7 + (i % 4), region_id: 100_000 + i, partner_region_id: 0 },
    ...{ source_id: 26, frequency_id: 1, unit_id: 10 },
  }));
  const runs = series.map((_, position) => {
    const value = new Float64Array(DAYS);
    const value_valid = new Uint8Array(Math.ceil(DAYS / 8));
    for (let day = 0; day < DAYS; day++) {
      const isNull = next() < 0.01;
      value[day] = isNull ? Number.NaN : Math.round(next() * 10_000) / 100;
      if (!isNull) value_valid[day >> 3]! |= 1 << (day & 7);
    }
    return {
      ...{ series: position, length: DAYS, value, value_valid, unit_id: 10, reporting_date: null },
      start_date: { firstMs: firstDay(position) * DAY_MS, stepMs: DAY_MS },
      end_date: null,
    };
  });
  return { series, runs };
}

interface PlainLong {
  readonly start: BigInt64Array;
  readonly unit: Int32Array;
  readonly end: BigInt64Array;
  readonly value: Float64Array;
  readonly ids: readonly Int32Array[];
}

/** Series after series into one array a column. */
function longPlainly({ series, runs }: PointSet): PlainLong {
  const end = new BigInt64Array(ROWS);
  const start = new BigInt64Array(ROWS);
  const value = new Float64Array(ROWS);
  const unit = new Int32Array(ROWS).fill(10);
  const ids = SERIES_KEY_FIELDS.map(() => new Int32Array(ROWS));
  runs.forEach((run, position) => {
    const at = position * DAYS;
    value.set(run.value, at);
    for (let day = 0; day < DAYS; day++) start[at + day] = BigInt((firstDay(position) + day) * DAY_MS);
    end.set(start.subarray(at, at + DAYS), at);
    for (const [i, field] of SERIES_KEY_FIELDS.entries())
      ids[i]!.fill(series[position]![field], at, at + DAYS);
  });
  return { start, end, value, unit, ids };
}

/** Each series into its column, at the rows of its days. */
function widePlainly({ runs }: PointSet): Float64Array[] {
  return runs.map((run, position) => {
    const column = new Float64Array(AXIS_DAYS).fill(Number.NaN);
    column.set(run.value, firstDay(position));
    return column;
  });
}

const long: WorkloadMaker = {
  name: 'long frame, 1,000 series × 3,650 days',
  make() {
    const points = dailyPoints();
    return workload<Table>({
      name: this.name,
      rows: ROWS,
      ours: () => longFrame(points),
      rivals: [
        rival({
          name: 'plain loops',
          run: () => longPlainly(points),
          assertEqual: (table: Table, theirs: PlainLong) => {
            deepStrictEqual(readColumn(table, 'end_date', 'timestamp').values, theirs.end);
            assertClose(readColumn(table, 'value', 'float64').values, theirs.value);
            for (const [i, field] of SERIES_KEY_FIELDS.entries())
              deepStrictEqual(readColumn(table, field, 'int32').values, theirs.ids[i]);
          },
        }),
      ],
    });
  },
};

const wide: WorkloadMaker = {
  name: 'wide frame, 1,000 series × 3,650 days',
  make() {
    const points = dailyPoints();
    const names = {
      ...{ metrics: new Map([[2, 'Temperature']]), frequencies: new Map([[1, 'daily']]) },
      ...{ items: new Map([7, 8, 9, 10].map((id) => [id, `Item ${id}`])), sources: new Map([[26, 'NOAA']]) },
      regions: new Map([
        [0, 'World'],
        ...points.series.map(({ region_id: id }) => [id, `Region ${id}`] as const),
      ]),
      units: new Map([[10, '°C']]),
    };
    const pandas = startPandas('wide', {
      ...{ regions: REGIONS, days: DAYS },
      value: Float64Array.from(
        { length: ROWS },
        (_, row) => points.runs[Math.floor(row / DAYS)]!.value[row % DAYS]!,
      ),
      day: Float64Array.from({ length: ROWS }, (_, row) => firstDay(Math.floor(row / DAYS)) + (row % DAYS)),
    });
    const columnsOf = (table: Table) =>
      table.schema.fields.slice(1).map(({ name }) => readColumn(table, name, 'float64').values);
    return workload<Table>({
      name: this.name,
      rows: ROWS,
      ours: () => wideFrame(points, { names }),
      rivals: [
        rival({
          name: 'plain loops',
          run: () => widePlainly(points),
          assertEqual: (table: Table, theirs: Float64Array[]) => {
            for (const [i, column] of columnsOf(table).entries()) assertClose(column, theirs[i]!);
          },
        }),
        ...byPandas(pandas, (table: Table) => {
          const all = new Float64Array(REGIONS * AXIS_DAYS);
          for (const [i, column] of columnsOf(table).entries()) all.set(column, i * AXIS_DAYS);
          return all;
        }),
      ],
      close: () => pandas?.close(),
    });
  },
};

export const workloads: readonly WorkloadMaker[] = [long, wide, degreeDays, weighted];
