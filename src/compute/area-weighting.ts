import { availableAt, endAt, type PackedPoints, valueAt } from '../columns/packed-points.js';
import { dateAt } from '../columns/series-dates.js';
import { PeriodList } from './period-list.js';

/** How weighted values are put together: their sum, or their sum divided by the weights that take part. */
export type WeightingMethod = 'sum' | 'normalize';

/** One period of a weighted series. */
interface WeightedPeriod {
  /** First moment of the period, UTC milliseconds. */
  readonly startMs: number;
  /** Last moment of the period, UTC milliseconds. */
  readonly endMs: number;
  /** Null where the rule gives none. */
  readonly value: number | null;
  /** Share of the total weight, 0 to 1, whose regions have a value. */
  readonly weightPresent: number;
  /** When the last of the values became available, UTC milliseconds; null without a value. */
  readonly availableMs: number | null;
}

/** The means over time of each region's values; nulls are skipped. */
export class RegionMeans {
  readonly #sums: Float64Array;
  readonly #counts: Uint32Array;

  constructor(regionCount: number) {
    this.#sums = new Float64Array(regionCount);
    this.#counts = new Uint32Array(regionCount);
  }

  /** Adds points; `regionOf` gives the region of each series by position. */
  add(run: PackedPoints, regionOf: readonly number[]): void {
    const region = regionOf[run.series]!;
    for (let i = 0; i < run.length; i++) {
      const value = valueAt(run, i) ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      this.#sums[region]! += value;
      this.#counts[region]!++;
    }
  }

  /** NaN for a region without a value. */
  means(): Float64Array {
    return this.#sums.map((sum, region) => sum / this.#counts[region]!);
  }
}

/**
 * Sums value × weight over regions, period by period. Regions of weight 0 do not take part. With `sum` a period has a
 * value only where every other region has one, since a sum without one of them would pass for the whole. With
 * `normalize` the sum is divided by the weights of the regions that have a value.
 */
export class WeightedPeriods {
  readonly #weights: Float64Array;
  readonly #method: WeightingMethod;
  readonly #periods = new PeriodList((start, end) => ({
    start,
    end,
    sum: 0,
    weight: 0,
    regions: 0,
    availableMs: 0,
  }));

  /** @param weights a weight a region, none negative */
  constructor(weights: Float64Array, method: WeightingMethod) {
    this.#weights = weights;
    this.#method = method;
  }

  /** Adds points, at most one a region and period; `regionOf` gives the region of each series by position. */
  add(run: PackedPoints, regionOf: readonly number[]): void {
    const weight = this.#weights[regionOf[run.series]!]!;
    if (weight === 0) return;
    for (let i = 0; i < run.length; i++) {
      const period = this.#periods.find(dateAt(run.start_date, i), endAt(run, i));
      const value = valueAt(run, i) ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      period.sum += weight * value;
      period.weight += weight;
      period.regions++;
      period.availableMs = Math.max(period.availableMs, availableAt(run, i));
    }
  }

  /** By end and then start. */
  periods(): WeightedPeriod[] {
    const total = this.#weights.reduce((sum, weight) => sum + weight, 0);
    const count = this.#weights.filter((weight) => weight !== 0).length;
    return this.#periods.sorted().map(({ start, end, sum, weight, regions, availableMs }) => ({
      startMs: start,
      endMs: end,
      value: this.#valueOf({ sum, weight, isWhole: regions === count }),
      weightPresent: regions === count ? 1 : weight / total,
      availableMs: regions === 0 ? null : availableMs,
    }));
  }

  #valueOf({ sum, weight, isWhole }: { sum: number; weight: number; isWhole: boolean }): number | null {
    if (this.#method === 'sum') return isWhole ? sum : null;
    return weight === 0 ? null : sum / weight;
  }
}
