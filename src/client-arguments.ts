import type { CropWeightedAverageOptions, ExplainWeightsOptions } from './agronomy/models/crop-weighting.js';
import type {
  ComputeGddOptions,
  GrowingOptions,
  RegionGrowingOptions,
} from './agronomy/models/growing-degree-days.js';
import type { CropWeightedOptions, RetrievalOptions } from './agronomy/models/weighted-points.js';
import type { AreaWeightingOptions } from './client/area-weighting.js';
import type { AncestorOptions, DescendantOptions, TraverseOptions } from './client/containment.js';
import type { ExplainedSeries, FindOptions } from './client/discovery/find-series.js';
import type { GeojsonOptions } from './client/geography.js';
import type { PointRequest } from './client/points/points.js';
import type { TopItem, TopOptions } from './client/ranking.js';
import type { SearchOptions } from './client/search.js';
import { checkOptions, checkRequiredOptions, type KnownKeys, type OptionKeys } from './model/option-keys.js';
import type { DataPoint, PointFlags } from './model/point.js';
import type { Cancellable, LongOperation } from './model/progress.js';
import type { RefreshOptions } from './saved/refresh/refresh-df.js';
import type { ArrowDfOptions, DanfoDfOptions } from './saved/saved.js';
import type { WriteDfOptions } from './saved/write-df.js';

const CANCELLABLE: OptionKeys<Cancellable> = { signal: true };
const LONG_OPERATION: OptionKeys<LongOperation> = { ...CANCELLABLE, onProgress: true };

const TOP_ITEM: OptionKeys<TopItem> = {
  metricId: true,
  itemId: true,
  regionId: true,
  frequencyId: true,
  sourceId: true,
  unitId: true,
  value: true,
};

/** A whole series is a valid selection. */
const SERIES: OptionKeys<ExplainedSeries> = {
  metric_id: true,
  metric_name: true,
  item_id: true,
  item_name: true,
  region_id: true,
  region_name: true,
  partner_region_id: true,
  partner_region_name: true,
  source_id: true,
  source_name: true,
  frequency_id: true,
  frequency_name: true,
  start_date: true,
  end_date: true,
  data_count_estimate: true,
  metadata: true,
  coverage: true,
  taken: true,
};

const DATA_POINT: OptionKeys<DataPoint> = {
  metric_id: true,
  item_id: true,
  region_id: true,
  partner_region_id: true,
  source_id: true,
  frequency_id: true,
  start_date: true,
  end_date: true,
  value: true,
  unit_id: true,
  reporting_date: true,
  available_date: true,
  metadata: true,
  belongs_to: true,
};

/** So are a point and an item of `getTop`. */
const SELECTION: OptionKeys<ExplainedSeries | DataPoint | TopItem> = {
  ...SERIES,
  ...DATA_POINT,
  ...TOP_ITEM,
};

const POINT_FLAGS: OptionKeys<PointFlags> = {
  start_date: true,
  end_date: true,
  reporting_history: true,
  show_revisions: true,
  complete_history: true,
  show_available_date: true,
  show_metadata: true,
  insert_null: true,
  at_time: true,
  available_since: true,
  include_historical: true,
};

const POINT_REQUEST: OptionKeys<PointRequest> & typeof SELECTION = {
  ...SELECTION,
  ...POINT_FLAGS,
  ...LONG_OPERATION,
};

const TOP: OptionKeys<TopOptions> & typeof SELECTION = { ...SELECTION, ...CANCELLABLE, num_results: true };

const FIND: OptionKeys<FindOptions> = {
  ...CANCELLABLE,
  metric: true,
  item: true,
  region: true,
  partner_region: true,
  start_date: true,
  end_date: true,
  result_filter: true,
  onNothing: true,
  hits_per_name: true,
  explain: true,
};

const TRAVERSE: OptionKeys<TraverseOptions> = {
  ...CANCELLABLE,
  distance: true,
  include_details: true,
  include_historical: true,
};
const ANCESTOR: OptionKeys<AncestorOptions> = { ...TRAVERSE, ancestor_level: true };
const DESCENDANT: OptionKeys<DescendantOptions> = { ...TRAVERSE, descendant_level: true };

