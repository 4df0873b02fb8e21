import './charts/frame-methods.js';

export {
  type AccumulatedPlotOptions,
  type PlottedSeason,
  plotAccumulatedDegreeDays,
} from './charts/accumulated-degree-days.js';
export type {
  Annotation,
  Chart,
  ChartFigure,
  ChartForm,
  ChartTexts,
  DescribedTexts,
  DrawOptions,
  FigurePanel,
  FramePlotOptions,
} from './charts/chart.js';
export type { VegaLiteSpec } from './charts/draw.js';
export type { PeriodValues } from './charts/lines.js';
export {
  type MapPlotOptions,
  type PlottedGeometries,
  type PlottedShapes,
  plotMap,
} from './charts/map.js';
export type { PlotMark, PlotOptions } from './charts/plot.js';
export { plotRevisions, type RevisionsPlotOptions } from './charts/revisions.js';
export type { Theme } from './charts/theme.js';
export { plotWeights, type WeightsPlotOptions } from './charts/weights.js';
export { plotUsualYear, plotYears } from './charts/years.js';
