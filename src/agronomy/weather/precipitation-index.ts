import { gammaln } from 'simple-statistics';
import { badArgument } from '../../model/errors.js';
import { checkOptions, type OptionsOf } from '../../model/schema/check.js';
import { integer } from '../../model/schema/schemas.js';

const INDEX_KEYS = {
  /** The number of months to sum, ending with the month that the index is for (default 3). */
  months: integer({ min: 1, max: 48 }),
  /** The minimum number of years with data for a calendar month (default 20). With fewer, the index is NaN. */
  min_years: integer({ min: 3 }),
};
/** Options for the precipitation index. */
export interface PrecipitationIndexOptions extends OptionsOf<typeof INDEX_KEYS> {}

/** The largest magnitude of the index. Beyond it, the fitted distribution is not meaningful (WMO-No. 1090). */
const MAX_INDEX = 3.09;

/**
 * Computes the standardised precipitation index of each month (McKee, Doesken and Kleist 1993). The index says by how
 * many standard deviations the rainfall summed over `months` months departs from normal for that calendar month: 0 is
 * the median, and −2 is extremely dry. For each calendar month, a gamma distribution is fitted to the sums above zero
 * using Thom's (1958) approximation of maximum likelihood. The probability of a zero sum is the share of zero sums.
 * Results are clamped to ±3.09.
 * @param rain monthly totals, one for each consecutive month; NaN if missing, which makes every index that uses it NaN
 * @throws ArgumentError if a total is negative
 */
export function standardisedPrecipitationIndex(
  rain: Float64Array,
  options: PrecipitationIndexOptions = {},
): Float64Array {
  checkOptions(options, INDEX_KEYS, 'standardisedPrecipitationIndex');
  const { months = 3, min_years = 20 } = options;
  const negative = rain.findIndex((sum) => sum < 0);
  if (negative >= 0) {
    throw badArgument('rain', `month ${negative} has ${rain[negative]}; rainfall cannot be negative`);
  }
  const sums = trailingSums(rain, months);
  const index = new Float64Array(rain.length).fill(Number.NaN);
  for (let month = 0; month < 12; month++) {
    const years = sums.filter((_, i) => i % 12 === month);
    const probability = fitDistribution(
      years.filter((sum) => !Number.isNaN(sum)),
      min_years,
    );
    if (probability === null) continue;
    for (let i = month; i < sums.length; i += 12) index[i] = normalQuantile(probability(sums[i]!));
  }
  return index;
}

function trailingSums(rain: Float64Array, months: number): Float64Array {
  return rain.map((_, i) => {
    if (i < months - 1) return Number.NaN;
    return rain.subarray(i - months + 1, i + 1).reduce((sum, value) => sum + value, 0);
  });
}

/** Returns the distribution function of the sums; null if there are too few years or all positive sums are equal. */
function fitDistribution(sums: Float64Array, minYears: number): ((sum: number) => number) | null {
  const wet = sums.filter((sum) => sum > 0);
  if (sums.length < minYears || wet.length < 2) return null;
  const mean = wet.reduce((total, sum) => total + sum, 0) / wet.length;
  const logMean = wet.reduce((total, sum) => total + Math.log(sum), 0) / wet.length;
  const a = Math.log(mean) - logMean;
  if (!(a > 1e-12)) return null;
  const shape = (1 + Math.sqrt(1 + (4 * a) / 3)) / (4 * a);
  const scale = mean / shape;
  const dry = 1 - wet.length / sums.length;
  return (sum) => (Number.isNaN(sum) ? Number.NaN : dry + (1 - dry) * lowerGamma(shape, sum / scale));
}

/** Computes a quantile of the standard normal distribution by bisection, clamped to ±`MAX_INDEX`. */
function normalQuantile(p: number): number {
  if (Number.isNaN(p)) return Number.NaN;
  let [low, high] = [-MAX_INDEX, MAX_INDEX];
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2;
    const below = (1 + Math.sign(middle) * lowerGamma(0.5, (middle * middle) / 2)) / 2;
    if (below < p) low = middle;
    else high = middle;
  }
  return high;
}

/** Each bisection halves an interval that is 6.18 wide at first, so 40 of them determine a quantile to 6e-12. */
const BISECTIONS = 40;

const PRECISION = 1e-16;

/** Computes the regularised lower incomplete gamma function P(a, x) for a > 0 and x ≥ 0 by its series (DLMF 8.11.4). */
export function lowerGamma(a: number, x: number): number {
  if (x <= 0) return 0;
  let term = Math.exp(a * Math.log(x) - x - gammaln(a)) / a;
  let sum = term;
  // If x is far above a, the first term underflows to 0.
  if (sum === 0) return x > a ? 1 : 0;
  for (let n = 1; term > sum * PRECISION; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return Math.min(1, sum);
}
