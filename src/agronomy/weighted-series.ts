import { isValid } from '../model/point.js';
import { indexPeriods } from './periods.js';
import { type RowWeights, type SeriesWeights, weightsOfRows } from './row-weights.js';
import type { RegionColumns } from './weights.js';

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
  const rows = weightsOfRows(columns, weights);
  return weighting_func === undefined
    ? multiply(columns, rows)
    : applyFunction(columns, rows, weighting_func);
}

function multiply({ value, valueValid }: RegionColumns, { weight, at }: RowWeights): Float64Array {
  const weighted = new Float64Array(value.length);
  for (let row = 0; row < weighted.length; row++) weighted[row] = weight[at[row]!]! * value[row]!;
  if (valueValid === null) return weighted;
  for (let row = 0; row < weighted.length; row++) if (!isValid(valueValid, row)) weighted[row] = Number.NaN;
  return weighted;
}

function applyFunction(
  { value, valueValid }: RegionColumns,
  { weight, at }: RowWeights,
  weighting_func: WeightingFunction,
): Float64Array {
  const weighted = new Float64Array(value.length);
  for (let row = 0; row < weighted.length; row++) {
    const isPresent = isValid(valueValid, row) && !Number.isNaN(value[row]!);
    weighted[row] = isPresent ? weighting_func(weight[at[row]!]!, value[row]!) : Number.NaN;
  }
  return weighted;
}

export interface WeightedAverageOptions {
  /** Default weight × value. */
  weighting_func?: WeightingFunction | undefined;
  /** Divide each period's sum by the weight of the regions that have a value in it; false by default. */
  renormalise?: boolean | undefined;
}

/** One crop-weighted average a period, ascending by end and then start. */
export interface WeightedAverage {
  readonly start_date: BigInt64Array;
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
  const rows = weightsOfRows(columns, weights);
  const weighted =
    weighting_func === undefined ? multiply(columns, rows) : applyFunction(columns, rows, weighting_func);
  const { period, start_date, end_date } = indexPeriods(columns.start_date, columns.end_date);
  const value = new Float64Array(end_date.length);
  const weight_present = new Float64Array(end_date.length);
  for (let row = 0; row < weighted.length; row++) {
    const share = weighted[row]!;
    if (Number.isNaN(share)) continue;
    value[period[row]!]! += share;
    weight_present[period[row]!]! += rows.weight[rows.at[row]!]!;
  }
  finishAverage(value, weight_present, renormalise);
  return { start_date, end_date, value, weight_present };
}

/** A missing period becomes NaN; the others are divided by the weight at hand where that is wanted. */
function finishAverage(value: Float64Array, weightPresent: Float64Array, renormalise: boolean): void {
  for (let i = 0; i < value.length; i++) {
    if (weightPresent[i] === 0) value[i] = Number.NaN;
    else if (renormalise) value[i]! /= weightPresent[i]!;
  }
}
