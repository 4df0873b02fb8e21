import * as v from 'valibot';
import type { ServiceClient } from '../../client/client.js';
import type { Explained } from '../../client/discovery/find-series.js';
import type { FoundSeries } from '../../client/discovery/resolution.js';
import { requireExact } from '../../client/resolve.js';
import type { MatchedName } from '../../model/entity.js';
import { badArgument, CoverageError } from '../../model/errors.js';
import { LONG_OPERATION, type LongOperation } from '../../model/progress.js';
import { fieldsOf, type OptionsOf, required } from '../../model/schema/check.js';
import { FIELDS } from '../../model/schema/fields.js';
import { type ArgumentsOf, mandatory, promise } from '../../model/schema/operation.js';
import { ID, listOf, TEXT, withMeaning } from '../../model/schema/schemas.js';
import type { DataSeries, SeriesKey } from '../../model/series.js';
import { DAY_MS, formatDay, parseTime, startOfDay } from '../../model/time.js';
import type { DaySpan } from '../degree-days/daily-values.js';
import { computeDegreeDays, type DegreeDays } from '../degree-days/degree-days.js';
import { MISSING_DAYS } from '../degree-days/missing-days.js';
import { GROWING_FIELDS } from '../degree-days/plan.js';
import {
  fetchTemperatures,
  findTemperatures,
  type RegionTemperatures,
  type TemperaturePair,
} from './temperature-series.js';

const GROWING = {
  /** How to count days that are missing either temperature; default `'zero'`. */
  missing: withMeaning('how days without both temperatures count', MISSING_DAYS),
  /** Whether to return daily values, the coverage and the rule instead of only the total; default false. */
  explain: FIELDS.explain,
};
/**
 * The rule, interval and required coverage of a degree-day sum. The `double-…` methods also use the minimum of the day
 * after the interval.
 */
export interface GrowingOptions
  extends LongOperation,
    OptionsOf<typeof GROWING_FIELDS>,
    OptionsOf<typeof GROWING> {}

/** Options for the degree-day sum of one region. */
export interface RegionGrowingOptions extends GrowingOptions {
  /** The name of the region. */
  region_name: string;
}

/** Options for the degree-day sums of several regions. */
export interface RegionsGrowingOptions extends GrowingOptions {
  /** The names of the regions. */
  region_name: readonly string[];
}

const DAILY_SERIES = required(
  fieldsOf<SeriesKey>({
    metric_id: required(ID),
    item_id: required(ID),
    region_id: required(ID),
    source_id: required(ID),
    frequency_id: required(ID),
  }),
);
const COMPUTE_GDD = {
  /** Daily minimum temperatures. */
  tmin_series: DAILY_SERIES,
  /** Daily maximum temperatures. */
  tmax_series: DAILY_SERIES,
};
/** Options for the degree days of a given pair of series. */
export interface ComputeGddOptions extends GrowingOptions, OptionsOf<typeof COMPUTE_GDD> {}

/** A region's degree days, with the series from which they were computed. */
export interface RegionDegreeDays extends DegreeDays {
  /** The name of the region whose temperatures were used. */
  readonly region_name: string;
  /** The requested name, and the region that it was matched to. */
  readonly matched: MatchedName;
  /** The series of daily minima. `matched` is set if the service has no item named "Temperature min". */
  readonly tmin_series: FoundSeries;
  /** The series of daily maxima. `matched` is set if the service has no item named "Temperature max". */
  readonly tmax_series: FoundSeries;
}

/** Operations that compute growing degree days from the service's temperatures. */
export interface GrowingDegreeDayOperations {
  /** Returns daily degree days and the series from which they are computed, instead of only the sum. */
  growingDegreeDays(options: Explained<RegionGrowingOptions>): Promise<RegionDegreeDays>;
  /** Returns each region's daily degree days and the series used to compute them, instead of only the sums. */
  growingDegreeDays(options: Explained<RegionsGrowingOptions>): Promise<RegionDegreeDays[]>;
  /**
   * Returns the sum of daily degree days for the named region, both dates included. The temperature series that best
   * cover the interval are used. If no region with temperatures has exactly this name, an error suggests one. If
   * several places share the name (such as Georgia), an error lists them. With `explain`, the first region with
   * temperatures is used instead, and the result says so.
   * @throws ArgumentError if no region of that name has daily temperatures; CoverageError if too few days have both a
   * minimum and a maximum
   * @example
   * ```ts
   * const sum = await client.growingDegreeDays({
   *   region_name: 'seattle',
   *   base_temperature: 10,
   *   start_date: '2014-04-01',
   *   end_date: '2014-09-30',
   * });
   * ```
   */
  growingDegreeDays(options: RegionGrowingOptions): Promise<number>;
  /** Returns the sum of daily degree days for a region, or the sums for several regions in the given order. */
  growingDegreeDays(options: RegionsGrowingOptions): Promise<number[]>;

