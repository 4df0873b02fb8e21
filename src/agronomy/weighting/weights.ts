import { isValid } from '../../columns/bitmap.js';
import { checkDate } from '../../model/arguments/checks.js';
import { checkOptions } from '../../model/arguments/option-keys.js';
import { yearOf } from '../../model/calendar.js';
import type { MatchedName } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import { parseTime } from '../../model/time.js';

/** @throws ArgumentError when columns differ in length */
export function requireEqualLengths(columns: RegionColumns): void {
  for (const name of ['start_date', 'end_date', 'value'] as const) {
    if (columns[name].length === columns.region.length) continue;
    throw new ArgumentError(
      'columns',
      `columns.${name}: it has ${columns[name].length} rows, and region ${columns.region.length}`,
    );
  }
}

/** A region in a weighting. */
export interface WeightedRegion {
  /** Id of the region. */
  readonly id: number;
  /** Name of the region. */
  readonly name: string;
  /** The region that replaced the name, if that is a guess or other places have the name too. */
  readonly matched?: MatchedName | undefined;
}

/** Values of many regions as columns, one row for each period of a region; all in one unit. */
export interface RegionColumns {
  /** Position of the row's region in the list of regions, from 0. */
  readonly region: Uint32Array;
  /** First moment of the row's period, UTC milliseconds. */
  readonly start_date: BigInt64Array;
  /** Last moment of the row's period, UTC milliseconds. */
  readonly end_date: BigInt64Array;
  /** The values; NaN counts as missing. */
  readonly value: Float64Array;
  /** Validity bitmap; null when every row has a value. NaN is also missing. */
  readonly value_valid: Uint8Array | null;
}

/** Weights in the order of the regions. */
export interface RegionWeights {
  /** One share a region, summing to 1; of a year, NaN where the weight is missing, and summing to the share of the others. */
  readonly weights: number[];
  /** Regions without a value; their weight is 0, or NaN where it is missing in this year only. */
  readonly without_data: readonly WeightedRegion[];
}

/** The period whose mean is the weight. */
export interface WeightOptions {
  /** Only periods that end on or after this date. */
  start_date?: string | undefined;
  /** Only periods that start on or before this date. */
  end_date?: string | undefined;
}

/**
 * Weights by the mean over time of each region's values, normalised to sum to 1. Nulls are skipped: a region's mean is
 * over the periods with values. `start_date` and `end_date` restrict the periods.
 * @throws ArgumentError when the means sum to 0, or a row's region is not in the list
 */
export function weightsFromMeans(
  columns: RegionColumns,
  regions: readonly WeightedRegion[],
  options: WeightOptions = {},
): RegionWeights {
  requireEqualLengths(columns);
  checkOptions(options, { start_date: checkDate, end_date: checkDate }, 'weightsFromMeans');
  const from = options.start_date === undefined ? null : BigInt(parseTime(options.start_date, 'start_date'));
  const to = options.end_date === undefined ? null : BigInt(parseTime(options.end_date, 'end_date'));
  const means = regionMeans(columns, regions.length, (row) => {
    return (
      (from === null || columns.end_date[row]! >= from) && (to === null || columns.start_date[row]! <= to)
    );
  });
  return normaliseWeights(means, regions);
}

/**
 * Computes weights for each calendar year in which a period starts, from the means of that year. A marketing year that
 * starts in September 2012 belongs to 2012. If a region has values in other years only, its weight in this year is NaN
 * rather than 0. Its mean over all years still counts toward the total, so the weights of the other regions sum to less
 * than 1. A region without any value has weight 0 in every year. If the means of a year sum to 0, every weight is NaN.
 * @param rests the regions that combine other regions, such as NASS's "Other counties", as the ids of their parts by
 *   the id of the combined region. A combined region is never missing. Its parts are not missing in a year for which it
 *   has a value.
 * @throws ArgumentError when the means of every year sum to 0, or a row's region is not in the list
 */
