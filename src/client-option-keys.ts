import { checkMissingDays } from './agronomy/degree-days/missing-days.js';
import { checkCutoff, checkMethod, checkTemperatureUnit } from './agronomy/degree-days/plan.js';
import type { CropWeightedAverageOptions, ExplainWeightsOptions } from './agronomy/models/crop-weighting.js';
import type {
  ComputeGddOptions,
  GrowingOptions,
  RegionGrowingOptions,
} from './agronomy/models/growing-degree-days.js';
import { ROLL_UP_LEVELS } from './agronomy/models/roll-up-targets.js';
import type { RollUpOptions } from './agronomy/models/rolling-up.js';
import type { CropWeightedOptions, RetrievalOptions } from './agronomy/models/weighted-points.js';
import type { AreaSeries, AreaWeightingOptions } from './client/area-weighting.js';
import type { AncestorOptions, DescendantOptions, TraverseOptions } from './client/containment.js';
import type { ExplainedSeries, FindOptions } from './client/discovery/find-series.js';
import type { FacetOptions, VintageOptions } from './client/facets.js';
import type { GeojsonOptions } from './client/geography.js';
import type { PointRequest } from './client/points/points.js';
import type { TopItem, TopOptions } from './client/ranking.js';
import type { SearchAllOptions, SearchOptions } from './client/search.js';
import type { BackUpOptions } from './client/upkeep/backups.js';
import type { ImportFilesOptions } from './client/upkeep/imports.js';
import { CSV_KEYS, FRAME_FORMATS, PARQUET_KEYS } from './frame/formats/frame-formats.js';
import {
  type Check,
  checkDate,
  checkFinite,
  checkFlag,
  checkFunction,
  checkId,
  checkIds,
  checkNothing,
  checkShare,
  checkSignal,
  checkString,
  checkText,
  checkThat,
  checkWhole,
  fieldsOf,
  listOf,
  needed,
  oneOf,
  orNull,
  whole,
} from './model/arguments/checks.js';
import { type OptionKeys, optionsOf } from './model/arguments/option-keys.js';
import { SELECTION_KEYS } from './model/arguments/selection-keys.js';
import { REGION_LEVELS, SEARCHABLE_TYPES } from './model/entity.js';
import type { DataPoint, PointFlags } from './model/point.js';
import type { Cancellable, LongOperation } from './model/progress.js';
import { FACETS as FACET_NAMES } from './model/selection.js';
import type { RefreshOptions } from './saved/refresh/refresh-df.js';
import type { ArrowDfOptions, DanfoDfOptions } from './saved/saved.js';
import type { WriteDfOptions } from './saved/write-df.js';

export const CANCELLABLE: OptionKeys<Cancellable> = { signal: checkSignal };
export const LONG_OPERATION: OptionKeys<LongOperation> = { ...CANCELLABLE, onProgress: checkFunction };

/** A whole series, a point and an item of `getTop` are valid selections. */
export const SELECTION: OptionKeys<ExplainedSeries | DataPoint | TopItem> = SELECTION_KEYS;

const POINT_FLAGS: OptionKeys<PointFlags> = {
  start_date: checkDate,
  end_date: checkDate,
  reporting_history: checkFlag,
  show_revisions: checkFlag,
  complete_history: checkFlag,
  show_available_date: checkFlag,
  show_metadata: checkFlag,
  insert_null: checkFlag,
  at_time: checkDate,
  available_since: checkDate,
  include_historical: checkFlag,
};

export const POINT_REQUEST: OptionKeys<PointRequest> & typeof SELECTION = {
  ...SELECTION,
  ...POINT_FLAGS,
  ...LONG_OPERATION,
};

export const TOP: OptionKeys<TopOptions> & typeof SELECTION = {
  ...SELECTION,
  ...CANCELLABLE,
  num_results: whole({ min: 1 }),
};

export const FIND: OptionKeys<FindOptions> = {
  ...CANCELLABLE,
  metric: checkText,
  item: checkText,
  region: checkText,
  partner_region: checkText,
  start_date: checkDate,
  end_date: checkDate,
  result_filter: checkFunction,
  onNothing: checkFunction,
  hits_per_name: whole({ min: 1 }),
  explain: checkFlag,
};

