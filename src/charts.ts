import './frame/display/show-frames.js';

export {
  type AccumulatedPlotOptions,
  type PlottedSeason,
  plotAccumulatedDegreeDays,
} from './charts/accumulated-degree-days.js';
export { type FramePlotOptions, plotFrame } from './charts/frame.js';
export { type PlottedSeries, plotSeries, type SeriesPlotOptions } from './charts/series.js';
