export { accumulate, accumulateFromBiofix } from './agronomy/accumulation.js';
export { climatologyOf, standAgainst } from './agronomy/climatology.js';
export { cornHeatUnits } from './agronomy/corn-heat-units.js';
export type { CropWeightedOptions, ExplainedWeights } from './agronomy/crop-weighting.js';
export { dateOfReaching } from './agronomy/date-of-reaching.js';
export { type DegreeDays, type DegreeDaysOptions, degreeDays } from './agronomy/degree-days.js';
export { degreeDaysFrame } from './agronomy/degree-days-frame.js';
export { type DegreeDaysMatrix, degreeDaysMatrix } from './agronomy/degree-days-matrix.js';
export type { GrowingOptions, RegionDegreeDays } from './agronomy/growing-degree-days.js';
export { plotAccumulatedDegreeDays } from './agronomy/plots/accumulated-degree-days.js';
export { plotFrame } from './agronomy/plots/frame.js';
export { plotSeries } from './agronomy/plots/series.js';
export type { CropRegion, RegionOrName } from './agronomy/region-places.js';
export { cutSeasons } from './agronomy/seasons.js';
export { sumAcrossRegions } from './agronomy/sum-across-regions.js';
export { cropWeightedAverage, weightSeries } from './agronomy/weighted-series.js';
export { weightsByYear, weightsFromMeans } from './agronomy/weights.js';
export { weightsFrame } from './agronomy/weights-frame.js';
export { getAccessToken } from './client/access-token.js';
export type { CacheOptions } from './client/answer-cache.js';
export type { ClientOptions } from './client/client.js';
export type { ExplainedSeries, FindOptions } from './client/find-series.js';
export type { GeoCentre, RegionShape } from './client/geography.js';
export type { PointRequest } from './client/points.js';
export type { TopItem } from './client/ranking.js';
export type { TimeFrequency } from './client/series.js';
export { type Client, createClient } from './create-client.js';
export { type PageSection, renderPage } from './explorer/page.js';
export { align } from './frame/align.js';
export { anomaly } from './frame/anomaly.js';
export { fromArrowFile, fromArrowStream, toArrowFile, toArrowStream } from './frame/arrow.js';
export { type FrameColumn, readColumn } from './frame/columns.js';
export { fromCsv, toCsv } from './frame/csv.js';
export { toDanfo } from './frame/danfo.js';
export { describeFrame } from './frame/describe.js';
export { displayFrame, withDisplay } from './frame/display.js';
export { frameHtml } from './frame/display-html.js';
export { longFrame } from './frame/long.js';
export { streamLong } from './frame/long-stream.js';
export { fromParquet, toParquet } from './frame/parquet.js';
export { progressBar, progressLine } from './frame/progress-bar.js';
export { readProvenance, withProvenance } from './frame/provenance.js';
export { resample } from './frame/resample.js';
export { rollingMean } from './frame/rolling-mean.js';
export { fromColumns, fromRows, toColumns, toRows } from './frame/rows.js';
export { selectSeries } from './frame/select-series.js';
export { wideFrame } from './frame/wide.js';
export { writeArrow } from './frame/write-arrow.js';
export { writeFrame } from './frame/write-frame.js';
export { writeParquet } from './frame/write-parquet.js';
export { yearOverYear } from './frame/year-over-year.js';
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
export type { DataPoint, PointColumns, PointFlags, PointSet } from './model/point.js';
export type { LongOperation, Progress } from './model/progress.js';
export type { Provenance } from './model/provenance.js';
export { PartialDataError, type RetrievalReport, type SeriesReport } from './model/report.js';
export type { Selection } from './model/selection.js';
export type { DataSeries, SeriesKey } from './model/series.js';
export type { GetDfOptions } from './saved/get-df.js';
export type { RefreshOptions } from './saved/refresh-df.js';
export type { WriteDfOptions, WrittenFrame } from './saved/write-df.js';
