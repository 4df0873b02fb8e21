import { dateAt } from '../../columns/series-dates.js';
import { RegionMeans, type RegionRun, type WeightsOfRegions } from '../../compute/weighting.js';
import { yearOf } from '../../model/calendar.js';
import type { MatchedName } from '../../model/entity.js';
import { badArgument } from '../../model/errors.js';
import { getOrCompute } from '../../model/grouping.js';
import { fieldsOf, type OptionsOf, required } from '../../model/schema/check.js';
import { FINITE, ID, listOf } from '../../model/schema/schemas.js';
import { utcDay } from '../../model/time.js';

/** A region to be weighted. */
export interface WeightedRegion {
  /** The region's id. */
  readonly id: number;
  /** The region's name. */
  readonly name: string;
  /** How the name was matched. Set if the region is a guess, or if other places share the name. */
  readonly matched?: MatchedName | undefined;
}

const REGION_WEIGHT = {
  /** The region's id. */
  id: required(ID),
  /** The region's weight. The weights need not sum to 1. */
  weight: required(FINITE),
};
/** The weight of one region. */
export interface RegionWeight extends OptionsOf<typeof REGION_WEIGHT> {}

export const WEIGHTS = listOf(fieldsOf<RegionWeight>(REGION_WEIGHT));

/** The weights of several regions, in the order of the regions. */
export interface RegionWeights {
  /** One share per region. The shares sum to 1, or to less if some are missing in a year (NaN). */
  readonly weights: number[];
  /** Regions with no value. Their weight is 0, or NaN if only this year's value is missing. */
  readonly without_data: readonly WeightedRegion[];
}

/** One set of weights for all dates, or one for each calendar year. */
export type SeriesWeights = RegionWeights | ReadonlyMap<number, RegionWeights>;

/** A run of a region's values, from which weights are computed. `region` is the index of the region. */
type WeightingRun = Pick<RegionRun, 'region' | 'start_date' | 'value'>;

/** Averages each region's values over time, and normalises the means to sum to 1. Missing values are skipped. */
export function weightsFromMeans(
  runs: readonly WeightingRun[],
  regions: readonly WeightedRegion[],
): RegionWeights {
  const means = meansOf(runs, regions);
  return {
    weights: divideBy(requireTotal(means, regions), means),
    without_data: regionsWithout(means, regions),
  };
}

/**
 * Computes weights for each calendar year from that year's means. A period belongs to the year in which it starts: a
 * marketing year that starts in September 2012 belongs to 2012. If a region has values in other years but not in this
 * one, its weight is NaN rather than 0. Its mean over all years still counts toward the total, so the weights of the
 * other regions sum to less than 1. A region with no values at all has weight 0 in every year. If a year's means sum to
 * 0, all of its weights are NaN.
 * @param rests combined regions, such as NASS's "Other counties", each id mapped to the ids of its parts. A combined
 *   region never counts as missing, and neither do its parts in a year for which it has a value.
 * @throws ArgumentError if the means over all years sum to 0
 */
export function weightsByYear(
  runs: readonly WeightingRun[],
  regions: readonly WeightedRegion[],
  rests: ReadonlyMap<number, ReadonlySet<number>> = new Map(),
): ReadonlyMap<number, RegionWeights> {
  const overall = meansOf(runs, regions);
  requireTotal(overall, regions);
  return new Map(
    meansOfYears(runs, regions).map(([year, means]) => {
      const isKnown = (region: number) => !Number.isNaN(means[region]!);
      const present = regions.flatMap(({ id }, region) => (isKnown(region) ? (rests.get(id) ?? []) : []));
      const isMissing = ({ id }: WeightedRegion, region: number) =>
        !rests.has(id) &&
        !isKnown(region) &&
        !Number.isNaN(overall[region]!) &&
        !present.some((parts) => parts.has(id));
      const missing = regions.map(isMissing);
      const known = sumKnown(means);
      const total = missing.reduce((sum, is, region) => (is ? sum + overall[region]! : sum), known);
      const shares = divideBy(known === 0 ? Number.NaN : total, means);
      const weights = shares.map((share, region) => (missing[region] ? Number.NaN : share));
      return [year, { weights, without_data: regionsWithout(means, regions) }];
    }),
  );
}

