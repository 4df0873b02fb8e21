import type { Climatology, DegreeDayMethod, DegreeDays } from '../../agronomy.js';
import { climatologyOf, cutSeasons, degreeDays } from '../../agronomy.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import type { Line } from '../series/lines.js';

/** How degree days are computed. Temperatures are °C. */
export interface SeasonRule {
  readonly base: number;
  readonly cap: number | null;
  readonly method: DegreeDayMethod;
  /** First and last day, `MM-DD`; the last is in the next year when it is before the first. */
  readonly from: string;
  readonly to: string;
}

/** A season with its degree days. */
export interface Season extends DegreeDays {
  readonly label: string;
  readonly region_name: string;
  readonly tmin_series: { readonly source_name: string };
  readonly isWhole: boolean;
}

/** The seasons of a place, and what is usual of the whole ones among them. */
export interface Seasons {
  readonly seasons: readonly Season[];
  /** Null with fewer whole seasons than it needs. */
  readonly climatology: Climatology | null;
}

/** Fewer seasons say nothing of what is usual. */
const MIN_REFERENCE = 3;
/** A season with fewer of its days is not taken for the climatology. */
const MIN_COVERAGE = 0.95;

/** Daily values on consecutive days from the first day of either line to the last. */
export function dailyOf(tmin: Line, tmax: Line): { start: string; tmin: Float64Array; tmax: Float64Array } {
  const ends = [tmin, tmax].filter(({ start }) => start.length > 0);
  if (ends.length < 2) throw new Error('This place has no daily minima and maxima.');
  const first = Math.min(...ends.map(({ start }) => start[0]!));
  const last = Math.max(...ends.map(({ end }) => end.at(-1)!));
  const days = Math.floor((last - first) / DAY_MS) + 1;
  const fill = ({ start, value }: Line) => {
    const daily = new Float64Array(days).fill(Number.NaN);
    start.forEach((ms, row) => {
      daily[Math.floor((ms - first) / DAY_MS)] = value[row]!;
    });
    return daily;
  };
  return { start: formatDay(first), tmin: fill(tmin), tmax: fill(tmax) };
}

/** The degree days of every season of two daily series, and their climatology. */
export function seasonsOf(lines: { readonly tmin: Line; readonly tmax: Line }, rule: SeasonRule): Seasons {
  const daily = dailyOf(lines.tmin, lines.tmax);
  const bounds = { from: rule.from, to: rule.to };
  const minima = cutSeasons({ start: daily.start, values: daily.tmin }, bounds);
  const maxima = cutSeasons({ start: daily.start, values: daily.tmax }, bounds);
  const longest = Math.max(0, ...minima.map(({ values }) => values.length));
  const seasons = minima.map(({ start, values }, at): Season => {
    const computed = degreeDays({
      tmin: values,
      tmax: maxima[at]!.values,
      base: rule.base,
      cap: rule.cap ?? undefined,
      cutoff: rule.cap === null ? 'none' : 'horizontal',
      method: rule.method,
      start,
      temperature_unit: 'celsius',
    });
    return {
      ...computed,
      label: start.slice(0, 4),
      region_name: lines.tmin.names.region_name,
      tmin_series: { source_name: lines.tmin.names.source_name },
      isWhole: computed.coverage >= MIN_COVERAGE && values.length >= longest - 1,
    };
  });
  return { seasons, climatology: usualOf(seasons) };
}

function usualOf(seasons: readonly Season[]): Climatology | null {
  const whole = seasons.filter(({ isWhole }) => isWhole);
  if (whole.length < MIN_REFERENCE) return null;
  return climatologyOf(
    whole.map(({ interval, accumulated }) => ({ start: interval!.start_date, values: accumulated })),
  );
}
