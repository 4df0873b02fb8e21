import * as v from 'valibot';
import type { ServiceClient } from '../../client/client.js';
import type { FoundSeries } from '../../client/discovery/resolution.js';
import type { PointSet } from '../../columns/packed-points.js';
import { dateAt } from '../../columns/series-dates.js';
import { unitUses } from '../../compute/units.js';
import { type RegionRun, regionRun, WeightedPeriods, weightRun } from '../../compute/weighting.js';
import { longFrame } from '../../frame/build/long.js';
import { frameOf, type LongFrame } from '../../frame/frame.js';
import { buildLong, LONG_COLUMNS } from '../../frame/series/build-frame.js';
import { deriveSeries, mapSeries, metadataOfDerived } from '../../frame/series/map-series.js';
import type { SeriesPoints } from '../../frame/series/series-points.js';
import { namedSeries } from '../../frame/table/names.js';
import { frameSchema } from '../../frame/table/provenance.js';
import type { Period } from '../../model/calendar.js';
import { DERIVATIONS, type Derivation } from '../../model/derivations.js';
import type { MatchedArguments } from '../../model/entity.js';
import { LONG_OPERATION, type LongOperation } from '../../model/progress.js';
import type { Provenance } from '../../model/provenance.js';
import { fieldsOf, type OptionsOf, required } from '../../model/schema/check.js';
import type { PointFlags } from '../../model/schema/fields.js';
import { FIELDS } from '../../model/schema/fields.js';
import { type ArgumentsOf, mandatory, positional, promise } from '../../model/schema/operation.js';
import { DATE, ID, listOf, oneOf, type Schema, TEXT } from '../../model/schema/schemas.js';
import { type FrameContext, lookUpContext } from '../../saved/get-df.js';
import {
  ACROSS_KEYS,
  type AcrossOptions,
  acrossRegions,
  MIN_WEIGHT,
  pointsOfPeriods,
} from '../weighting/weigh-regions.js';
import {
  type RegionWeights,
  type SeriesWeights,
  usualValues,
  type WeightedRegion,
  weightsByYear,
  weightsFromMeans,
  weightsOfPositions,
} from '../weighting/weights.js';
import { findParts, findRests, idsOf, refuseNested } from './parts.js';
import { type FetchedRegions, fetchRegionSeries } from './region-fetch.js';
import { type CropRegion, type RegionOrName, resolveRegions } from './resolve-regions.js';
import { refuseRates, valueAlone } from './rolling-up.js';

const REGION: Schema<RegionOrName> = v.union([
  ID,
  TEXT,
  v.lazy(() => fieldsOf({ name: required(TEXT), proxy_region: REGION })),
  v.lazy(() => fieldsOf({ id: required(ID), name: v.nullable(TEXT), proxy_region: REGION })),
]);
const REGIONS = listOf(REGION);
const CROP_REGIONS: Schema<readonly (RegionOrName | CropRegion)[]> = REGIONS;

const RETRIEVAL = {
  ...LONG_OPERATION,
  start_date: FIELDS.start_date,
  end_date: FIELDS.end_date,
  at_time: FIELDS.at_time,
};
/** The period of the points to retrieve, and the as-of time. */
export interface RetrievalOptions
  extends LongOperation,
    Pick<PointFlags, 'start_date' | 'end_date' | 'at_time'> {}

const WEIGHTED_ITEM = {
  /** The name of the item whose values are weighted. */
  item_name: required(FIELDS.item),
  /** The name of the metric whose values are weighted. */
  metric_name: required(FIELDS.metric),
};
const CROP_WEIGHTED = {
  ...WEIGHTED_ITEM,
  /** The name of the crop that determines the regions' weights. */
  weighting_crop_name: required(TEXT),
  /** The name of the crop metric whose values are used as weights, such as `Area harvested`. */
  weighting_metric_name: required(TEXT),
  /** The regions, by name or id. Each may have a proxy region, whose data are used in its place. */
  regions: required(CROP_REGIONS),
  /** Computes the weighted value from a weight and a value; default weight × value. */
  weighting_func: ACROSS_KEYS.weighting_func,
  /** The first date of the weighting values to average; by default, the first date of the weighting series. */
  weighting_start_date: DATE,
  /** The last date of the weighting values to average; by default, the last date of the weighting series. */
  weighting_end_date: DATE,
  /**
   * `'mean'` (the default) weights a region by its mean over the whole period. `'year'` weights it by each year's own
   * mean; a region with no values in a year then has no weight in that year.
   */
  weights_by: oneOf(['mean', 'year']),
};
/** The metric and item to weight, the crop used to weight the regions, the regions themselves, and the period. */
export interface CropWeightedOptions extends RetrievalOptions, OptionsOf<typeof CROP_WEIGHTED> {}

