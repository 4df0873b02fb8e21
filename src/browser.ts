import type { ClientOptions } from './client/client.js';
import { type Client, composeClient } from './compose-client.js';

export type { DegreeDays } from './agronomy/degree-days/degree-days.js';
export type { MissingDays } from './agronomy/degree-days/missing-days.js';
export type { AppliedRule, Cutoff, DegreeDayMethod, TemperatureUnit } from './agronomy/degree-days/plan.js';
export type { DayInterval } from './agronomy/degree-days/seasons.js';
export type {
  CropWeightedAverageOptions,
  CropWeightedOptions,
  CropWeightingOperations,
  ExplainedWeights,
  ExplainWeightsOptions,
  FromPartsOptions,
  RetrievalOptions,
  WeightList,
} from './agronomy/models/crop-weighting.js';
export type {
  ComputeGddOptions,
  GrowingDegreeDayOperations,
  GrowingOptions,
  RegionDegreeDays,
  RegionGrowingOptions,
  RegionsGrowingOptions,
} from './agronomy/models/growing-degree-days.js';
export type { CropRegion, RegionOrName } from './agronomy/models/resolve-regions.js';
export type { RollingUpOperations, RollUpOptions, RollUpTarget } from './agronomy/models/rolling-up.js';
export type { AcrossOptions } from './agronomy/weighting/weigh-regions.js';
export type { RegionWeight, RegionWeights, WeightedRegion } from './agronomy/weighting/weights.js';
export { getAccessToken } from './client/access-token.js';
export type { AreaWeightingOperations, AreaWeightingOptions } from './client/area-weighting.js';
export type { ClientOptions, ServiceOperations } from './client/client.js';
export type {
  AncestorOptions,
  ContainmentOperations,
  DescendantOptions,
  EntityId,
  Traversed,
  TraverseOptions,
} from './client/containment.js';
export type { Explained, FindOperations, FindOptions } from './client/discovery/find-series.js';
export type { SeriesRankingOperations, SeriesSelection } from './client/discovery/rank-series.js';
export type {
  ExplainedSeries,
  FoundSeries,
  Resolution,
  ResolveOptions,
  WordedName,
} from './client/discovery/resolution.js';
export type { AvailableCombination, AvailableEntities, EntityOperations } from './client/entities.js';
export type {
  FacetOperations,
  FacetOptions,
  Facets,
  VintageOptions,
} from './client/facets.js';
export type {
  GeoCentre,
  GeocodedPlace,
  GeographyOperations,
  GeojsonOptions,
  RegionPolygons,
  RegionShape,
} from './client/geography.js';
export type { CacheOptions } from './client/http/answer-cache.js';
export type { Fetch } from './client/http/request.js';
export type { DataPoint, DataPoints, PointOperations, PointRequest } from './client/points/points.js';
export type { RankingOperations, TopItem, TopOptions } from './client/ranking.js';
export type { NameOperations } from './client/resolve.js';
export type { SearchAllOptions, SearchOperations, SearchOptions } from './client/search.js';
export type { SeriesOperations, TimeFrequency } from './client/series.js';
export type {
  BackUpOptions,
  BackupOperations,
  FetchedBackup,
  ImportFile,
  ImportFilesOptions,
  ImportOperations,
} from './client/upkeep.js';
export type { NullableDates, PackedPoints, PointSet } from './columns/packed-points.js';
export type { PointSeries } from './columns/point-columns.js';
export type { RowRun } from './columns/row-runs.js';
export type { DateGrid, SeriesDates } from './columns/series-dates.js';
export type { WeightingFunction } from './compute/weighting.js';
export type { CountedHit, VintageDate, Vintages } from './contract/endpoints.js';
export type {
  AreaSeries,
  AreaSeriesDescription,
  AreaWeightedPoint,
  AreaWeightedSeries,
} from './contract/requests/area-weighting.js';
export type { AlignOptions } from './frame/combine/join.js';
export type { JoinOn, JoinOptions } from './frame/combine/join-dates.js';
export type { JoinHow, KeyJoinOptions } from './frame/combine/join-keys.js';
export type {
  ChecksumState,
  FrameDescription,
  FrameSummary,
  ReportSummary,
} from './frame/display/describe.js';
export type { DisplayOptions } from './frame/display/display-frame.js';
export type { HtmlOptions } from './frame/display/frame-html.js';
export { progressBar } from './frame/display/progress-bar.js';
export type {
  DanfoFrame,
  DanfoFrameFields,
  DanfoModule,
} from './frame/formats/danfo.js';
export type {
  CsvOptions,
  FrameFormat,
  ParquetOptions,
  WriteFrameOptions,
} from './frame/formats/frame-formats.js';
export { fromColumns, fromRows } from './frame/formats/from-rows.js';
export { type ParquetModule, setParquetModule } from './frame/formats/parquet/parquet-module.js';
export { fromParquet } from './frame/formats/parquet/read-parquet.js';
export { fromArrow } from './frame/formats/read-arrow.js';
export { type FromCsvOptions, fromCsv, type StatedColumns } from './frame/formats/read-csv.js';
export {
  type ComputeRow,
  type DescribeColumns,
  Frame,
  frame,
  type GroupedFrame,
  type JoinedByKeys,
  type LongFrame,
  type WideFrame,
} from './frame/frame.js';
export type {
  Computations,
  Computed,
  Group,
  KeyColumns,
  RolledUp,
  RollupValues,
} from './frame/groups/agg.js';
export {
  type AggregateName,
  type Aggregation,
  agg,
  type Computation,
  type ComputedColumn,
  type ResultKind,
} from './frame/groups/agg.js';
export type { SortKey, SortKeys } from './frame/groups/order-rows.js';
export {
  type OffsetOptions,
  type RankOptions,
  type RollingOptions,
  type Window,
  type WindowLength,
  type WindowOrder,
  windows,
} from './frame/groups/windows.js';
export type { RowValue } from './frame/table/cell-column.js';
export type { Cell } from './frame/table/cells.js';
export type {
  AnyColumn,
  ColumnOf,
  ColumnValues,
  DictionaryColumn,
  FrameColumn,
  Validity,
} from './frame/table/columns.js';
export type { LongColumns, NameDictionary, WideColumns } from './frame/table/frame-types.js';
export type { NamedSeries } from './frame/table/names.js';
export type * from './frame/table/row-types.js';
export type { FrameShape, SeriesView } from './frame/table/series-view.js';
export type { CutOptions } from './frame/verbs/cut.js';
export type { FillOptions } from './frame/verbs/fill.js';
export type { FilterOptions } from './frame/verbs/filter.js';
export type { AnomalyOptions, RollingMeanOptions, YearOverYearOptions } from './frame/verbs/per-point.js';
export type { Pivoted, PivotOptions, UnpivotOptions } from './frame/verbs/pivot.js';
export type { ResampleOptions } from './frame/verbs/resample.js';
export type { SeriesChoice } from './frame/verbs/select-series.js';
export type { WithColumnOptions } from './frame/verbs/with-column.js';
export type { RequestAttempt, RetryPolicy } from './http/retries.js';
export type { Calendar } from './model/calendar.js';
export type { Aggregate } from './model/derivations.js';
export {
  type Containing,
  type ContainingType,
  type ConversionFactor,
  type Entity,
  type EntityOf,
  type EntityType,
  type Frequency,
  type Item,
  type MatchedArguments,
  type MatchedName,
  type MatchedNames,
  type Metric,
  type PeriodLength,
  REGION_LEVELS,
  type Region,
  type SearchableType,
  type SearchHit,
  type Source,
  type Unit,
} from './model/entity.js';
export {
  ArgumentError,
  type ArgumentFault,
  AuthenticationError,
  ContractError,
  CoverageError,
  CropframeError,
  type ErrorCode,
  HttpError,
  IngestError,
  type IngestPlace,
  type NameArgument,
  NetworkError,
  NotFoundError,
  type Phrase,
  RateLimitError,
  RuntimeError,
  StoreError,
  TimeoutError,
  UnitError,
} from './model/errors.js';
export type { FrequencyName } from './model/frequency.js';
export type { DatasetAsked, DatasetDocument, RejectedLine } from './model/importing/job.js';
export type * from './model/importing/outcome.js';
export type { Meaning, ResolvedName } from './model/names/meaning.js';
export type * from './model/progress.js';
export type { Provenance } from './model/provenance.js';
export { PartialDataError, type RetrievalReport, type SeriesReport } from './model/report.js';
export type { KnownKeys, OptionsOf } from './model/schema/check.js';
export type { PointFlags } from './model/schema/fields.js';
export { FACETS, type FacetName, type FacetValue, type Selection } from './model/selection.js';
export type { Coverage, DataSeries, SeriesKey } from './model/series.js';
export type { CatalogueOperations } from './saved/catalogue.js';
export type { GetDfOptions } from './saved/get-df.js';
export type { RefreshOptions } from './saved/refresh-df.js';
export type {
  ArrowDfOptions,
  DanfoDfOptions,
  LongDfOptions,
  SavedOperations,
  WideDfOptions,
} from './saved/saved.js';
export type { SavableSeries, SavedSeries } from './saved/saved-series.js';
export type { WantedUnit } from './saved/unit-choice.js';
export type { WriteDfOptions, WrittenFrame } from './saved/write-df.js';
export type { Client };

/**
 * Creates a client for a service in a browser. The client has no cache on disk, and `writeDf` refuses to write files.
 * @throws RuntimeError if there is no access token; ArgumentError if an option is invalid
 * @example
 * ```ts
 * const client = createClient({ api_host: 'https://data.example.org', access_token });
 * await client.addDataSeries({ metric: 'yield', item: 'corn', region: 'iowa' });
 * const table = await client.getDf();
 * ```
 */
export function createClient(options: ClientOptions = {}): Client {
  return composeClient(options, {});
}
