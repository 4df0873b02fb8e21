import type { ServiceClient } from '../../client/client.js';
import type { FoundSeries } from '../../client/discovery/find-series.js';
import { countRows, type PointSet } from '../../columns/packed-points.js';
import { unpackDates } from '../../columns/series-dates.js';
import { floatColumn } from '../../frame/series/map-series.js';
import {
  type Check,
  checkDate,
  checkFunction,
  checkId,
  checkText,
  fieldsOf,
  listOf,
  needed,
  oneOf,
  orNull,
} from '../../model/arguments/checks.js';
import { FIELDS, LONG_OPERATION } from '../../model/arguments/fields.js';
import type { OptionKeys } from '../../model/arguments/option-keys.js';
import type { MatchedArguments } from '../../model/entity.js';
import type { PointFlags } from '../../model/point.js';
import type { LongOperation } from '../../model/progress.js';
import type { RetrievalReport } from '../../model/report.js';
import type { WeightedAverageOptions } from '../weighting/weighted-average.js';
import type { SeriesWeights } from '../weighting/weighted-series.js';
import { type RegionColumns, weightsByYear, weightsFromMeans } from '../weighting/weights.js';
import { fetchRegionSeries } from './region-fetch.js';
import {
  type CropRegion,
  type RegionOrName,
  type ResolvedRegion,
  resolveRegions,
} from './resolve-regions.js';

/** Which points are retrieved: those of a period, as they were known at a time. */
export interface RetrievalOptions
  extends LongOperation,
    Pick<PointFlags, 'start_date' | 'end_date' | 'at_time'> {}

/** The weighted metric and item, the weighting crop, the regions and the period. */
export interface CropWeightedOptions
  extends RetrievalOptions,
    Pick<WeightedAverageOptions, 'weighting_func'> {
  /** The crop whose figures weight the regions, by name. */
  weighting_crop_name: string;
  /** The metric of that crop, by name, such as `Area harvested`. */
  weighting_metric_name: string;
  /** The item that is weighted, by name. */
  item_name: string;
  /** The metric of that item, by name. */
  metric_name: string;
  /** By name or by id, perhaps each with a proxy region. */
  regions: readonly (RegionOrName | CropRegion)[];
  /** First date of the period whose mean is the weight; by default the first date of the series. */
  weighting_start_date?: string | undefined;
  /** Last date of that period; by default the last date of the series. */
  weighting_end_date?: string | undefined;
  /**
   * `'year'` weights each year by its own mean, and a region without one has no weight in that year; default `'mean'`,
   * over time.
   */
  weights_by?: 'mean' | 'year' | undefined;
}

const REGION_WITH_ID = fieldsOf({ id: needed(checkId), name: orNull(checkText) });
const REGION_BY_NAME = fieldsOf({ name: needed(checkText) });

/** A region by name, by id, or by both, perhaps with its proxy region. */
export const checkRegion: Check<RegionOrName> = (value, argument) => {
  if (typeof value === 'number') return checkId(value, argument);
  if (typeof value !== 'object') return checkText(value, argument);
  ((value as { id?: unknown } | null)?.id === undefined ? REGION_BY_NAME : REGION_WITH_ID)(value, argument);
  const { proxy_region } = value as { proxy_region?: unknown };
  if (proxy_region !== undefined) checkRegion(proxy_region, `${argument}.proxy_region`);
};

/** The period of a retrieval, and the time as of which it is made. */
export const RETRIEVAL: OptionKeys<RetrievalOptions> = {
  ...LONG_OPERATION,
  start_date: FIELDS.start_date,
  end_date: FIELDS.end_date,
  at_time: FIELDS.at_time,
};

/** The options of crop-weighted series. */
export const CROP_WEIGHTED: OptionKeys<CropWeightedOptions> = {
  ...RETRIEVAL,
  weighting_crop_name: needed(checkText),
  weighting_metric_name: needed(checkText),
  item_name: needed(FIELDS.item),
  metric_name: needed(FIELDS.metric),
  regions: needed(listOf(checkRegion)),
  weighting_func: checkFunction,
  weighting_start_date: checkDate,
  weighting_end_date: checkDate,
  weights_by: oneOf(['mean', 'year']),
};