const checkCount: Check = (value, argument) => {
  if (value !== Number.POSITIVE_INFINITY) checkWhole(value, argument);
};
const LEVEL = whole({ min: REGION_LEVELS.world, max: REGION_LEVELS.coordinate });
const TRAVERSE: OptionKeys<TraverseOptions> = {
  ...CANCELLABLE,
  distance: whole(),
  include_details: checkFlag,
  include_historical: checkFlag,
};
export const ANCESTOR: OptionKeys<AncestorOptions> = { ...TRAVERSE, ancestor_level: LEVEL };
export const DESCENDANT: OptionKeys<DescendantOptions> = { ...TRAVERSE, descendant_level: LEVEL };

const { insert_null: _, ...ofFrames } = POINT_FLAGS;
export const GET_DF: OptionKeys<ArrowDfOptions | DanfoDfOptions> = {
  ...LONG_OPERATION,
  ...ofFrames,
  index_by_series: checkFlag,
  include_names: checkFlag,
  compress_format: checkFlag,
  names: oneOf(['full', 'short']),
  async_mode: checkFlag,
  unit_id: orNull(checkId),
  allow_partial: checkFlag,
  format: oneOf(['arrow', 'danfo']),
};

const { format: __, async_mode: ___, names: ____, ...ofLongFrames } = GET_DF;
/** `writeDf` refuses the forms that it does not write by its own words. */
export const WRITE_DF: OptionKeys<WriteDfOptions> = {
  ...ofLongFrames,
  ...PARQUET_KEYS,
  ...CSV_KEYS,
  file_format: oneOf(FRAME_FORMATS),
};

export const REFRESH: OptionKeys<RefreshOptions> = {
  ...LONG_OPERATION,
  overlapMs: checkFinite,
  later_periods: checkFlag,
  allow_partial: checkFlag,
};

const REGION_WITH_ID = fieldsOf({ id: needed(checkId), name: orNull(checkText) });
const REGION_BY_NAME = fieldsOf({ name: needed(checkText) });
/** A region by name, by id, or by both, perhaps with the region that stands in for it. */
export const REGION: Check = (value, argument) => {
  if (typeof value === 'number') return checkId(value, argument);
  if (typeof value !== 'object') return checkText(value, argument);
  ((value as { id?: unknown } | null)?.id === undefined ? REGION_BY_NAME : REGION_WITH_ID)(value, argument);
  const { proxy_region } = value as { proxy_region?: unknown };
  if (proxy_region !== undefined) REGION(proxy_region, `${argument}.proxy_region`);
};
const RETRIEVAL: OptionKeys<RetrievalOptions> = {
  ...LONG_OPERATION,
  start_date: checkDate,
  end_date: checkDate,
  at_time: checkDate,
};
export const WEIGHTS: OptionKeys<ExplainWeightsOptions> = { ...RETRIEVAL, regions: needed(listOf(REGION)) };
export const WEIGHTED: OptionKeys<CropWeightedOptions> = {
  ...RETRIEVAL,
  weighting_crop_name: needed(checkText),
  weighting_metric_name: needed(checkText),
  item_name: needed(checkText),
  metric_name: needed(checkText),
  regions: needed(listOf(REGION)),
  weighting_func: checkFunction,
  weighting_start_date: checkDate,
  weighting_end_date: checkDate,
  weights_by: oneOf(['mean', 'year']),
};
export const WEIGHTED_AVERAGE: OptionKeys<CropWeightedAverageOptions> = {
  ...WEIGHTED,
  renormalise: checkFlag,
};

const KEY = needed(
  fieldsOf({
    metric_id: needed(checkId),
    item_id: needed(checkId),
    region_id: needed(checkId),
    source_id: needed(checkId),
    frequency_id: needed(checkId),
  }),
);
const checkCap = checkThat((value) => typeof value === 'number' && !Number.isNaN(value), 'a number');
const checkNames: Check = (value, argument) =>
  (Array.isArray(value) ? listOf(checkText) : checkText)(value, argument);
