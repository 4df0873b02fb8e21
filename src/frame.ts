export type { RowRun } from './columns/row-runs.js';

import './frame/display/show-frames.js';

export {
  type FrameStream,
  type LongFrameOptions,
  type LongStreamOptions,
  longFrame,
  streamLong,
} from './frame/build/long.js';
export { type WideFrameOptions, wideFrame } from './frame/build/wide.js';
export { type AlignJoin, align } from './frame/combine/align.js';
export { concat } from './frame/combine/concat.js';
export { type JoinOptions, join, type KeyJoinOptions } from './frame/combine/join.js';
export type { JoinHow } from './frame/combine/join-keys.js';
export type { JoinOn } from './frame/combine/join-sides.js';
export { creditOf } from './frame/display/credit.js';
export { type DisplayOptions, displayFrame } from './frame/display/display-frame.js';
export { frameHtml } from './frame/display/frame-html.js';
export { type PageSection, renderPage } from './frame/display/page.js';
export { progressLine } from './frame/display/progress-bar.js';
export { writeArrow } from './frame/formats/arrow.js';
export type { ParquetOptions } from './frame/formats/frame-formats.js';
export { writeParquet } from './frame/formats/parquet/parquet.js';
export type { LongColumns, LongFrame, WideColumns, WideFrame } from './frame/table/frame-types.js';
export type { NamedSeries } from './frame/table/names.js';
export { readProvenance, withProvenance } from './frame/table/provenance.js';
export type { SeriesView } from './frame/table/series-view.js';
export { type AnomalyOptions, anomaly } from './frame/verbs/anomaly.js';
export { rename, select } from './frame/verbs/columns.js';
export { describe } from './frame/verbs/describe.js';
export { type FilterOptions, filter } from './frame/verbs/filter.js';
export { type ResampleOptions, resample } from './frame/verbs/resample.js';
export { type RollingMeanOptions, rollingMean } from './frame/verbs/rolling-mean.js';
export { head, type SortKey, sample, sortBy } from './frame/verbs/rows.js';
export { type SeriesChoice, selectSeries } from './frame/verbs/select-series.js';
export { withShortNames } from './frame/verbs/short-names.js';
export { type RowValues, type WithColumnOptions, withColumn } from './frame/verbs/with-column.js';
export { type YearOverYearOptions, yearOverYear } from './frame/verbs/year-over-year.js';
export type { Calendar } from './model/calendar.js';
export type { Aggregate } from './model/derivations.js';
export type { EntityNames } from './model/entity.js';
export type { FrequencyName } from './model/frequency.js';