  /** Returns daily degree days, the coverage and the rule, instead of only the sum. */
  computeGdd(options: Explained<ComputeGddOptions>): Promise<DegreeDays>;
  /**
   * Returns the sum of daily degree days for a given pair of series.
   * @throws ArgumentError if a series is not daily; CoverageError if too few days have both values; UnitError if a
   * series is not a temperature
   */
  computeGdd(options: ComputeGddOptions): Promise<number>;
}

const GROWING_KEYS = { ...LONG_OPERATION, ...GROWING_FIELDS, ...GROWING };
const REGION_NAME = { region_name: required(v.union([TEXT, listOf(TEXT)])) };

growingDegreeDayOperations.takes = {
  computeGdd: promise(mandatory({ ...GROWING_KEYS, ...COMPUTE_GDD })),
  growingDegreeDays: promise(mandatory({ ...GROWING_KEYS, ...REGION_NAME })),
} satisfies ArgumentsOf<GrowingDegreeDayOperations>;

export function growingDegreeDayOperations(client: ServiceClient): GrowingDegreeDayOperations {
  async function computeGdd(options: ComputeGddOptions): Promise<DegreeDays | number> {
    const pair = { tmin: options.tmin_series, tmax: options.tmax_series };
    const [found] = await degreeDaysOf(client, [pair], options);
    return options.explain === true ? found! : found!.total;
  }

  async function growingDegreeDays(
    options: RegionGrowingOptions | RegionsGrowingOptions,
  ): Promise<RegionResult | RegionResult[]> {
    const { region_name } = options;
    const pairs = await findTemperatures(client, [region_name].flat(), options);
    if (options.explain !== true) {
      pairs.forEach(requireOnlyPlace);
      pairs.forEach(requireTemperatures);
    }
    const found = await degreeDaysOf(client, pairs, options);
    const results = found.map((days, i) =>
      options.explain === true ? withSeries(days, pairs[i]!) : days.total,
    );
    return typeof region_name === 'string' ? results[0]! : results;
  }

  return {
    computeGdd: computeGdd as GrowingDegreeDayOperations['computeGdd'],
    growingDegreeDays: growingDegreeDays as GrowingDegreeDayOperations['growingDegreeDays'],
  };
}

type RegionResult = RegionDegreeDays | number;

function withSeries(days: DegreeDays, { tmin, tmax, matched }: RegionTemperatures): RegionDegreeDays {
  const region_name = tmin.region_name ?? `region ${tmin.region_id}`;
  return { ...days, region_name, matched, tmin_series: tmin, tmax_series: tmax };
}

function readDays(start_date: string, end_date: string): DaySpan {
  const firstMs = startOfDay(parseTime(start_date, 'start_date'));
  const lastMs = startOfDay(parseTime(end_date, 'end_date'));
  if (lastMs < firstMs)
    throw badArgument('end_date', (nameOf) => `${end_date} is before ${nameOf('start_date')} ${start_date}`);
  return { firstMs, days: (lastMs - firstMs) / DAY_MS + 1 };
}

async function degreeDaysOf(
  client: ServiceClient,
  pairs: readonly TemperaturePair[],
  options: GrowingOptions,
): Promise<DegreeDays[]> {
  const days = readDays(options.start_date, options.end_date);
  const temperatures = await fetchTemperatures(client, pairs, { ...options, days });
  const start_date = formatDay(days.firstMs);
  return pairs.map((pair, i) =>
    namingRegion(pair, () => computeDegreeDays({ ...options, ...temperatures[i]!, start_date })),
  );
}

function namingRegion<Result>({ tmin }: TemperaturePair, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof CoverageError)) throw error;
    const { region_name = `region ${tmin.region_id}` } = tmin as Partial<DataSeries>;
    throw new CoverageError(
      error.coverage,
      error.required,
      (nameOf) => `${region_name}: ${error.describe(nameOf)}`,
    );
  }
}

function requireOnlyPlace({ matched }: RegionTemperatures): void {
  requireExact(matched, {
    argument: 'region_name',
    refusal: `no region called "${matched.requested}" has daily temperatures`,
    instead: 'use the first with explain: true',
  });
}

function requireTemperatures({ tmin, tmax }: RegionTemperatures): void {
  const other = [tmin, tmax].flatMap(({ matched }) => matched?.item ?? matched?.metric ?? [])[0];
  if (other === undefined) return;
  throw badArgument(
    'region_name',
    `the service has nothing called "${other.requested}", and "${other.name}" may be something else; pass the series to computeGdd, or accept the closest matches with explain: true`,
  );
}
