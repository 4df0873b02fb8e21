import { arrayOf, checkFlag, checkNothing, needed, oneOf, whole } from '../../model/arguments/checks.js';
import { checkRequiredOptions, type OptionKeys } from '../../model/arguments/option-keys.js';
import { ArgumentError } from '../../model/errors.js';
import { type RegionDays, type RegionSum, sumDays } from './kernels.js';
import {
  checkMissingDays,
  countDays,
  interpolateGaps,
  type MissingDays,
  refuseMissingDays,
} from './missing-days.js';
import { type AppliedRule, applyRule, type DegreeDayRule, planDegreeDays, RULE_KEYS } from './plan.js';

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
  const { regions, days, layout = 'region-major', missing = 'zero', next_tmin } = options;
  checkBuffers(options);
  const isByDay = layout === 'day-major';
  const [tmin, tmax] = [options.tmin, options.tmax].map((values) =>
    isByDay ? transposed(values, { rows: days, columns: regions }) : values,
  ) as [Float64Array, Float64Array];
  if (missing === 'error') refuseMissingDays(options.tmin, options.tmax, null);
  const totals = new Float64Array(regions);
  const days_counted = new Uint32Array(regions);
  const daily = options.daily === true ? new Float64Array(regions * days) : null;
  for (let region = 0; region < regions; region++) {
    const row = (values: Float64Array) => values.subarray(region * days, (region + 1) * days);
    const own = { tmin: row(tmin), tmax: row(tmax), next: next_tmin?.[region] ?? Number.NaN };
    const { total, present } = sumRegion(own, { rule, missing, daily: daily && row(daily) });
    totals[region] = total;
    days_counted[region] = typeof missing === 'object' ? countDays(own.tmin, own.tmax) : present;
  }
  return {
    ...rule,
    totals,
    days_counted,
    coverage: Float64Array.from(days_counted, (counted) => counted / days),
    daily: daily && isByDay ? transposed(daily, { rows: regions, columns: days }) : daily,
    regions,
    days,
    layout,
    missing,
  };
}

/** The degree days of a region, and the temperatures, with gaps filled, that they are of. */
export function sumRegion(
  days: RegionDays,
  { rule, missing, daily }: { rule: AppliedRule; missing: MissingDays; daily: Float64Array | null },
): RegionSum & { filled: RegionDays } {
  const [tmin, tmax] = [days.tmin, days.tmax].map((values) =>
    typeof missing === 'object' ? interpolateGaps(values, missing.interpolate) : values,
  ) as [Float64Array, Float64Array];
  const filled = { ...days, tmin, tmax };
  return { ...sumDays(filled, planDegreeDays(rule), daily), filled };
}

function checkBuffers({ tmin, tmax, next_tmin, regions, days }: DegreeDaysMatrixOptions): void {
  for (const [name, values] of Object.entries({ tmin, tmax })) {
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
}

/** The same values, those of a column next to each other. */
function transposed(
  values: Float64Array,
  { rows, columns }: { rows: number; columns: number },
): Float64Array {
  return values.map((_, i) => values[(i % rows) * columns + Math.floor(i / rows)]!);
}

/** Which values are adjacent: all days of a region, or all regions of a day. */
export type MatrixLayout = 'region-major' | 'day-major';
