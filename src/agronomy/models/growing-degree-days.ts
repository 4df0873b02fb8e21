import type { ServiceClient } from '../../client/client.js';
import { findRegionSeries } from '../../client/discovery/region-series.js';
import { ArgumentError, CoverageError } from '../../model/errors.js';
import { frequencyId } from '../../model/frequency.js';
import type { PointFlags } from '../../model/point.js';
import type { LongOperation } from '../../model/progress.js';
import type { DataSeries, SeriesKey } from '../../model/series.js';
import { formatDay } from '../../model/time.js';
import { type DegreeDays, degreeDays, requireCoverage } from '../degree-days/degree-days.js';
import { degreeDaysMatrix } from '../degree-days/matrix.js';
import type { MissingDays } from '../degree-days/missing-days.js';
import type { Cutoff, DegreeDayMethod, TemperatureUnit } from '../degree-days/plan.js';
import { fetchTemperatures, readDays, type TemperaturePair } from './temperature-series.js';

/** The names by which the temperature series of a region are found. */
export const TEMPERATURE_NAMES = {
  tmin: 'Temperature min',
  tmax: 'Temperature max',
  metric: 'Temperature',
} as const;

/** The thresholds, the interval and the method of a degree-day sum. */
export interface GrowingOptions extends LongOperation, Pick<PointFlags, 'at_time'> {
  /** °C unless `temperature_unit` says otherwise. */
  base_temperature: number;
  /** The first day, `YYYY-MM-DD`. */
  start_date: string;
  /** The last day, `YYYY-MM-DD`; included. */
  end_date: string;
  /** Minimum share of days with both values; default 1. */
  min_temporal_coverage?: number | undefined;
  /** The upper threshold, in the unit of the base; none by default. */
  upper_temperature_cap?: number | undefined;
  /** Default `'average'`. */
  method?: DegreeDayMethod | undefined;
  /** What the cap does; default `'horizontal'` where a cap is given, else `'none'`. */
  cutoff?: Cutoff | undefined;
  /** What a day without both values counts; default `'zero'`. */
  missing?: MissingDays | undefined;
  /** Unit of the thresholds and of the result; series are converted to it. Default `'celsius'`. */
  temperature_unit?: TemperatureUnit | undefined;
}

/** The degree-day sum of one region. */
export interface RegionGrowingOptions extends GrowingOptions {
  /** The region by name. */
  region_name: string;
}

/** The degree-day sums of several regions. */
export interface RegionsGrowingOptions extends GrowingOptions {
  /** The regions by name. */
  region_name: readonly string[];
}

/** The degree days of several regions. */
export interface FindDegreeDaysOptions extends GrowingOptions {
  /** The regions by name. */
  region_names: readonly string[];
}

/** The degree days of two series. */
export interface ComputeGddOptions extends GrowingOptions {
  /** Daily minimum temperatures. */
  tmin_series: SeriesKey;
  /** Daily maximum temperatures. */
  tmax_series: SeriesKey;
}

/** Degree days of a region, with the series that they were computed from. */
export interface RegionDegreeDays extends DegreeDays {
  /** Name of the region that was found. */
  readonly region_name: string;
  /** Its daily minimum temperatures. */
  readonly tmin_series: DataSeries;
  /** Its daily maximum temperatures. */
  readonly tmax_series: DataSeries;
}

/** Growing degree days of the service's temperatures. */
export interface GrowingDegreeDayOperations {
  /**
   * The sum of daily degree days of a region by name, both dates included. The temperature series are those that cover
   * the interval best.
   * @throws ArgumentError when there are no daily temperatures of the region; CoverageError when too few days have both
   * a minimum and a maximum
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
  /** The sums of several regions, in the order of their names. */
  growingDegreeDays(options: RegionsGrowingOptions): Promise<number[]>;

  /**
   * The degree days of regions by name, with daily values and the series they are computed from; retrieved together.
   * @throws what `growingDegreeDays` throws
   */
  findDegreeDays(options: FindDegreeDaysOptions): Promise<RegionDegreeDays[]>;

  /**
   * The sum of daily degree days of two given series.
   * @throws ArgumentError when a series is not daily; CoverageError when too few days have both values; UnitError when a
   * series is not a temperature
   */
  computeGdd(options: ComputeGddOptions): Promise<number>;

  /**
   * The degree days of two given series, with daily values.
   * @throws what `computeGdd` throws
   */
  computeDegreeDays(options: ComputeGddOptions): Promise<DegreeDays>;
}

