import './frame/display/show-frames.js';

export {
  type AccumulatedPlotOptions,
  type PlottedSeason,
  plotAccumulatedDegreeDays,
} from './charts/accumulated-degree-days.js';
export type {
  Chart,
  ChartFigure,
  ChartForm,
  DescribedTexts,
  DrawnFigureLine,
  DrawOptions,
  FigurePanel,
} from './charts/chart.js';
export type { VegaLiteSpec } from './charts/draw.js';
export { type FramePlotOptions, plotFrame } from './charts/frame.js';
export {
  type MapPlotOptions,
  type PlottedGeometries,
  type PlottedPolygons,
  type PlottedShape,
  type PlottedShapes,
  plotMap,
} from './charts/map.js';
export type { MapClasses } from './charts/map-colours.js';
export type { Annotation } from './charts/panels.js';
export { type PlotMark, type PlotOptions, plot } from './charts/plot.js';
export { plotRevisions, type RevisionsPlotOptions } from './charts/revisions.js';
export { type PlottedSeries, plotSeries, type SeriesPlotOptions } from './charts/series.js';
export type { ChartTexts } from './charts/texts.js';
export type { Theme } from './charts/theme.js';
export { plotWeights, type WeightsPlotOptions } from './charts/weights.js';
export { plotUsualYear, plotYears } from './charts/years.js';