/** The points of every region, with the weights to apply to them. */
export interface WeightedPoints {
  readonly weights: SeriesWeights;
  /** A point's series is the position of its region. */
  readonly points: PointSet;
  readonly report: RetrievalReport;
}

/** Resolves the regions, then fetches the weighting series and the item's series of each. */
export async function fetchWeightedPoints(
  client: ServiceClient,
  options: CropWeightedOptions,
): Promise<WeightedPoints> {
  const { item_name, metric_name, start_date, end_date, at_time, signal, onProgress } = options;
  const regions = await resolveRegions(client, options.regions, { signal });
  const { weights, weighting } = await fetchWeights(client, regions, options);
  const { points, report } = await fetchRegionSeries(client, {
    item: item_name,
    metric: metric_name,
    regions: regions.map((region) => region.proxy_region ?? region),
    start_date,
    end_date,
    at_time,
    signal,
    onProgress,
  });
  return {
    weights,
    points: underRegions(points, regions),
    report: report.map((entry, i) => ({
      ...entry,
      matched: joinMatched(entry.matched, matchedRegions(regions[i]!), weighting),
    })),
  };
}

async function fetchWeights(
  client: ServiceClient,
  regions: readonly ResolvedRegion[],
  options: CropWeightedOptions,
): Promise<{ weights: SeriesWeights; weighting: MatchedArguments }> {
  const { points, chosen } = await fetchRegionSeries(client, {
    item: options.weighting_crop_name,
    metric: options.weighting_metric_name,
    regions,
    start_date: options.weighting_start_date,
    end_date: options.weighting_end_date,
    at_time: options.at_time,
    signal: options.signal,
    onProgress: options.onProgress,
  });
  const columns = regionColumns(points);
  const weights =
    options.weights_by === 'year' ? weightsByYear(columns, regions) : weightsFromMeans(columns, regions);
  return { weights, weighting: matchedWeights(chosen) };
}

/** The names that replaced those of the weighting crop and its metric. */
function matchedWeights(chosen: readonly (FoundSeries | null)[]): MatchedArguments {
  const matched = chosen.map((series) => series?.matched);
  return {
    weighting_crop_name: matched.find((names) => names?.item !== undefined)?.item,
    weighting_metric_name: matched.find((names) => names?.metric !== undefined)?.metric,
  };
}

function matchedRegions({ matched, proxy_region }: ResolvedRegion): MatchedArguments {
  return { region: matched, proxy_region: proxy_region?.matched };
}

/** Every name that fits nothing exactly; undefined where all do. */
function joinMatched(...parts: readonly (MatchedArguments | undefined)[]): MatchedArguments | undefined {
  const matched = parts.flatMap((part) => Object.entries(part ?? {})).filter(([, one]) => one !== undefined);
  return matched.length === 0 ? undefined : Object.fromEntries(matched);
}

/** Points of a proxy region appear under the region that it represents. */
function underRegions({ series, runs }: PointSet, regions: readonly ResolvedRegion[]): PointSet {
  return { series: series.map((one, i) => ({ ...one, region_id: regions[i]!.id })), runs };
}

/** The points of a set as one block of columns; the `region` of a row is its point's series. */
export function regionColumns({ runs }: PointSet): RegionColumns {
  const length = countRows(runs);
  const region = new Uint32Array(length);
  const start_date = new BigInt64Array(length);
  const end_date = new BigInt64Array(length);
  const value = new Float64Array(length);
  let at = 0;
  for (const run of runs) {
    region.fill(run.series, at, at + run.length);
    unpackDates(run.start_date, run.length, start_date, at);
    unpackDates(run.end_date ?? run.start_date, run.length, end_date, at);
    value.set(run.value.subarray(0, run.length), at);
    at += run.length;
  }
  return { region, start_date, end_date, value, value_valid: null };
}

/** The same points with other values, row by row; NaN becomes null. */
export function withValues({ series, runs }: PointSet, values: Float64Array): PointSet {
  let at = 0;
  return {
    series,
    runs: runs.map((run) => {
      const value = values.subarray(at, at + run.length);
      at += run.length;
      return { ...run, value, value_valid: floatColumn(value).valid };
    }),
  };
}