/** Growing degree days, over the service. */
export function growingDegreeDayOperations(client: ServiceClient): GrowingDegreeDayOperations {
  async function computeDegreeDays({
    tmin_series,
    tmax_series,
    ...options
  }: ComputeGddOptions): Promise<DegreeDays> {
    return (await degreeDaysOf(client, [{ tmin: tmin_series, tmax: tmax_series }], options))[0]!;
  }

  async function growingDegreeDays({
    region_name,
    ...options
  }: RegionGrowingOptions | RegionsGrowingOptions): Promise<number | number[]> {
    const region_names = typeof region_name === 'string' ? [region_name] : region_name;
    const totals = await totalsOf(client, await findTemperatures(client, region_names, options), options);
    return typeof region_name === 'string' ? totals[0]! : totals;
  }

  return {
    computeDegreeDays,
    computeGdd: async (options) => (await computeDegreeDays(options)).total,
    growingDegreeDays: growingDegreeDays as GrowingDegreeDayOperations['growingDegreeDays'],
    async findDegreeDays({ region_names, ...options }) {
      const pairs = await findTemperatures(client, region_names, options);
      const found = await degreeDaysOf(client, pairs, options);
      return found.map((days, i) => ({
        ...days,
        region_name: pairs[i]!.tmin.region_name ?? region_names[i]!,
        tmin_series: pairs[i]!.tmin,
        tmax_series: pairs[i]!.tmax,
      }));
    },
  };
}

/** Temperatures of some places and the rule that applies to them. */
async function prepare(client: ServiceClient, pairs: readonly TemperaturePair[], options: GrowingOptions) {
  const { base_temperature, upper_temperature_cap, method, cutoff, missing, at_time } = options;
  const { start_date, end_date, temperature_unit = 'celsius', signal, onProgress } = options;
  const days = readDays(start_date, end_date);
  const asOf = at_time === undefined ? {} : { at_time };
  const fetching = { days, unit: temperature_unit, signal, onProgress, ...asOf };
  const temperatures = await fetchTemperatures(client, pairs, fetching);
  const cap = Number.isFinite(upper_temperature_cap) ? upper_temperature_cap : undefined;
  return {
    days,
    temperatures,
    rule: { base: base_temperature, cap, method, cutoff, missing, temperature_unit },
  };
}

async function degreeDaysOf(
  client: ServiceClient,
  pairs: readonly TemperaturePair[],
  options: GrowingOptions,
): Promise<DegreeDays[]> {
  const { days, temperatures, rule } = await prepare(client, pairs, options);
  const { min_temporal_coverage = 1 } = options;
  const start = formatDay(days.startMs);
  return pairs.map((pair, i) => {
    const [from, to] = [i * days.count, (i + 1) * days.count];
    const tmin = temperatures.tmin.subarray(from, to);
    const tmax = temperatures.tmax.subarray(from, to);
    return naming(pair, () => degreeDays({ tmin, tmax, ...rule, min_temporal_coverage, start }));
  });
}

/** Totals alone, of all places in one pass. */
async function totalsOf(
  client: ServiceClient,
  pairs: readonly TemperaturePair[],
  options: GrowingOptions,
): Promise<number[]> {
  const { days, temperatures, rule } = await prepare(client, pairs, options);
  const { totals, coverage } = degreeDaysMatrix({
    ...temperatures,
    ...rule,
    regions: pairs.length,
    days: days.count,
  });
  pairs.forEach((pair, i) => {
    naming(pair, () => requireCoverage(coverage[i]!, options.min_temporal_coverage ?? 1));
  });
  return [...totals];
}

/** Runs a step, and says of which place it was that too little was known. */
function naming<Result>({ tmin }: TemperaturePair, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof CoverageError)) throw error;
    const { region_name = `region ${tmin.region_id}` } = tmin as Partial<DataSeries>;
    throw new CoverageError(error.coverage, error.required, `${region_name}: ${error.message}`);
  }
}

async function findTemperatures(
  client: ServiceClient,
  region_names: readonly string[],
  { start_date, end_date, signal }: GrowingOptions,
): Promise<{ tmin: DataSeries; tmax: DataSeries }[]> {
  const candidates = await Promise.all(
    region_names.map(async (name) =>
      (await client.search('regions', name, { signal })).slice(0, 10).map(({ id }) => id),
    ),
  );
  const request = {
    metric: TEMPERATURE_NAMES.metric,
    region_ids: candidates.flat(),
    frequency_id: frequencyId('daily'),
    start_date,
    end_date,
    signal,
  };
  const [tmin, tmax] = await Promise.all([
    findRegionSeries(client, { ...request, item: TEMPERATURE_NAMES.tmin }),
    findRegionSeries(client, { ...request, item: TEMPERATURE_NAMES.tmax }),
  ]);
  return region_names.map((name, i) => {
    const region = candidates[i]!.find((id) => tmin.has(id) && tmax.has(id));
    if (region !== undefined) return { tmin: tmin.get(region)!, tmax: tmax.get(region)! };
    throw new ArgumentError(
      'region_name',
      `region_name: no daily minimum and maximum temperature is to be had for "${name}"`,
    );
  });
}