export function weightsByYear(
  columns: RegionColumns,
  regions: readonly WeightedRegion[],
  rests: ReadonlyMap<number, ReadonlySet<number>> = new Map(),
): ReadonlyMap<number, RegionWeights> {
  requireEqualLengths(columns);
  const years = Int32Array.from(columns.start_date, (ms) => yearOf(Number(ms)));
  const inOrder = [...new Set(years)].sort((a, b) => a - b);
  const overall = regionMeans(columns, regions.length, () => true);
  requireTotal(overall, regions);
  const placed = regions.map(({ id }, region) => ({ id, region, members: rests.get(id) }));
  return new Map(
    inOrder.map((year) => {
      const means = regionMeans(columns, regions.length, (row) => years[row] === year);
      const isKnown = (region: number) => !Number.isNaN(means[region]!);
      const present = placed.filter(({ members, region }) => members !== undefined && isKnown(region));
      const missing = placed.filter(
        ({ id, region, members }) =>
          members === undefined &&
          !isKnown(region) &&
          !Number.isNaN(overall[region]!) &&
          !present.some((rest) => rest.members?.has(id)),
      );
      const known = sumKnown(means);
      const total = missing.reduce((sum, { region }) => sum + overall[region]!, known);
      const weights = divideBy(known === 0 ? Number.NaN : total, means);
      for (const { region } of missing) weights[region] = Number.NaN;
      return [year, { weights, without_data: regionsWithout(means, regions) }];
    }),
  );
}

/** Replaces each value by its region's mean over all rows, or by 1 if all means are 0, so that only its presence counts. */
export function usualValues(columns: RegionColumns, regions: readonly WeightedRegion[]): RegionColumns {
  const means = regionMeans(columns, regions.length, () => true);
  const isEmpty = sumKnown(means) === 0;
  const value = columns.value.map((one, row) => {
    if (Number.isNaN(one) || !isValid(columns.value_valid, row)) return Number.NaN;
    return isEmpty ? 1 : means[columns.region[row]!]!;
  });
  return { ...columns, value };
}

function sumKnown(means: Float64Array): number {
  return means.reduce((sum, mean) => sum + (Number.isNaN(mean) ? 0 : mean), 0);
}

/**
 * The mean of each region's values over the selected rows; NaN for a region without a value.
 * @throws ArgumentError when a row's region is not in the list
 */
function regionMeans(
  { region, value, value_valid }: RegionColumns,
  regionCount: number,
  isSelected: (row: number) => boolean,
): Float64Array {
  const sums = new Float64Array(regionCount);
  const counts = new Uint32Array(regionCount);
  for (let row = 0; row < region.length; row++) {
    const position = region[row]!;
    if (position >= regionCount) throw noSuchRegion(row, position, regionCount);
    if (!isValid(value_valid, row) || Number.isNaN(value[row]!) || !isSelected(row)) continue;
    sums[position]! += value[row]!;
    counts[position]!++;
  }
  return sums.map((sum, position) => sum / counts[position]!);
}

/** Divides the means by their total. @throws ArgumentError when the total is 0 */
function normaliseWeights(means: Float64Array, regions: readonly WeightedRegion[]): RegionWeights {
  const total = requireTotal(means, regions);
  return { weights: divideBy(total, means), without_data: regionsWithout(means, regions) };
}

/** Divides each mean by a total. The weight of a region without data is 0, unless the total is NaN. */
function divideBy(total: number, means: Float64Array): number[] {
  return Array.from(means, (mean) => (Number.isNaN(mean) ? 0 : mean) / total);
}

function regionsWithout(means: Float64Array, regions: readonly WeightedRegion[]): WeightedRegion[] {
  return regions.filter((_, position) => Number.isNaN(means[position]!));
}

/** Returns the sum of the means. @throws ArgumentError when it is 0 */
function requireTotal(means: Float64Array, regions: readonly WeightedRegion[]): number {
  const total = sumKnown(means);
  if (total !== 0) return total;
  const without = regionsWithout(means, regions).map(({ name }) => name);
  const cause = without.length === 0 ? 'every mean is 0' : `without data: ${without.join(', ')}`;
  throw new ArgumentError(
    'regions',
    `the weights of ${regions.length} regions sum to 0 (${cause}); choose a crop, metric or regions that have data`,
  );
}

/** The error of a row whose region is not in the list of regions, or has no weight. */
export function noSuchRegion(row: number, position: number, regionCount: number): ArgumentError {
  return new ArgumentError(
    'columns',
    `row ${row} belongs to region ${position} of ${regionCount}; pass positions in the list of regions, from 0, and a weight for every region`,
  );
}
