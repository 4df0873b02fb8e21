import type { PackedPoints } from '../columns/packed-points.js';
import { dateAt } from '../columns/series-dates.js';
import { PeriodList } from './period-list.js';

/** The values of one region. There is at most one value per period. */
export interface RegionRun extends Pick<PackedPoints, 'start_date' | 'end_date'> {
  /** The zero-based index of the region. */
  readonly region: number;
  /** One value per period; NaN if missing. */
  readonly value: Float64Array;
  /** When each value became available, in UTC milliseconds. A single number applies to all values. NaN if unknown. */
  readonly available_date?: number | Float64Array | undefined;
  /** The source's remarks on each value as JSON, or null. */
  readonly remarks?: readonly (string | null)[] | undefined;
}

export function regionRun(run: PackedPoints, region: number): RegionRun {
  const { start_date, end_date, available_date } = run;
  return { region, start_date, end_date, value: run.value.subarray(0, run.length), available_date };
}

export class RegionMeans {
  readonly #sums: Float64Array;
  readonly #counts: Uint32Array;

  constructor(regionCount: number) {
    this.#sums = new Float64Array(regionCount);
    this.#counts = new Uint32Array(regionCount);
  }

  /** Adds a value, unless the value is NaN. */
  add(region: number, value: number): void {
    if (Number.isNaN(value)) return;
    this.#sums[region]! += value;
    this.#counts[region]!++;
  }

  /** Returns the mean for each region, or NaN for a region without values. */
  means(): Float64Array {
    return this.#sums.map((sum, region) => sum / this.#counts[region]!);
  }
}

/** Combines a region's weight with a value. The default is weight × value. */
export type WeightingFunction = (weight: number, value: number) => number;

/** The rule for combining the values of several regions into one value. */
export interface WeightingRule {
  /** `sum` adds up weight × value. `mean` divides that sum by the total weight of the regions that have a value. */
  readonly how: 'sum' | 'mean';
  /** The minimum share (0 to 1) of the weight held by regions with a value (default 1). Below it, the result is NaN. */
  readonly min_weight_present?: number | undefined;
  /** How to combine a weight with a value. The default is weight × value. */
  readonly weighting_func?: WeightingFunction | undefined;
}

/** The default for `min_weight_present`. It requires a value for every region, so that results are never partial. */
export const MIN_WEIGHT_PRESENT = 1;

/** The weights of regions, all in the same unit. */
export interface WeightsOfRegions {
  /** Returns a region's weight in the period that starts at `startMs`, or NaN if there is none. */
  readonly of: (region: number, startMs: number) => number;
  readonly varies: boolean;
  readonly total: number;
}

export interface WeightedPeriod {
  /** The first day of the period, in UTC milliseconds. */
  readonly start: number;
  /** The last day of the period, in UTC milliseconds. */
  readonly end: number;
  /** The combined value; NaN if the regions that have a value account for too little of the total weight. */
  readonly value: number;
  /** The share of the total weight that belongs to regions with a value; 1 if no region is missing. */
  readonly weight_present: number;
  /** When the last of the combined values became available, in UTC milliseconds; NaN if any is unknown. */
  readonly available: number;
  readonly remarks: ReadonlySet<string | null>;
}

/** The rounding tolerance for sums of weights, as a share of the total weight. */
const ROUNDING = 1e-9;

interface OpenPeriod extends Pick<WeightedPeriod, 'start' | 'end'> {
  sum: number;
  weight: number;
  available: number;
  readonly remarks: Set<string | null>;
  /** The regions that have a value. Null if there are no combined regions, because only these require the set. */
  readonly regions: Set<number> | null;
}

/** Combines values by period into weighted means or sums. A region with no value or no weight counts as missing. */
export class WeightedPeriods {
  readonly #weights: WeightsOfRegions;
  readonly #rule: WeightingRule;
  readonly #rests: ReadonlyMap<number, readonly number[]>;
  readonly #periods: PeriodList<OpenPeriod>;

  /**
   * @param rests combined regions, such as NASS's "Other counties", each with the regions that it may include. If a
   *   combined region has a value, the regions that it may include do not count as missing
   */
  constructor(
    weights: WeightsOfRegions,
    rule: WeightingRule,
    rests: ReadonlyMap<number, readonly number[]> = new Map(),
  ) {
    this.#weights = weights;
    this.#rule = rule;
    this.#rests = rests;
    this.#periods = new PeriodList((start, end) => {
      const regions = rests.size === 0 ? null : new Set<number>();
      const available = Number.NEGATIVE_INFINITY;
      return { start, end, sum: 0, weight: 0, available, remarks: new Set(), regions };
    });
  }

  add({ region, start_date, end_date, value, available_date, remarks }: RegionRun): void {
    const { weighting_func } = this.#rule;
    const ends = end_date ?? start_date;
    for (let i = 0; i < value.length; i++) {
      const start = dateAt(start_date, i);
      const period = this.#periods.find(start, dateAt(ends, i));
      if (remarks !== undefined) period.remarks.add(remarks[i]!);
      const own = value[i]!;
      const weight = this.#weights.of(region, start);
      if (Number.isNaN(own) || Number.isNaN(weight)) continue;
      period.sum += weighting_func === undefined ? weight * own : weighting_func(weight, own);
      period.weight += weight;
      period.regions?.add(region);
      const available = typeof available_date === 'object' ? available_date[i]! : available_date;
      period.available = Math.max(period.available, available ?? Number.NaN);
    }
  }

  periods(): WeightedPeriod[] {
    const { how, min_weight_present = MIN_WEIGHT_PRESENT } = this.#rule;
    return this.#periods.sorted().map((period) => {
      const weight = period.weight + this.#coveredWeight(period);
      const share = weight / this.#weights.total;
      const weight_present = Math.abs(share - 1) < ROUNDING ? 1 : share;
      const isKnown = weight > 0 && weight_present >= min_weight_present - ROUNDING;
      const value = how === 'sum' ? period.sum : period.sum / weight;
      const { start, end, remarks } = period;
      const available = Number.isFinite(period.available) ? period.available : Number.NaN;
      return { start, end, value: isKnown ? value : Number.NaN, weight_present, available, remarks };
    });
  }

  /** Returns the weight of regions without a value that may be included in the value of a combined region. */
  #coveredWeight({ regions, start }: OpenPeriod): number {
    if (regions === null) return 0;
    const covered = new Set([...this.#rests].flatMap(([rest, others]) => (regions.has(rest) ? others : [])));
    let weight = 0;
    for (const other of covered) if (!regions.has(other)) weight += this.#weights.of(other, start);
    return weight;
  }
}

/** Weights one region's values, row by row. A result is NaN if the row has no value or the region has no weight. */
export function weightRun(
  { region, start_date, value }: Pick<RegionRun, 'region' | 'start_date' | 'value'>,
  weights: Omit<WeightsOfRegions, 'total'>,
  weighting_func: WeightingFunction | undefined,
): Float64Array {
  const weighted = new Float64Array(value.length);
  if (weighting_func === undefined && !weights.varies) {
    // The loop takes a third of the time if it calls no functions.
    const weight = weights.of(region, 0);
    for (let i = 0; i < value.length; i++) weighted[i] = weight * value[i]!;
    return weighted;
  }
  for (let i = 0; i < value.length; i++) {
    const weight = weights.of(region, dateAt(start_date, i));
    const own = value[i]!;
    if (Number.isNaN(weight) || Number.isNaN(own)) weighted[i] = Number.NaN;
    else weighted[i] = weighting_func === undefined ? weight * own : weighting_func(weight, own);
  }
  return weighted;
}
