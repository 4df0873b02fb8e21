import { isValid } from '../../columns/bitmap.js';
import { ArgumentError } from '../../model/errors.js';
import { indexPeriods } from './period-index.js';
import { type RowWeights, runEnd, type SeriesWeights, weightOfRow, weightsOfRows } from './row-weights.js';
import { sharedPeriods } from './shared-periods.js';
import type { RegionColumns, RegionWeights } from './weights.js';

/** How a value is adjusted by its region's weight; the default is weight × value. */
export type WeightingFunction = (weight: number, value: number) => number;

/**
 * The values adjusted by their regions' weights, row for row; NaN where a row has no value. With weights by year a row
 * takes those of the calendar year in which its period starts.
 * @throws ArgumentError when a row belongs to no region, or its year has no weights
 */
export function weightSeries(
  columns: RegionColumns,
  weights: SeriesWeights,
  weighting_func?: WeightingFunction,
): Float64Array {
  const weighted = new Float64Array(columns.value.length);
  if (weighting_func === undefined) return weightSeriesInto(weighted, columns, weights);
  applyFunction(weighted, columns, { rows: weightsOfRows(columns, weights), weighting_func });
  return weighted;
}

/**
 * `weightSeries` by the default function, written to memory at hand: `out` may be `columns.value` itself where the
 * values as they were are not needed any more. Half of the time of the other is the system's work of giving memory.
 * @throws ArgumentError when `out` has another length, a row belongs to no region, or its year has no weights
 */
export function weightSeriesInto(
  out: Float64Array,
  columns: RegionColumns,
  weights: SeriesWeights,
): Float64Array {
  if (out.length !== columns.value.length) {
    throw new ArgumentError(
      'out',
      `out has room for ${out.length} values of ${columns.value.length}; give as many`,
    );
  }
  multiply(out, columns, weightsOfRows(columns, weights));
  if (columns.valueValid !== null) blankInvalid(out, columns.valueValid);
  return out;
}

function multiply(out: Float64Array, { value }: RegionColumns, rows: RowWeights): void {
  for (let from = 0; from < out.length; ) {
    const to = runEnd(rows, from);
    scaleRun(out, value, { from, to, factor: weightOfRow(rows, from) });
    from = to;
  }
}

interface Scaling {
  readonly from: number;
  readonly to: number;
  readonly factor: number;
}

/** Eight values a turn: half again as fast as one. */
function scaleRun(out: Float64Array, value: Float64Array, { from, to, factor }: Scaling): void {
  let row = from;
  for (; row + 8 <= to; row += 8) {
    out[row] = factor * value[row]!;
    out[row + 1] = factor * value[row + 1]!;
    out[row + 2] = factor * value[row + 2]!;
    out[row + 3] = factor * value[row + 3]!;
    out[row + 4] = factor * value[row + 4]!;
    out[row + 5] = factor * value[row + 5]!;
    out[row + 6] = factor * value[row + 6]!;
    out[row + 7] = factor * value[row + 7]!;
  }
  for (; row < to; row++) out[row] = factor * value[row]!;
}

function blankInvalid(weighted: Float64Array, valid: Uint8Array): void {
  for (let row = 0; row < weighted.length; row++) if (!isValid(valid, row)) weighted[row] = Number.NaN;
}

function applyFunction(
  out: Float64Array,
  { value, valueValid }: RegionColumns,
  { rows, weighting_func }: { rows: RowWeights; weighting_func: WeightingFunction },
): void {
  for (let from = 0; from < out.length; ) {
    const to = runEnd(rows, from);
    const weight = weightOfRow(rows, from);
    for (let row = from; row < to; row++) {
      const isPresent = isValid(valueValid, row) && !Number.isNaN(value[row]!);
      out[row] = isPresent ? weighting_func(weight, value[row]!) : Number.NaN;
    }
    from = to;
  }
}

/** How values are summed across regions. */
export interface WeightedAverageOptions {
  /** Default weight × value. */
  weighting_func?: WeightingFunction | undefined;
  /** Divide each period's sum by the weight of the regions that have a value in it; false by default. */
  renormalise?: boolean | undefined;
}

/** One crop-weighted average a period, ascending by end and then start. */
export interface WeightedAverage {
  /** First moment of each period, UTC milliseconds. */
  readonly start_date: BigInt64Array;
  /** Last moment of each period, UTC milliseconds. */
  readonly end_date: BigInt64Array;
  /** NaN for a period in which no region that weighs anything has a value. */
  readonly value: Float64Array;
  /** Weight of the regions that have a value: 1 when none is missing. Where it is less, a plain sum is too small. */
  readonly weight_present: Float64Array;
}

/**
 * The weighted values summed across regions for each period. A region without a value adds nothing: either the sum
 * stays as it is (the specification's) and `weight_present` tells, or it is renormalised to the regions at hand.
 * @throws ArgumentError when a row belongs to no region, or its year has no weights
 */
export function cropWeightedAverage(
  columns: RegionColumns,
  weights: SeriesWeights,
  { weighting_func, renormalise = false }: WeightedAverageOptions = {},
): WeightedAverage {
  const shared =
    weighting_func === undefined && 'weights' in weights ? averageOfBlocks(columns, weights) : null;
  if (shared !== null) {
    finishAverage(shared, renormalise);
    return shared;
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
  finishAverage(sums, renormalise);
  return { start_date, end_date, ...sums };
}

/** The sums of regions that go through the same periods side by side: no period need be looked up. */
function averageOfBlocks(columns: RegionColumns, weights: RegionWeights): WeightedAverage | null {
  if (columns.valueValid !== null) return null;
  const shared = sharedPeriods(columns);
  if (shared === null) return null;
  const { length, regions } = shared;
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
    const known = values[i]!;
    if (Number.isNaN(known)) continue;
    value[i]! += weight * known;
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
  const { value: values, valueValid } = columns;
  for (let row = from; row < to; row++) {
    const known = values[row]!;
    if (Number.isNaN(known) || (valueValid !== null && !isValid(valueValid, row))) continue;
    const group = period[row]!;
    value[group]! += weighting_func(weight, known);
    weight_present[group]! += weight;
  }
}

/** A missing period becomes NaN; the others are divided by the weight at hand where that is wanted. */
function finishAverage({ value, weight_present }: PeriodSums, renormalise: boolean): void {
  for (let i = 0; i < value.length; i++) {
    if (weight_present[i] === 0) value[i] = Number.NaN;
    else if (renormalise) value[i]! /= weight_present[i]!;
  }
}