const GROWING: OptionKeys<GrowingOptions> = {
  ...LONG_OPERATION,
  at_time: checkDate,
  base_temperature: needed(checkFinite),
  start_date: needed(checkDate),
  end_date: needed(checkDate),
  min_temporal_coverage: checkShare,
  upper_temperature_cap: checkCap,
  method: checkMethod,
  cutoff: checkCutoff,
  missing: checkMissingDays,
  temperature_unit: checkTemperatureUnit,
  explain: checkFlag,
};
export const REGION_GROWING: OptionKeys<RegionGrowingOptions> = {
  ...GROWING,
  region_name: needed(checkNames),
};
export const COMPUTE_GDD: OptionKeys<ComputeGddOptions> = { ...GROWING, tmin_series: KEY, tmax_series: KEY };

const AREA_SERIES_KEYS: OptionKeys<AreaSeries> = {
  item_id: needed(checkId),
  metric_id: needed(checkId),
  frequency_id: needed(checkId),
  source_id: needed(checkId),
};
const AREA_SERIES = optionsOf(AREA_SERIES_KEYS);
export const AREA_WEIGHTING: OptionKeys<AreaWeightingOptions> = {
  ...CANCELLABLE,
  series: needed(AREA_SERIES),
  weights: needed(listOf(AREA_SERIES)),
  region_ids: needed(checkIds),
  method: oneOf(['sum', 'normalize']),
  start_date: checkDate,
  end_date: checkDate,
};
export const ZOOM: OptionKeys<GeojsonOptions> = { ...CANCELLABLE, zoom_level: whole({ min: 1, max: 8 }) };
export const SEARCH: OptionKeys<SearchOptions> = { ...CANCELLABLE, num_results: checkCount };
export const SEARCH_ALL: OptionKeys<SearchAllOptions> = {
  ...CANCELLABLE,
  types: listOf(oneOf(SEARCHABLE_TYPES)),
  limit: whole({ min: 1, max: 100 }),
};

const checkFacets: Check = (value, argument) =>
  (Array.isArray(value) ? listOf(oneOf(FACET_NAMES)) : oneOf(FACET_NAMES))(value, argument);
export const FACETS: OptionKeys<FacetOptions> = {
  ...CANCELLABLE,
  text: checkString,
  in: checkFacets,
  limit: whole({ min: 1, max: 10_000 }),
};
export const VINTAGES: OptionKeys<VintageOptions> = {
  ...CANCELLABLE,
  limit: whole({ min: 1, max: 10_000 }),
};

const checkPlace = checkThat(
  (value) =>
    Array.isArray(value) && value.length === 2 && isDegrees(value[0], 90) && isDegrees(value[1], 180),
  'a place: a latitude from -90 to 90 and a longitude from -180 to 180',
);

function isDegrees(value: unknown, max: number): boolean {
  return typeof value === 'number' && Math.abs(value) <= max;
}

/** Places by latitude and longitude. */
export const PLACES = listOf(checkPlace);

/** The keys of `BackUpOptions`. */
export const BACK_UP: OptionKeys<BackUpOptions> = { ...LONG_OPERATION, write: needed(checkFunction) };

/** The keys of `ImportFilesOptions`. */
export const IMPORT_FILES: OptionKeys<ImportFilesOptions> = {
  ...LONG_OPERATION,
  dataset: needed(checkText),
  files: listOf(
    fieldsOf({
      name: needed(checkText),
      content: needed(checkThat((value) => value instanceof Blob, 'a Blob')),
    }),
  ),
  settings: optionsOf({
    keepFlagged: checkFlag,
    units: checkText,
    statistic: checkText,
    positions: checkText,
    mapping: checkNothing,
  }),
  max_rejected_share: checkShare,
  max_rejected: whole(),
  max_conflicts: whole(),
  on_rejected: checkFunction,
};

export const ROLL_UP: OptionKeys<RollUpOptions> = {
  ...CANCELLABLE,
  to: needed(oneOf(Object.keys(ROLL_UP_LEVELS))),
  how: needed(oneOf(['sum', 'mean', 'weighted'])),
  weights: listOf(fieldsOf({ id: needed(checkId), weight: needed(checkFinite) })),
  min_coverage: checkShare,
};
