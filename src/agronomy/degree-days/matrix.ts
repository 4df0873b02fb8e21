import { arrayOf, checkFlag, checkNothing, needed, oneOf, whole } from '../../model/arguments/checks.js';
import { checkRequiredOptions, type OptionKeys } from '../../model/arguments/option-keys.js';
import { ArgumentError } from '../../model/errors.js';
import { type DayRun, fillRun, hasMeanSum, type RunSum, type RunTarget, sumMeanRun } from './kernels.js';
import { checkMissingDays, interpolateGaps, type MissingDays, refuseMissingDays } from './missing-days.js';
import {
  type AppliedRule,
  applyRule,
  type DegreeDayPlan,
  type DegreeDayRule,
  planDegreeDays,
  RULE_KEYS,
} from './plan.js';

/** Daily temperatures of many regions, and the rule by which they become degree days. */
export interface DegreeDaysMatrixOptions extends DegreeDayRule {
  /** Daily minima of every region in one buffer of regions × days values; NaN where missing. */
  tmin: Float64Array;
  /** Daily maxima, laid out like the minima. */
  tmax: Float64Array;
  /** Number of regions. */
  regions: number;
  /** Number of days. */
  days: number;
  /** Default `'region-major'`. */
  layout?: MatrixLayout | undefined;
  /** Default `'zero'`. */
  missing?: MissingDays | undefined;
  /** Minima of the day after the last, one a region, for the double methods; default the last day's own. NaN is missing. */
  next_tmin?: Float64Array | undefined;
  /** True also returns the daily values; default false. */
  daily?: boolean | undefined;
}

const MATRIX_KEYS: OptionKeys<DegreeDaysMatrixOptions> = {
  ...RULE_KEYS,
  tmin: checkNothing,
  tmax: checkNothing,
  regions: needed(whole({ min: 1 })),
  days: needed(whole({ min: 1 })),
  layout: oneOf(['region-major', 'day-major']),
  missing: checkMissingDays,
  next_tmin: arrayOf(Float64Array),
  daily: checkFlag,
};

/** Degree days of many regions over the same days. */
export interface DegreeDaysMatrix extends AppliedRule {
  /** One a region. */
  readonly totals: Float64Array;
  /** Days of each region with both values. */
  readonly days_counted: Uint32Array;
  /** `days_counted / days` of each region. */
  readonly coverage: Float64Array;
  /** Laid out like the input, 0 where a value is missing; null unless requested. */
  readonly daily: Float64Array | null;
  /** Number of regions. */
  readonly regions: number;
  /** Number of days. */
  readonly days: number;
  /** How `daily` is laid out. */
  readonly layout: MatrixLayout;
  /** How a day without both values counts. */
  readonly missing: MissingDays;
}

/**
 * `degreeDays` of many regions in one pass over two buffers, for totals of thousands of regions: the same methods,
 * cut-offs, null rule and missing-day policies.
 * @throws ArgumentError when a buffer does not have regions × days values, or the rule is inconsistent
 * @throws CoverageError when days are missing under `missing: 'error'`
 */
export function degreeDaysMatrix(options: DegreeDaysMatrixOptions): DegreeDaysMatrix {
  checkRequiredOptions(options, MATRIX_KEYS, 'degreeDaysMatrix');
  const rule = applyRule(options);
  const { missing = 'zero' } = options;
  const shape = matrixShape(options);
  const next = options.next_tmin ?? new Float64Array(shape.regions).fill(Number.NaN);
  const input = { tmin: options.tmin, tmax: options.tmax, next };
  if (missing === 'error') refuseMissingDays(input.tmin, input.tmax, null);
  const { filled, sums } = sumMatrix(input, shape, { rule, missing, withDaily: options.daily === true });
  const days_counted = filled === input ? sums.present : countPresent(input, shape);
  return {
    ...rule,
    totals: sums.totals,
    days_counted,
    coverage: Float64Array.from(days_counted, (counted) => counted / shape.days),
    daily: sums.daily,
    ...shape,
    missing,
  };
}

interface MatrixRule {
  readonly rule: AppliedRule;
  readonly missing: MissingDays;
  readonly withDaily: boolean;
}

/** The degree days of all regions, and the temperatures, with gaps filled, that they are of. */
export function sumMatrix(
  input: Matrix,
  shape: MatrixShape,
  { rule, missing, withDaily }: MatrixRule,
): { filled: Matrix; sums: MatrixSums } {
  const { regions, days } = shape;
  const sums: MatrixSums = {
    totals: new Float64Array(regions),
    present: new Uint32Array(regions),
    daily: withDaily ? new Float64Array(regions * days) : null,
  };
  const filled = typeof missing === 'object' ? fillMatrix(input, shape, missing.interpolate) : input;
  const plan = planDegreeDays(rule);
  if (shape.layout === 'region-major') sumRegions(filled, shape, { plan, sums });
  else sumDays(filled, shape, { plan, sums });
  return { filled, sums };
}

function matrixShape({
  tmin,
  tmax,
  next_tmin,
  regions,
  days,
  layout = 'region-major',
}: DegreeDaysMatrixOptions): MatrixShape {
  for (const [name, values] of [
    ['tmin', tmin],
    ['tmax', tmax],
  ] as const) {
    if (values instanceof Float64Array && values.length === regions * days) continue;
    throw new ArgumentError(
      name,
      `${name} must be a Float64Array of ${regions} regions × ${days} days = ${regions * days} values, NaN where one is missing`,
    );
  }
  if (next_tmin !== undefined && next_tmin.length !== regions) {
    throw new ArgumentError(
      'next_tmin',
      `next_tmin must be a Float64Array of ${regions} values, one a region, NaN where one is missing`,
    );
  }
  return { regions, days, layout };
}

