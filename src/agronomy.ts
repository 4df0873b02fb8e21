import './agronomy/frames/frame-methods.js';

export {
  type Climatology,
  type ClimatologyOptions,
  climatologyOf,
  compareToClimatology,
  type SeasonComparison,
} from './agronomy/degree-days/climatology.js';
export {
  type CornHeatUnits,
  type CornHeatUnitsOptions,
  cornHeatUnits,
} from './agronomy/degree-days/corn-heat-units.js';
export type { DatedValues, NumberColumn } from './agronomy/degree-days/daily-values.js';
export {
  type DegreeDays,
  type DegreeDaysOptions,
  dateOfThreshold,
  degreeDays,
  type ThresholdDate,
  type ThresholdOptions,
} from './agronomy/degree-days/degree-days.js';
export type { MissingDays } from './agronomy/degree-days/missing-days.js';
export type {
  AppliedRule,
  Cutoff,
  DegreeDayMethod,
  DegreeDayRule,
  TemperatureUnit,
} from './agronomy/degree-days/plan.js';
export { cutSeasons, type DayInterval, type SeasonBounds } from './agronomy/degree-days/seasons.js';

export type { FrameDegreeDaysOptions } from './agronomy/frames/degree-days-of.js';
export type {
  SeasonStatistic,
  SeasonStatisticsOptions,
} from './agronomy/frames/season-statistics.js';
export type { ExplainedWeights } from './agronomy/models/crop-weighting.js';
export type { RegionDegreeDays } from './agronomy/models/growing-degree-days.js';
export { weightsFrame } from './agronomy/models/weights-frame.js';
export {
  countDaysBeyond,
  type DayBounds,
  type DayCount,
  findSpells,
  type Spell,
  type SpellOptions,
} from './agronomy/weather/days-beyond.js';
export {
  type FrostDates,
  type FrostOptions,
  frostDates,
  type GrowingSeason,
  type GrowingSeasonOptions,
  growingSeasons,
} from './agronomy/weather/frost-and-growth.js';
export { type HargreavesOptions, hargreavesEvapotranspiration } from './agronomy/weather/hargreaves.js';
export {
  type PrecipitationIndexOptions,
  standardisedPrecipitationIndex,
} from './agronomy/weather/precipitation-index.js';
export type {
  AcrossOptions,
  WeightingOptions,
} from './agronomy/weighting/weigh-regions.js';
export type { RegionWeight, RegionWeights, WeightedRegion } from './agronomy/weighting/weights.js';
export type { WeightingFunction } from './compute/weighting.js';