/** Replaces values with the region's mean (1 if the means sum to 0), so that only missing values change the weights. */
export function usualValues(
  runs: readonly WeightingRun[],
  regions: readonly WeightedRegion[],
): WeightingRun[] {
  const means = meansOf(runs, regions);
  const isEmpty = sumKnown(means) === 0;
  return runs.map((run) => ({
    ...run,
    value: run.value.map((one) => (Number.isNaN(one) ? one : isEmpty ? 1 : means[run.region]!)),
  }));
}

export function constantWeights(weights: ReadonlyMap<number, number>): WeightsOfRegions {
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return { of: (region) => weights.get(region) ?? 0, varies: false, total };
}

/**
 * Returns a lookup of weights by region index. A year's weights apply to the periods that start in that year. Looking
 * up a weight throws an ArgumentError if its year has no weights.
 */
export function weightsOfPositions(weights: SeriesWeights): WeightsOfRegions {
  if ('weights' in weights) return constantWeights(new Map(weights.weights.entries()));
  let [from, to, shares]: [number, number, readonly number[]] = [0, 0, []];
  const of = (region: number, startMs: number): number => {
    if (startMs < from || startMs >= to) {
      const year = yearOf(startMs);
      [from, to, shares] = [utcDay(year, 1, 1), utcDay(year + 1, 1, 1), requireYear(weights, year)];
    }
    return shares[region]!;
  };
  return { of, varies: true, total: 1 };
}

function requireYear(weights: ReadonlyMap<number, RegionWeights>, year: number): readonly number[] {
  const found = weights.get(year);
  if (found !== undefined) return found.weights;
  throw badArgument(
    'weights',
    `there are no weights for ${year}, only for ${[...weights.keys()].join(', ')}; restrict the series to those years, or weight by the mean over time`,
  );
}

export function readWeights(weights: readonly RegionWeight[]): ReadonlyMap<number, number> {
  const byRegion = new Map<number, number>();
  for (const { id, weight } of weights) byRegion.set(id, (byRegion.get(id) ?? 0) + weight);
  if (weights.every(({ weight }) => weight >= 0) && weights.some(({ weight }) => weight > 0)) return byRegion;
  throw badArgument('weights', 'no weight may be negative, and at least one must be above 0');
}

function meansOf(runs: readonly WeightingRun[], regions: readonly WeightedRegion[]): Float64Array {
  const means = new RegionMeans(regions.length);
  for (const { region, value } of runs) for (const one of value) means.add(region, one);
  return means.means();
}

function meansOfYears(
  runs: readonly WeightingRun[],
  regions: readonly WeightedRegion[],
): [year: number, means: Float64Array][] {
  const years = new Map<number, RegionMeans>();
  for (const { region, start_date, value } of runs)
    value.forEach((one, row) => {
      const year = yearOf(dateAt(start_date, row));
      getOrCompute(years, year, () => new RegionMeans(regions.length)).add(region, one);
    });
  return [...years].sort(([a], [b]) => a - b).map(([year, means]) => [year, means.means()]);
}

function sumKnown(means: Float64Array): number {
  return means.reduce((sum, mean) => sum + (Number.isNaN(mean) ? 0 : mean), 0);
}

/** Divides each mean by a total. A region with no data gets weight 0. If the total is NaN, all weights are NaN. */
function divideBy(total: number, means: Float64Array): number[] {
  return Array.from(means, (mean) => (Number.isNaN(mean) ? 0 : mean) / total);
}

function regionsWithout(means: Float64Array, regions: readonly WeightedRegion[]): WeightedRegion[] {
  return regions.filter((_, position) => Number.isNaN(means[position]!));
}

function requireTotal(means: Float64Array, regions: readonly WeightedRegion[]): number {
  const total = sumKnown(means);
  if (total !== 0) return total;
  const without = regionsWithout(means, regions).map(({ name }) => name);
  const cause = without.length === 0 ? 'every mean is 0' : `without data: ${without.join(', ')}`;
  throw badArgument(
    'regions',
    `the weights of ${regions.length} regions sum to 0 (${cause}); choose a crop, metric or regions that have data`,
  );
}