/** Options for the weighted mean or sum across regions. */
export interface CropWeightedAverageOptions extends CropWeightedOptions, AcrossOptions {}

const FROM_PARTS = {
  ...WEIGHTED_ITEM,
  /** The metric used to weight rates when averaging them, such as `Area harvested`. If omitted, amounts are summed. */
  weighting_metric_name: TEXT,
  /** The crop that the weighting metric refers to; default `item_name`. */
  weighting_crop_name: TEXT,
  /** The minimum share (0 to 1) of the parts that must have a value. Below it, the figure is null. Default 1. */
  min_weight_present: MIN_WEIGHT,
  /** The level of the parts, such as 5 for counties; by default, the next level below the region's own. */
  descendant_level: FIELDS.region_level,
};
/** Options for `computeFromParts`: the figure to compute, and the metric that weights it. */
export interface FromPartsOptions extends RetrievalOptions, OptionsOf<typeof FROM_PARTS> {}

/** An array with one weight per region. Its `without_data` property lists the regions that have no data. */
export type WeightList = number[] & {
  /** The regions whose weight is 0 because they have no data. */
  readonly without_data: readonly WeightedRegion[];
};

/** Weights in the order of the regions, with the series from which they were computed. */
export interface ExplainedWeights extends RegionWeights {
  /** The weighted regions, with their ids. */
  readonly regions: readonly WeightedRegion[];
  /** The series used for each region; null if there is none. `matched` is set if a name is not exact or not unique. */
  readonly series: readonly (FoundSeries | null)[];
  /** The first and last date of the values that were averaged for each region's weight; null if there is no data. */
  readonly periods: readonly ({
    /** The first date, in UTC milliseconds. */
    readonly startMs: number;
    /** The last date, in UTC milliseconds. */
    readonly endMs: number;
  } | null)[];
  /** The origin of the weights: sources with licences and citations, and the retrieval report. */
  readonly provenance?: Provenance | undefined;
}

const EXPLAIN_WEIGHTS = {
  /** The regions, by name or id. */
  regions: required(REGIONS),
};
/** The regions to weight, and the period whose mean value is the weight. */
export interface ExplainWeightsOptions extends RetrievalOptions, OptionsOf<typeof EXPLAIN_WEIGHTS> {}

/** Operations that weight regions by a crop. */
export interface CropWeightingOperations {
  /**
   * Returns one weight per region: the mean over time of the crop's metric in that region, normalised so that all
   * weights sum to 1. A region with no data has weight 0 and is listed in the array's `without_data`.
   * @throws ArgumentError if a name has no exact match or several regions share it (`explainWeights` uses the first
   * match and reports it), if a region is listed together with one of its parts, or if the weights sum to 0; UnitError
   * if the regions' units cannot be converted to one another
   * @example
   * ```ts
   * const weights = await client.computeWeights('corn', 'area harvested', ['iowa', 'illinois']);
   * ```
   */
  computeWeights(
    crop_name: string,
    metric_name: string,
    regions: readonly RegionOrName[],
  ): Promise<WeightList>;

  /**
   * Returns the weights with the series chosen for each region. A region with no data has weight 0 and is listed in
   * `without_data`. A name with no exact match is replaced by its closest match, which is reported.
   * @throws ArgumentError if a name matches nothing, if a region is listed together with one of its parts, or if the
   * weights sum to 0; UnitError if the regions' units cannot be converted to one another
   */
  explainWeights(
    crop_name: string,
    metric_name: string,
    options: ExplainWeightsOptions,
  ): Promise<ExplainedWeights>;