const GET_DF: OptionKeys<ArrowDfOptions | DanfoDfOptions> = {
  ...LONG_OPERATION,
  start_date: true,
  end_date: true,
  reporting_history: true,
  show_revisions: true,
  complete_history: true,
  show_available_date: true,
  show_metadata: true,
  at_time: true,
  available_since: true,
  include_historical: true,
  index_by_series: true,
  include_names: true,
  compress_format: true,
  async_mode: true,
  unit_id: true,
  allow_partial: true,
  format: true,
};

const { format: _, async_mode: __, ...ofLongFrames } = GET_DF;
/** `writeDf` refuses the forms that it does not write by its own words. */
const WRITE_DF: OptionKeys<WriteDfOptions> = {
  ...ofLongFrames,
  file_format: true,
  compression: true,
  rowGroupRows: true,
};

const REFRESH: OptionKeys<RefreshOptions> = {
  ...LONG_OPERATION,
  overlapMs: true,
  later_periods: true,
  allow_partial: true,
};

const RETRIEVAL: OptionKeys<RetrievalOptions> = {
  ...LONG_OPERATION,
  start_date: true,
  end_date: true,
  at_time: true,
};
const WEIGHTS: OptionKeys<ExplainWeightsOptions> = { ...RETRIEVAL, regions: true };
const WEIGHTED: OptionKeys<CropWeightedOptions> = {
  ...RETRIEVAL,
  weighting_crop_name: true,
  weighting_metric_name: true,
  item_name: true,
  metric_name: true,
  regions: true,
  weighting_func: true,
  weighting_start_date: true,
  weighting_end_date: true,
  weights_by: true,
};
const WEIGHTED_AVERAGE: OptionKeys<CropWeightedAverageOptions> = { ...WEIGHTED, renormalise: true };

const GROWING: OptionKeys<GrowingOptions> = {
  ...LONG_OPERATION,
  at_time: true,
  base_temperature: true,
  start_date: true,
  end_date: true,
  min_temporal_coverage: true,
  upper_temperature_cap: true,
  method: true,
  cutoff: true,
  missing: true,
  temperature_unit: true,
  explain: true,
};
const REGION_GROWING: OptionKeys<RegionGrowingOptions> = { ...GROWING, region_name: true };
const COMPUTE_GDD: OptionKeys<ComputeGddOptions> = { ...GROWING, tmin_series: true, tmax_series: true };

const AREA_WEIGHTING: OptionKeys<AreaWeightingOptions> = {
  ...CANCELLABLE,
  series: true,
  weights: true,
  region_ids: true,
  method: true,
  start_date: true,
  end_date: true,
};
const ZOOM: OptionKeys<GeojsonOptions> = { ...CANCELLABLE, zoom_level: true };
const SEARCH: OptionKeys<SearchOptions> = { ...CANCELLABLE, num_results: true };

/** The arguments of an operation that are objects, by position. */
interface ObjectArguments {
  readonly returns: 'promise' | 'sequence' | 'value';
  /** The known keys of each object, and whether it can be left out. */
  readonly takes: Readonly<Record<number, { readonly keys: KnownKeys; readonly required?: boolean }>>;
}

const promise = (takes: ObjectArguments['takes']): ObjectArguments => ({ returns: 'promise', takes });
const sequence = (takes: ObjectArguments['takes']): ObjectArguments => ({ returns: 'sequence', takes });
const value = (takes: ObjectArguments['takes']): ObjectArguments => ({ returns: 'value', takes });
const optional = (keys: KnownKeys) => ({ keys });
const required = (keys: KnownKeys) => ({ keys, required: true });

