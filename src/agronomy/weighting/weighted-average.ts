import { isValid } from '../../columns/bitmap.js';
import { readEpochs } from '../../columns/series-dates.js';
import { PeriodList } from '../../compute/period-list.js';
import { checkFlag, checkFunction, checkShare } from '../../model/arguments/checks.js';
import { checkOptions, type OptionKeys } from '../../model/arguments/option-keys.js';
import {
  type RowWeights,
  type SeriesWeights,
  type WeightingFunction,
  weightOfRow,
  weightsOfRows,
} from './weighted-series.js';
import { type RegionColumns, requireEqualLengths } from './weights.js';

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

/** The keys of `WeightedAverageOptions`. */
export const AVERAGE_KEYS: OptionKeys<WeightedAverageOptions> = {
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
  const least = options.min_weight_present ?? (renormalise ? MIN_WEIGHT_PRESENT : 0);
  const periods = sumPeriods(columns, weightsOfRows(columns, weights), weighting_func ?? product).sorted();
  return {
    start_date: BigInt64Array.from(periods, ({ start }) => BigInt(start)),
    end_date: BigInt64Array.from(periods, ({ end }) => BigInt(end)),
    value: Float64Array.from(periods, ({ sum, weight }) => {
      if (weight === 0 || weight < least - ROUNDING) return Number.NaN;
      return renormalise ? sum / weight : sum;
    }),
    weight_present: Float64Array.from(periods, ({ weight }) =>
      Math.abs(weight - 1) < ROUNDING ? 1 : weight,
    ),
  };
}

/** Rounding of weights that sum to the least weight. */
const ROUNDING = 1e-9;

function product(weight: number, value: number): number {
  return weight * value;
}

/** The sum of the weighted values of each period, and the weight of the regions that have one. */
function sumPeriods(columns: RegionColumns, rows: RowWeights, weighting_func: WeightingFunction) {
  const { value: values, value_valid } = columns;
  const [starts, ends] = [readEpochs(columns.start_date), readEpochs(columns.end_date)];
  const periods = new PeriodList((start, end) => ({ start, end, sum: 0, weight: 0 }));
  for (let row = 0; row < values.length; row++) {
    const period = periods.find(starts[row]!, ends[row]!);
    const weight = weightOfRow(rows, row);
    const value = values[row]!;
    if (Number.isNaN(weight) || Number.isNaN(value) || !isValid(value_valid, row)) continue;
    period.sum += weighting_func(weight, value);
    period.weight += weight;
  }
  return periods;
}