  /**
   * Returns a long frame with the item's series for each region, each value weighted by the region's weight. If a name
   * has no exact match, the closest match is used, and the frame's report says so.
   * @throws the same errors as `explainWeights`, and PartialDataError if some series failed
   */
  computeCropWeightedSeries(options: CropWeightedOptions): Promise<LongFrame>;

  /**
   * Computes the weighted average across regions, as a long frame with one series. `weight_present` is the share of the
   * weight held by regions with a value; if it is below `min_weight_present` (1 by default), the average is null.
   * @throws the same errors as `computeCropWeightedSeries`
   * @example
   * ```ts
   * const average = await client.computeCropWeightedAverage({
   *   weighting_crop_name: 'corn',
   *   weighting_metric_name: 'area harvested',
   *   item_name: 'precipitation',
   *   metric_name: 'precipitation',
   *   regions: ['iowa', 'illinois'],
   * });
   * ```
   */
  computeCropWeightedAverage(options: CropWeightedAverageOptions): Promise<LongFrame>;

  /**
   * Computes a region's figure from the figures for its parts, such as a state's yield from its counties. The parts are
   * the regions one level down, including NASS's "Other counties", which combine the counties that are not listed.
   * Amounts are summed. Rates, such as yields, are averaged with `weighting_metric_name` of the same year as weights.
   * The result is a long frame with one series. `weight_present` is the share of the parts that have a value, with each
   * part counted by its weight in that year. If this weight is unknown and the part is not in "Other counties", its
   * mean over all years is used. If `weight_present` is below `min_weight_present` (1 by default), the value is null.
   * @throws ArgumentError if the region is unknown or has no parts with data, or if a rate has no weighting metric
   * @example
   * ```ts
   * const nebraska = await client.computeFromParts('Nebraska', {
   *   item_name: 'corn',
   *   metric_name: 'yield',
   *   weighting_metric_name: 'area harvested',
   * });
   * ```
   */
  computeFromParts(region: RegionOrName, options: FromPartsOptions): Promise<LongFrame>;
}

const CROP = [positional('crop_name', TEXT), positional('metric_name', TEXT)] as const;

cropWeightingOperations.takes = {
  computeWeights: promise(...CROP, positional('regions', REGIONS)),
  explainWeights: promise(...CROP, mandatory({ ...RETRIEVAL, ...EXPLAIN_WEIGHTS })),
  computeCropWeightedSeries: promise(mandatory({ ...RETRIEVAL, ...CROP_WEIGHTED })),
  computeCropWeightedAverage: promise(mandatory({ ...RETRIEVAL, ...CROP_WEIGHTED, ...ACROSS_KEYS })),
  computeFromParts: promise(positional('region', REGION), mandatory({ ...RETRIEVAL, ...FROM_PARTS })),
} satisfies ArgumentsOf<CropWeightingOperations>;

export function cropWeightingOperations(client: ServiceClient): CropWeightingOperations {
  return {
    async computeWeights(crop_name, metric_name, regions) {
      const named = { crop_name, metric_name, regions, exact: true };
      const { weights, without_data } = (await explainWeights(client, named)).explained;
      // Not enumerable, so that comparing or serialising the array covers only the weights.
      return Object.defineProperty(weights, 'without_data', { value: without_data }) as WeightList;
    },
    async explainWeights(crop_name, metric_name, options) {
      const given = { ...options, crop_name, metric_name };
      const { explained, fetched } = await explainWeights(client, given);
      const { signal, onProgress: _, ...request } = given;
      const { points, report } = fetched;
      const { provenance } = await lookUpContext(client, points, { request, report, signal, named: false });
      return { ...explained, provenance };
    },
    computeCropWeightedSeries: (options) => weightRegions(client, options),
    computeCropWeightedAverage: async (options) =>
      averageRegions(client, await fetchWeightedPoints(client, options), options),
    computeFromParts: (region, options) => combineParts(client, region, options),
  };
}

async function explainWeights(
  client: ServiceClient,
  options: ExplainWeightsOptions & { crop_name: string; metric_name: string; exact?: boolean },
): Promise<{ explained: ExplainedWeights; fetched: FetchedRegions }> {
  const { crop_name, metric_name, exact, signal, ...retrieval } = options;
  const regions = await resolveRegions(client, options.regions, { signal, exact });
  await refuseNested(client, idsOf(regions), { signal });
  const names = { item: crop_name, metric: metric_name };
  const fetched = await fetchRegionSeries(client, { ...retrieval, ...names, regions, exact, signal });
  const runs = regionRuns(fetched.points);
  const periods = periodsOfRegions(runs, regions.length);
  const weights = weightsFromMeans(runs, regions);
  return { explained: { regions, series: fetched.chosen, periods, ...weights }, fetched };
}