/** Every operation of a client, with the keys that its options know; a client does not compile when one is missing. */
export const CLIENT_ARGUMENTS = {
  lookup: promise({ 2: optional(CANCELLABLE) }),
  getAvailable: promise({ 1: optional(CANCELLABLE) }),
  search: promise({ 2: optional(CANCELLABLE) }),
  searchForEntity: promise({ 2: optional(CANCELLABLE) }),
  searchAndLookup: sequence({ 2: optional(SEARCH) }),
  listAvailable: promise({ 0: optional(SELECTION), 1: optional(CANCELLABLE) }),
  listUnits: promise({ 0: optional(CANCELLABLE) }),
  getAllowedUnits: promise({ 2: optional(CANCELLABLE) }),
  lookupUnitAbbreviation: promise({ 1: optional(CANCELLABLE) }),
  lookupBelongs: sequence({ 2: optional(CANCELLABLE) }),
  getAncestor: promise({ 2: optional(ANCESTOR) }),
  getDescendant: promise({ 2: optional(DESCENDANT) }),
  getDescendantRegions: promise({ 1: optional(DESCENDANT) }),
  getProvinces: promise({ 1: optional(CANCELLABLE) }),
  getDataSeries: promise({ 0: optional(SELECTION), 1: optional(CANCELLABLE) }),
  getAvailableTimefrequency: promise({ 0: optional(SELECTION), 1: optional(CANCELLABLE) }),
  rankSeriesBySource: sequence({ 1: optional(CANCELLABLE) }),
  findDataSeries: sequence({ 0: required(FIND) }),
  getDataPoints: promise({ 0: required(POINT_REQUEST) }),
  getDataPointsTable: promise({ 0: required(POINT_REQUEST) }),
  getGeojson: promise({ 1: optional(ZOOM) }),
  getGeoCentre: promise({ 1: optional(CANCELLABLE) }),
  getAreaWeightedSeries: promise({ 0: required(AREA_WEIGHTING) }),
  reverseGeocodePoints: promise({ 1: optional(CANCELLABLE) }),
  getTop: promise({ 1: required(TOP) }),
  addSingleDataSeries: value({ 0: required(SELECTION) }),
  addDataSeries: promise({ 0: required(FIND) }),
  getDataSeriesList: value({}),
  getDf: promise({ 0: optional(GET_DF) }),
  refreshDf: promise({ 1: optional(REFRESH) }),
  writeDf: promise({ 1: optional(WRITE_DF) }),
  computeWeights: promise({}),
  explainWeights: promise({ 2: required(WEIGHTS) }),
  computeCropWeightedSeries: promise({ 0: required(WEIGHTED) }),
  computeCropWeightedAverage: promise({ 0: required(WEIGHTED_AVERAGE) }),
  computeGdd: promise({ 0: required(COMPUTE_GDD) }),
  growingDegreeDays: promise({ 0: required(REGION_GROWING) }),
} as const satisfies Readonly<Record<string, ObjectArguments>>;

/** An operation of any arguments. */
type Operation = (...given: unknown[]) => unknown;

function checkedOperation(name: string, operation: Operation, known: ObjectArguments): Operation {
  const { returns, takes } = known;
  const check = (given: readonly unknown[]): void => {
    for (const [position, { keys, required = false }] of Object.entries(takes))
      (required ? checkRequiredOptions : checkOptions)(given[Number(position)], keys, name);
  };
  switch (returns) {
    case 'promise':
      return async (...given) => {
        check(given);
        return operation(...given);
      };
    case 'sequence':
      return async function* (...given) {
        check(given);
        yield* operation(...given) as AsyncGenerator<unknown>;
      };
    case 'value':
      return (...given) => {
        check(given);
        return operation(...given);
      };
  }
}

/** The client, whose operations refuse unknown keys of their options before they begin. */
export function checkedClient<Client extends Readonly<Record<keyof typeof CLIENT_ARGUMENTS, unknown>>>(
  client: Client & Readonly<Record<Exclude<keyof Client, keyof typeof CLIENT_ARGUMENTS | 'api_host'>, never>>,
): Client {
  const operations = Object.entries(CLIENT_ARGUMENTS).map(([name, known]) => [
    name,
    checkedOperation(name, client[name as keyof typeof CLIENT_ARGUMENTS] as Operation, known),
  ]);
  return { ...client, ...Object.fromEntries(operations) };
}
