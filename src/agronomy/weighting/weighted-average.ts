import { isValid } from '../../columns/bitmap.js';
import { epochWords } from '../../columns/series-dates.js';
import { checkFlag, checkFunction, checkShare } from '../../model/arguments/checks.js';
import { checkOptions, type OptionKeys } from '../../model/arguments/option-keys.js';
import { indexPeriods } from './period-index.js';
import { type RowWeights, runEnd, type SeriesWeights, weightOfRow, weightsOfRows } from './row-weights.js';
import type { WeightingFunction } from './weighted-series.js';
import { type RegionColumns, type RegionWeights, requireEqualLengths } from './weights.js';

/** How values are summed across regions. */
export interface WeightedAverageOptions {
  /** Default weight × value. */
  weighting_func?: WeightingFunction | undefined;
  /** True (default) divides each period's sum by the total weight of the regions with a value in it; false leaves the sum. */
  renormalise?: boolean | undefined;
  /** Below this total weight, 0 to 1, a period has no average; default 0.5, or 0 for sums that are not divided. */
  min_weight_present?: number | undefined;
}

/** The least share of the weight that needs a value; below it, the average is null. */
const MIN_WEIGHT_PRESENT = 0.5;

const AVERAGE_KEYS: OptionKeys<WeightedAverageOptions> = {
  weighting_func: checkFunction,
  renormalise: checkFlag,
  min_weight_present: checkShare,
};

/** One crop-weighted average a period, ascending by end and then start. */
export interface WeightedAverage {
  /** First moment of each period, UTC milliseconds. */
  readonly start_date: BigInt64Array;
  /** Last moment of each period, UTC milliseconds. */
  readonly end_date: BigInt64Array;
  /** NaN for a period in which no region of positive weight has a value, or regions of too little weight. */
  readonly value: Float64Array;
  /** Total weight of the regions with a value and a weight: 1 when none is missing. */
  readonly weight_present: Float64Array;
}

/**
 * The weighted average across regions for each period: of the regions with a value, as long as they have half the weight.
 * A region whose weight is missing in the year is like one without a value. Without `renormalise` it is the sum of the
 * weighted values, in which a missing region counts as 0.
 * @throws ArgumentError when the region or the year of a row has no weight
 */
export function cropWeightedAverage(
  columns: RegionColumns,
  weights: SeriesWeights,
  options: WeightedAverageOptions = {},
): WeightedAverage {
  requireEqualLengths(columns);
  checkOptions(options, AVERAGE_KEYS, 'cropWeightedAverage');
  const { weighting_func, renormalise = true } = options;
  const finish = {
    renormalise,
    least: options.min_weight_present ?? (renormalise ? MIN_WEIGHT_PRESENT : 0),
  };
  const ofBlocks =
    weighting_func === undefined && 'weights' in weights ? averageOfBlocks(columns, weights) : null;
  if (ofBlocks !== null) {
    finishAverage(ofBlocks, finish);
    return ofBlocks;
  }
  const rows = weightsOfRows(columns, weights);
  const { period, start_date, end_date } = indexPeriods(columns.start_date, columns.end_date);
  const sums: PeriodSums = {
    value: new Float64Array(end_date.length),
    weight_present: new Float64Array(end_date.length),
  };
  addRows(sums, columns, {
    rows,
    period,
    weighting_func: weighting_func ?? ((weight, value) => weight * value),
  });
  finishAverage(sums, finish);
  return { start_date, end_date, ...sums };
}

/** The sums of regions with the same periods, which saves looking up the period of each row; null for other columns. */
function averageOfBlocks(columns: RegionColumns, weights: RegionWeights): WeightedAverage | null {
  if (columns.value_valid !== null) return null;
  const common = sharedPeriods(columns);
  if (common === null) return null;
  const { length, regions } = common;
  const value = new Float64Array(length);
  const weight_present = new Float64Array(length);
  const rows = weightsOfRows(columns, weights);
  for (let block = 0; block < regions.length; block++) {
    const from = block * length;
    addBlock({ value, weight_present }, columns.value.subarray(from, from + length), weightOfRow(rows, from));
  }
  const { start_date, end_date } = columns;
  return {
    start_date: start_date.slice(0, length),
    end_date: end_date.slice(0, length),
    value,
    weight_present,
  };
}