async function weightRegions(client: ServiceClient, options: CropWeightedOptions): Promise<LongFrame> {
  const weighted = await fetchWeightedPoints(client, options);
  const weights = weightsOfPositions(weighted.weights);
  const positions = new Map(weighted.points.series.map(({ region_id }, at) => [region_id, at]));
  const frame = longFrame(weighted.points, await contextOf(client, weighted, options));
  const weigh = ({ view, start, value }: SeriesPoints) => {
    const region = positions.get(view.key.region_id)!;
    return weightRun({ region, start_date: start, value }, weights, options.weighting_func);
  };
  return frameOf(mapSeries(frame, describeWeighting(weighted.weights, options), weigh));
}

/** Describes how a frame was weighted, and which years have no weights. */
function describeWeighting(
  weights: SeriesWeights,
  options: CropWeightedOptions,
): { step: string; derivation: Derivation } {
  const { weighting_metric_name, weighting_crop_name } = options;
  let step = `weighted by ${weighting_metric_name} of ${weighting_crop_name}`;
  if (!('weights' in weights)) {
    const without = [...weights].filter(([, year]) => year.weights.every(Number.isNaN)).map(([year]) => year);
    step += `, by year${without.length === 0 ? '' : `; no figure for ${without.join(', ')}, whose weights sum to 0`}`;
  }
  return { step, derivation: DERIVATIONS.weighted(weighting_metric_name, weighting_crop_name) };
}

interface AverageTexts {
  /** The region to which the average applies; by default, the set of the averaged regions. */
  readonly parent?: WeightedRegion | undefined;
  readonly label?: ReturnType<typeof describeWeighting>;
}

async function averageRegions(
  client: ServiceClient,
  weighted: WeightedPoints,
  options: CropWeightedAverageOptions,
  { parent, label = describeWeighting(weighted.weights, options) }: AverageTexts = {},
): Promise<LongFrame> {
  const { points, weights } = weighted;
  const periods = new WeightedPeriods(weightsOfPositions(weights), {
    ...options,
    how: options.how ?? 'mean',
  });
  for (const run of regionRuns(points)) periods.add(run);
  const { names, provenance } = await contextOf(client, weighted, options);
  const [unit = null] = [...unitUses(points)].map(({ unit_id }) => unit_id);
  const view = acrossRegions(
    points.series.map((series) => namedSeries(series, unit, names)),
    parent,
  );
  const to = deriveSeries(view, label.derivation);
  const retrieved = { schema: frameSchema([], provenance) };
  const metadata = metadataOfDerived(retrieved, label.step, [{ from: view, to }]);
  return frameOf(buildLong(LONG_COLUMNS, [pointsOfPeriods(periods.periods(), to)], metadata));
}

async function combineParts(
  client: ServiceClient,
  region: RegionOrName,
  { weighting_metric_name, descendant_level, ...options }: FromPartsOptions,
): Promise<LongFrame> {
  const { signal, onProgress, item_name, metric_name, ...period } = options;
  const [parent] = await resolveRegions(client, [region], { signal, exact: true });
  const regions = await findParts(client, parent!.id, { descendant_level, signal });
  const { weighting_crop_name = item_name } = options;
  const asked = { ...options, weighting_crop_name, regions, weights_by: 'year' } as const;
  if (weighting_metric_name !== undefined) {
    const request = { ...asked, weighting_metric_name };
    return averageRegions(client, await fetchWeightedPoints(client, request), request, { parent });
  }
  const names = { item: item_name, metric: metric_name };
  const fetched = await fetchRegionSeries(client, { ...period, ...names, regions, signal, onProgress });
  const unit_ids = [...unitUses(fetched.points)].map(({ unit_id }) => unit_id);
  const remedy = 'specify a metric to weight them by, such as "Area harvested"';
  await refuseRates(client, unit_ids, { argument: 'weighting_metric_name', remedy, signal });
  const rests = await findRests(client, idsOf(regions), { signal });
  const weights = weightsByYear(usualValues(regionRuns(fetched.points), regions), regions, rests);
  const sum = { how: 'sum', weighting_func: valueAlone } as const;
  const request = { ...asked, ...sum, weighting_metric_name: metric_name };
  const derivation = DERIVATIONS.acrossRegions('sum', false);
  const label = { step: `sum of the parts of ${parent!.name}`, derivation };
  return averageRegions(client, { ...fetched, weights }, request, { parent, label });
}

