import type { SeriesKey } from '../../model/series.js';
import type { Every, How, ViewState } from './view-state.js';

/** What the page asks of the service, and what becomes of the answer before it is shown. Code for scripts is made of it. */
export interface DataRequest {
  readonly series: readonly SeriesKey[];
  /** Regions in the place of that of the only series: the same figures of many places. */
  readonly regions?: readonly number[] | undefined;
  readonly from: string | null;
  readonly to: string | null;
  /** Only what was available by the end of this day. */
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

/** The last moment of a day, for `at_time`: what became available on the day counts as known on it. */
export function endOfDay(day: string): string {
  return `${day}T23:59:59.999Z`;
}

/** The frequency to which a calendar period resamples. */
export const RESAMPLED = { week: 'weekly', month: 'monthly', quarter: 'quarterly', year: 'annual' } as const;