function addBlock({ value, weight_present }: PeriodSums, values: Float64Array, weight: number): void {
  for (let i = 0; i < values.length; i++) {
    const addend = values[i]!;
    if (Number.isNaN(addend)) continue;
    value[i]! += weight * addend;
    weight_present[i]! += weight;
  }
}

interface PeriodSums {
  readonly value: Float64Array;
  readonly weight_present: Float64Array;
}

interface Addition {
  readonly rows: RowWeights;
  readonly period: Uint32Array;
  readonly weighting_func: WeightingFunction;
}

function addRows(sums: PeriodSums, columns: RegionColumns, addition: Addition): void {
  for (let from = 0; from < columns.value.length; ) {
    const to = runEnd(addition.rows, from);
    addRun(sums, columns, { ...addition, from, to });
    from = to;
  }
}

function addRun(
  { value, weight_present }: PeriodSums,
  columns: RegionColumns,
  { rows, period, weighting_func, from, to }: Addition & { from: number; to: number },
): void {
  const weight = weightOfRow(rows, from);
  if (Number.isNaN(weight)) return;
  const { value: values, value_valid } = columns;
  for (let row = from; row < to; row++) {
    const addend = values[row]!;
    if (Number.isNaN(addend) || (value_valid !== null && !isValid(value_valid, row))) continue;
    const group = period[row]!;
    value[group]! += weighting_func(weight, addend);
    weight_present[group]! += weight;
  }
}

/** Rounding of weights that sum to the least weight. */
const ROUNDING = 1e-9;

/** Sets periods without a value, or with too little weight, to NaN, and divides the others by their weight if `renormalise`. */
function finishAverage(
  { value, weight_present }: PeriodSums,
  { renormalise, least }: { renormalise: boolean; least: number },
): void {
  for (let i = 0; i < value.length; i++) {
    const present = weight_present[i]!;
    if (present === 0 || present < least - ROUNDING) value[i] = Number.NaN;
    else if (renormalise) value[i]! /= present;
  }
}

/** Rows in which every region has the same periods: block `k` of `length` rows belongs to region `regions[k]`. */
interface SharedPeriods {
  readonly length: number;
  readonly regions: Uint32Array;
}

/**
 * Detects columns that hold one region after another over the same ascending periods, as fetched daily series do; null
 * otherwise.
 */
export function sharedPeriods({ region, start_date, end_date }: RegionColumns): SharedPeriods | null {
  const length = blockLength(region);
  if (length === 0 || region.length % length !== 0) return null;
  const starts = epochWords(start_date);
  const ends = epochWords(end_date);
  if (!isAscending(start_date, end_date, length)) return null;
  const regions = new Uint32Array(region.length / length);
  for (let block = 0; block < regions.length; block++) {
    const from = block * length;
    regions[block] = region[from]!;
    if (!isConstant(region, from, from + length)) return null;
    if (!repeats(starts, 2 * from, 2 * length) || !repeats(ends, 2 * from, 2 * length)) return null;
  }
  return { length, regions };
}

/** The number of rows before the region first changes. */
function blockLength(region: Uint32Array): number {
  let length = 0;
  while (length < region.length && region[length] === region[0]) length++;
  return length;
}

function isConstant(region: Uint32Array, from: number, to: number): boolean {
  const own = region[from];
  for (let row = from + 1; row < to; row++) if (region[row] !== own) return false;
  return true;
}

function isAscending(start: BigInt64Array, end: BigInt64Array, length: number): boolean {
  for (let row = 1; row < length; row++) {
    const [before, after] = [end[row - 1]!, end[row]!];
    if (before > after || (before === after && start[row - 1]! >= start[row]!)) return false;
  }
  return true;
}

/** Whether the `count` words from `from` equal the first ones. */
function repeats(all: Int32Array, from: number, count: number): boolean {
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    const differs =
      (all[i]! ^ all[from + i]!) |
      (all[i + 1]! ^ all[from + i + 1]!) |
      (all[i + 2]! ^ all[from + i + 2]!) |
      (all[i + 3]! ^ all[from + i + 3]!);
    if (differs !== 0) return false;
  }
  for (; i < count; i++) if (all[i] !== all[from + i]) return false;
  return true;
}