function contextOf(
  client: ServiceClient,
  { weights, points, report }: WeightedPoints,
  { signal, onProgress: _, weighting_func, ...options }: CropWeightedAverageOptions,
): Promise<FrameContext> {
  const applied = weighting_func === undefined ? 'weight × value' : 'a function of the caller';
  const request = {
    ...options,
    weighting_func: weighting_func === valueAlone ? 'value' : applied,
    weights: 'weights' in weights ? weights : Object.fromEntries(weights),
  };
  return lookUpContext(client, points, { request, report, signal });
}

interface WeightedPoints extends Omit<FetchedRegions, 'chosen'> {
  readonly weights: SeriesWeights;
}

async function fetchWeightedPoints(
  client: ServiceClient,
  options: CropWeightedOptions,
): Promise<WeightedPoints> {
  const { at_time, signal, onProgress } = options;
  const regions = await resolveRegions(client, options.regions, { signal });
  const region_ids = idsOf(regions);
  await refuseNested(client, region_ids, { signal });
  const weighting = await fetchRegionSeries(client, {
    item: options.weighting_crop_name,
    metric: options.weighting_metric_name,
    regions,
    start_date: options.weighting_start_date,
    end_date: options.weighting_end_date,
    ...{ at_time, signal, onProgress },
  });
  const runs = regionRuns(weighting.points);
  const weights =
    options.weights_by === 'year'
      ? weightsByYear(runs, regions, await findRests(client, region_ids, { signal }))
      : weightsFromMeans(runs, regions);
  const { points, report } = await fetchRegionSeries(client, {
    item: options.item_name,
    metric: options.metric_name,
    regions: regions.map((region) => region.proxy_region ?? region),
    start_date: options.start_date,
    end_date: options.end_date,
    ...{ at_time, signal, onProgress },
  });
  const replaced = (name: 'item' | 'metric') =>
    weighting.chosen.find((series) => series?.matched?.[name] !== undefined)?.matched?.[name];
  const ofWeights = { weighting_crop_name: replaced('item'), weighting_metric_name: replaced('metric') };
  return {
    weights,
    // A proxy region's points get the id of the region that it stands in for.
    points: { ...points, series: points.series.map((one, i) => ({ ...one, region_id: regions[i]!.id })) },
    report: report.map((entry, i) => {
      const { matched: region, proxy_region } = regions[i]!;
      const ofRegion = { region, proxy_region: proxy_region?.matched };
      return { ...entry, matched: joinMatched(entry.matched, ofRegion, ofWeights) };
    }),
  };
}

function periodsOfRegions(runs: readonly RegionRun[], count: number): (Period | null)[] {
  const periods = new Array<Period | null>(count).fill(null);
  for (const { region, start_date, end_date, value } of runs)
    for (let row = 0; row < value.length; row++) {
      if (Number.isNaN(value[row]!)) continue;
      const startMs = dateAt(start_date, row);
      const endMs = dateAt(end_date ?? start_date, row);
      const known = periods[region];
      periods[region] = {
        startMs: Math.min(startMs, known?.startMs ?? startMs),
        endMs: Math.max(endMs, known?.endMs ?? endMs),
      };
    }
  return periods;
}

function joinMatched(...parts: readonly (MatchedArguments | undefined)[]): MatchedArguments | undefined {
  const matched = parts.flatMap((part) => Object.entries(part ?? {})).filter(([, one]) => one !== undefined);
  return matched.length === 0 ? undefined : Object.fromEntries(matched);
}

/** Converts runs of points to runs of region values. A region has the same index as its series. */
function regionRuns({ runs }: PointSet): RegionRun[] {
  return runs.map((run) => regionRun(run, run.series));
}
