import './frame/display/show-frames.js';

export { accumulate, accumulateFromBiofix } from './agronomy/degree-days/accumulation.js';
export { climatologyOf, compareToClimatology } from './agronomy/degree-days/climatology.js';
export { cornHeatUnits } from './agronomy/degree-days/corn-heat-units.js';
export { dateOfThreshold } from './agronomy/degree-days/date-of-threshold.js';
export { type DegreeDays, type DegreeDaysOptions, degreeDays } from './agronomy/degree-days/degree-days.js';
export { type DegreeDaysMatrix, degreeDaysMatrix } from './agronomy/degree-days/matrix.js';
export { cutSeasons } from './agronomy/degree-days/seasons.js';
export type { CropWeightedOptions, ExplainedWeights } from './agronomy/models/crop-weighting.js';
export { degreeDaysFrame } from './agronomy/models/degree-days-frame.js';
export type { GrowingOptions, RegionDegreeDays } from './agronomy/models/growing-degree-days.js';
export type { CropRegion, RegionOrName } from './agronomy/models/resolve-regions.js';
export { weightsFrame } from './agronomy/models/weights-frame.js';
export { sumAcrossRegions } from './agronomy/weights/sum-across-regions.js';
export { cropWeightedAverage, weightSeries } from './agronomy/weights/weighted-series.js';
export { weightsByYear, weightsFromMeans } from './agronomy/weights/weights.js';
export { plotAccumulatedDegreeDays } from './charts/accumulated-degree-days.js';
export { plotFrame } from './charts/frame.js';
export { plotSeries } from './charts/series.js';
export { getAccessToken } from './client/access-token.js';
export type { ClientOptions } from './client/client.js';
export type { ExplainedSeries, FindOptions } from './client/discovery/find-series.js';
export type { GeoCentre, RegionShape } from './client/geography.js';
export type { CacheOptions } from './client/http/answer-cache.js';
export type { PointRequest } from './client/points/points.js';
export type { TopItem } from './client/ranking.js';
export type { TimeFrequency } from './client/series.js';
export type { PointColumns, PointSet } from './columns/point-columns.js';
export { type Client, createClient } from './create-client.js';
export { longFrame } from './frame/build/long.js';
export { streamLong } from './frame/build/long-stream.js';
export { wideFrame } from './frame/build/wide.js';
export { describeFrame } from './frame/display/describe.js';
export { displayFrame } from './frame/display/display-frame.js';
export { frameHtml } from './frame/display/frame-html.js';
export { type PageSection, renderPage } from './frame/display/page.js';
export { progressBar, progressLine } from './frame/display/progress-bar.js';
export { fromArrowFile, fromArrowStream, toArrowFile, toArrowStream } from './frame/formats/arrow.js';
export { fromCsv, toCsv } from './frame/formats/csv.js';
export { toDanfo } from './frame/formats/danfo.js';
export { fromParquet, toParquet } from './frame/formats/parquet.js';
export { fromColumns, fromRows, toColumns, toRows } from './frame/formats/rows.js';
export { writeArrow } from './frame/formats/write-arrow.js';
export { writeFrame } from './frame/formats/write-frame.js';
export { writeParquet } from './frame/formats/write-parquet.js';
export { type FrameColumn, readColumn } from './frame/table/columns.js';
export type { LongColumns, LongFrame, WideColumns, WideFrame } from './frame/table/frame-types.js';
export { readProvenance, withProvenance } from './frame/table/provenance.js';
export { align } from './frame/verbs/align.js';
export { anomaly } from './frame/verbs/anomaly.js';
export { resample } from './frame/verbs/resample.js';
export { rollingMean } from './frame/verbs/rolling-mean.js';
export { selectSeries } from './frame/verbs/select-series.js';
export { yearOverYear } from './frame/verbs/year-over-year.js';
export {
  type Entity,
  type EntityOf,
  type EntityType,
  type Frequency,
  type Item,
  type Metric,
  REGION_LEVELS,
  type Region,
  type Source,
  type Unit,
} from './model/entity.js';
export {
  ArgumentError,
  AuthenticationError,
  ContractError,
  CoverageError,
  CropframeError,
  type ErrorCode,
  HttpError,
  IngestError,
  NetworkError,
  NotFoundError,
  RateLimitError,
  RuntimeError,
  StoreError,
  TimeoutError,
  UnitError,
} from './model/errors.js';
export type { DataPoint, PointFlags } from './model/point.js';
export type { LongOperation, Progress } from './model/progress.js';
export type { Provenance } from './model/provenance.js';
export { PartialDataError, type RetrievalReport, type SeriesReport } from './model/report.js';
export type { Selection } from './model/selection.js';
export type { DataSeries, SeriesKey } from './model/series.js';
export type { GetDfOptions } from './saved/get-df.js';
export type { RefreshOptions } from './saved/refresh/refresh-df.js';
export type { WriteDfOptions, WrittenFrame } from './saved/write-df.js';