function fillMatrix(
  { tmin, tmax, next }: Matrix,
  { regions, days, layout }: MatrixShape,
  maxGap: number,
): Matrix {
  const filled = { tmin: tmin.slice(), tmax: tmax.slice(), next };
  for (let region = 0; region < regions; region++) {
    const strand =
      layout === 'region-major'
        ? { from: region * days, stride: 1, count: days }
        : { from: region, stride: regions, count: days };
    interpolateGaps(filled.tmin, strand, maxGap);
    interpolateGaps(filled.tmax, strand, maxGap);
  }
  return filled;
}

function countPresent({ tmin, tmax }: Matrix, { regions, days, layout }: MatrixShape): Uint32Array {
  const counted = new Uint32Array(regions);
  for (let i = 0; i < tmin.length; i++) {
    if (Number.isNaN(tmin[i]! + tmax[i]!)) continue;
    counted[layout === 'region-major' ? Math.floor(i / days) : i % regions]!++;
  }
  return counted;
}

/** Which values are adjacent: all days of a region, or all regions of a day. */
export type MatrixLayout = 'region-major' | 'day-major';

interface MatrixShape {
  readonly regions: number;
  readonly days: number;
  readonly layout: MatrixLayout;
}

interface Matrix {
  readonly tmin: Float64Array;
  readonly tmax: Float64Array;
  /** Minima of the day after the last, one a region; NaN where missing. */
  readonly next: Float64Array;
}

/** The output of `sumRegions` and `sumDays`. */
interface MatrixSums {
  /** One a region. */
  readonly totals: Float64Array;
  /** The number of days with a value, by region. */
  readonly present: Uint32Array;
  /** The daily values; null unless requested. */
  readonly daily: Float64Array | null;
}

/** Computes one region at a time into a row that fits the processor's cache, then sums the row. */
function sumRegions(
  { tmin, tmax, next }: Matrix,
  { regions, days }: MatrixShape,
  { plan, sums }: { plan: DegreeDayPlan; sums: MatrixSums },
): void {
  const scratch = new Float64Array(days);
  const isFused = sums.daily === null && hasMeanSum(plan);
  for (let region = 0; region < regions; region++) {
    const from = region * days;
    const run: DayRun = { tmin, tmax, from, count: days, next: tmin, nextFrom: from + 1 };
    const { total, present } = isFused
      ? sumMeanRun(run, plan)
      : sumFilled(run, plan, { ...rowTarget(sums, scratch, from), lastNext: next[region]! });
    sums.totals[region] = total;
    sums.present[region] = present;
  }
}

/** `lastNext` is the minimum after the run's last day. */
type RowTarget = RunTarget & { readonly lastNext: number };

function sumFilled(run: DayRun, plan: DegreeDayPlan, target: RowTarget): RunSum {
  if (plan.double) fillDoubleRow(run, plan, target);
  else fillRun(run, plan, target);
  return sumRow(target, run.count);
}

/** Fills the last day alone: the next region's first day follows it in memory. */
function fillDoubleRow(run: DayRun, plan: DegreeDayPlan, { out, at, lastNext }: RowTarget): void {
  const { tmin, tmax, from, next, nextFrom } = run;
  const last = run.count - 1;
  fillRun({ tmin, tmax, from, count: last, next, nextFrom }, plan, { out, at });
  const lastDay = { tmin, tmax, from: from + last, count: 1, next: Float64Array.of(lastNext), nextFrom: 0 };
  fillRun(lastDay, plan, { out, at: at + last });
}

/** Computes one day of all regions at a time, and adds it to the sums of the regions. */
function sumDays(
  { tmin, tmax, next }: Matrix,
  { regions, days }: MatrixShape,
  { plan, sums }: { plan: DegreeDayPlan; sums: MatrixSums },
): void {
  const scratch = new Float64Array(regions);
  for (let day = 0; day < days; day++) {
    const from = day * regions;
    const target = rowTarget(sums, scratch, from);
    const following = day + 1 < days ? { next: tmin, nextFrom: from + regions } : { next, nextFrom: 0 };
    const run: DayRun = { tmin, tmax, from, count: regions, ...following };
    fillRun(run, plan, target);
    addRow(target, sums);
  }
}

function rowTarget({ daily }: MatrixSums, scratch: Float64Array, from: number): RunTarget {
  return daily === null ? { out: scratch, at: 0 } : { out: daily, at: from };
}

/** Sums a row and sets its missing values to 0. */
function sumRow({ out, at }: RunTarget, count: number): RunSum {
  let total = 0;
  let present = 0;
  for (let i = at; i < at + count; i++) {
    const value = out[i]!;
    if (Number.isNaN(value)) {
      out[i] = 0;
    } else {
      total += value;
      present++;
    }
  }
  return { total, present };
}

function addRow({ out, at }: RunTarget, { totals, present }: MatrixSums): void {
  for (let region = 0; region < totals.length; region++) {
    const value = out[at + region]!;
    if (Number.isNaN(value)) {
      out[at + region] = 0;
    } else {
      totals[region]! += value;
      present[region]!++;
    }
  }
}
