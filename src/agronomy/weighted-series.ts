import { ArgumentError } from '../model/errors.js';
import { isValid } from '../model/point.js';
import { indexPeriods } from './periods.js';
import type { RegionColumns, RegionWeights } from './weights.js';

/** How a value is adjusted by its region's weight; the default is weight × value. */
export type WeightingFunction = (weight: number, value: number) => number;

/** Weights that hold for all time, or those of each calendar year. */
export type SeriesWeights = RegionWeights | ReadonlyMap<number, RegionWeights>;

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
  const { weight, at } = weightsOfRows(columns, weights);
  const { value, valueValid } = columns;
  const weighted = new Float64Array(value.length);
  if (weighting_func === undefined) {
    for (let row = 0; row < weighted.length; row++) weighted[row] = weight[at[row]!]! * value[row]!;
  } else {
    for (let row = 0; row < weighted.length; row++) {
      if (hasValue(columns, row)) weighted[row] = weighting_func(weight[at[row]!]!, value[row]!);
    }
  }
  if (weighting_func !== undefined || valueValid !== null) blankMissing(weighted, columns);
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
  const { weight, at } = weightsOfRows(columns, weights);
  const weighted = weightSeries(columns, weights, weighting_func);
  const { period, start_date, end_date } = indexPeriods(columns.start_date, columns.end_date);
  const value = new Float64Array(end_date.length);
  const weight_present = new Float64Array(end_date.length);
  for (let row = 0; row < weighted.length; row++) {
    if (Number.isNaN(weighted[row]!)) continue;
    value[period[row]!]! += weighted[row]!;
    weight_present[period[row]!]! += weight[at[row]!]!;
  }
  finishAverage(value, weight_present, renormalise);
  return { start_date, end_date, value, weight_present };
}

/** A missing period becomes NaN; the others are divided by the weight at hand where that is wanted. */
export function finishAverage(value: Float64Array, weightPresent: Float64Array, renormalise: boolean): void {
  for (let i = 0; i < value.length; i++) {
    if (weightPresent[i] === 0) value[i] = Number.NaN;
    else if (renormalise) value[i]! /= weightPresent[i]!;
  }
}

/** Row `i` weighs `weight[at[i]]`. */
interface RowWeights {
  readonly weight: Float64Array;
  readonly at: Uint32Array;
}

function weightsOfRows(columns: RegionColumns, weights: SeriesWeights): RowWeights {
  if ('weights' in weights) {
    checkRegions(columns.region, weights.weights.length);
    return { weight: Float64Array.from(weights.weights), at: columns.region };
  }
  const years = [...weights.keys()];
  const regionCount = weights.get(years[0]!)?.weights.length ?? 0;
  checkRegions(columns.region, regionCount);
  const weight = Float64Array.from(years.flatMap((year) => weights.get(year)!.weights));
  const at = columns.region.map((region, row) => {
    const year = new Date(Number(columns.start_date[row])).getUTCFullYear();
    const position = years.indexOf(year);
    if (position < 0) throw noWeights(year, years);
    return position * regionCount + region;
  });
  return { weight, at };
}

function checkRegions(region: Uint32Array, regionCount: number): void {
  for (let row = 0; row < region.length; row++) {
    if (region[row]! < regionCount) continue;
    throw new ArgumentError(
      'columns',
      `row ${row} belongs to region ${region[row]} of ${regionCount}; weigh every region of the columns`,
    );
  }
}

function noWeights(year: number, years: readonly number[]): ArgumentError {
  return new ArgumentError(
    'weights',
    `there are no weights of ${year} (there are of ${years.join(', ')}); narrow the series, or weigh by the mean over time`,
  );
}

function hasValue({ value, valueValid }: RegionColumns, row: number): boolean {
  return isValid(valueValid, row) && !Number.isNaN(value[row]!);
}

function blankMissing(weighted: Float64Array, columns: RegionColumns): void {
  for (let row = 0; row < weighted.length; row++) if (!hasValue(columns, row)) weighted[row] = Number.NaN;
}
