import { deepStrictEqual } from 'node:assert';
import { type DegreeDaysMatrix, degreeDaysMatrix } from '../src/agronomy/degree-days/matrix.js';
import { weightSeries } from '../src/agronomy/weights/weighted-series.js';
import type { RegionColumns } from '../src/agronomy/weights/weights.js';
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
function _byPandas<Answer>(
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
    return workload<DegreeDaysMatrix>({
      name: this.name,
      rows: ROWS,
      ours: () => degreeDaysMatrix({ ...input, base: BASE, cap: CAP, method: 'average' }),
      rivals: [
        rival({
          name: 'plain loop',
          run: () => degreeDaysPlainly(input),
          assertEqual: ({ totals }: DegreeDaysMatrix, theirs) => assertClose(totals, theirs),
        }),
        ...byPandas(pandas, ({ totals }: DegreeDaysMatrix) => totals),
      ],
      close: () => pandas?.close(),
    });
  },
};

/** Daily values of many regions as a retrieval returns them, region after region; every hundredth is missing. */
function regionValues(): RegionColumns {
  const next = numbers(2);
  const start_date = new BigInt64Array(ROWS);
  for (let row = 0; row < ROWS; row++) start_date[row] = BigInt((row % DAYS) * DAY_MS);
  return {
    region: Uint32Array.from({ length: ROWS }, (_, row) => Math.floor(row / DAYS)),
    start_date,
    end_date: start_date,
    value: Float64Array.from({ length: ROWS }, () => (next() < 0.01 ? Number.NaN : 40 * next() - 5)),
    value_valid: null,
  };
}

function weightPlainly({ region, value }: RegionColumns, weights: Float64Array): Float64Array {
  const weightedValues = new Float64Array(value.length);
  for (let row = 0; row < value.length; row++) weightedValues[row] = weights[region[row]!]! * value[row]!;
  return weightedValues;
}

const weighted: WorkloadMaker = {
  name: 'crop-weighted series, 1,000 regions × 3,650 days',
  make() {
    const columns = regionValues();
    const next = numbers(3);
    const shares = Float64Array.from({ length: REGIONS }, next);
    const total = shares.reduce((sum, share) => sum + share, 0);
    const weights = shares.map((share) => share / total);
    const pandas = startPandas('weighted-series', {
      ...{ regions: REGIONS, days: DAYS, value: columns.value },
      weights,
    });
    return workload<Float64Array>({
      name: this.name,
      rows: ROWS,
      ours: () => weightSeries(columns, { weights: [...weights], without_data: [] }),
      rivals: [
        rival({
          name: 'plain loop',
          run: () => weightPlainly(columns, weights),
          assertEqual: assertClose,
        }),
        ...byPandas(pandas, (values: Float64Array) => values),
      ],
      close: () => pandas?.close(),
    });
  },
};

export const workloads: readonly WorkloadMaker[] = [degreeDays, weighted];
