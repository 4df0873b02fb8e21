import type { Axes, Every, How, Scale } from '../../model/chart-choices.js';
import type { Note } from '../../model/chart-notes.js';
import type { SeriesKey } from '../../model/series.js';

/** The panels of the page, in the order of their tabs. */
export const VIEWS = ['chart', 'table', 'map', 'revisions', 'degree-days', 'weights'] as const;
/** A panel of the page. */
export type View = (typeof VIEWS)[number];

/** The lists in which series are narrowed down, in the order of the page. */
export const FACETS = ['metric', 'item', 'region', 'source', 'frequency'] as const;
/** A list in which series are narrowed down. */
export type Facet = (typeof FACETS)[number];

/** The wanted ids of each facet; none restricts nothing. */
export type Filters = Readonly<Record<Facet, readonly number[]>>;

/** A filter that restricts nothing. */
export const NO_FILTERS: Filters = { metric: [], item: [], region: [], source: [], frequency: [] };

/** Settings of the panel of degree days. */
export interface DegreeDayState {
  readonly station: number | null;
  readonly base: number | null;
  readonly cap: number | null;
  readonly method: string | null;
  /** First and last day of the season, `MM-DD`. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Settings of the panel of crop weights. */
export interface WeightState {
  readonly crop: number | null;
  readonly metric: number | null;
  readonly regions: readonly number[];
  /** The series whose values are weighted: its item and its metric. */
  readonly item: number | null;
  readonly value: number | null;
}

/** Whether colours of a map are those of all dates or of the shown one, and how classes are made. */
export const MAP_COLOURS = ['all', 'date'] as const;
/** How classes of a map are made. */
export const MAP_CLASSES = ['steps', 'quantiles'] as const;

/** All of the page that a link restores. Dates are `YYYY-MM-DD`. */
export interface ViewState {
  readonly view: View;
  readonly series: readonly SeriesKey[];
  readonly filters: Filters;
  readonly from: string | null;
  readonly to: string | null;
  readonly asof: string | null;
  /** The unit into which values are converted. */
  readonly unit: number | null;
  readonly scale: Scale;
  readonly every: Every | null;
  readonly how: How;
  readonly axes: Axes;
  readonly notes: readonly Note[];
  /** The dates of the map, and of a second one to compare. */
  readonly date: string | null;
  readonly otherDate: string | null;
  readonly colours: (typeof MAP_COLOURS)[number];
  readonly classes: (typeof MAP_CLASSES)[number];
  /** Takes the nearest earlier value where a region has none on the date of the map. */
  readonly nearest: boolean;
  readonly query: string;
  readonly degreeDays: DegreeDayState;
  readonly weights: WeightState;
}

/** The page before anything is chosen. */
export const EMPTY_STATE: ViewState = {
  view: 'chart',
  series: [],
  filters: NO_FILTERS,
  from: null,
  to: null,
  asof: null,
  unit: null,
  scale: 'auto',
  every: null,
  how: 'mean',
  axes: 'panels',
  notes: [],
  date: null,
  otherDate: null,
  colours: 'all',
  classes: 'steps',
  nearest: false,
  query: '',
  degreeDays: { station: null, base: null, cap: null, method: null, from: null, to: null },
  weights: { crop: null, metric: null, regions: [], item: null, value: null },
};

/** The request of the page, and the steps from the answer to the view. Code for scripts is made of it. */
export interface DataRequest {
  readonly series: readonly SeriesKey[];
  /** Regions in the place of that of the only series: the same figures of many places. */
  readonly regions?: readonly number[] | undefined;
  readonly from: string | null;
  readonly to: string | null;
  /** Only points that were available by the end of this day. */
  readonly asof: string | null;
  readonly unit: number | null;
  readonly every: Every | null;
  readonly how: How;
  readonly scale: ViewState['scale'];
  /** Every vintage of each period, with the dates on which it became available. */
  readonly vintages?: boolean | undefined;
}

/** The request of a state. */
export function requestOf(state: ViewState): DataRequest {
  const { series, from, to, asof, unit, every, how, scale } = state;
  return { series, from, to, asof, unit, every, how, scale };
}
