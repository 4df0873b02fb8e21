import { type Climatology, climatologyOf } from '../agronomy/degree-days/climatology.js';
import { sliceDays } from '../agronomy/degree-days/daily-values.js';
import { type DegreeDays, degreeDays } from '../agronomy/degree-days/degree-days.js';
import {
  type DegreeDayMethod,
  TEMPERATURE_SYMBOLS,
  type TemperatureUnit,
} from '../agronomy/degree-days/plan.js';
import { type DayInterval, type SeasonBounds, seasonsIn } from '../agronomy/degree-days/seasons.js';
import { dailySeries, seasonsOfSeries } from '../agronomy/frames/daily-series.js';
import type { SeriesPoints } from '../frame/series/series-points.js';
import { formatDay, parseTime } from '../model/time.js';
import { plotAccumulatedDegreeDays } from './accumulated-degree-days.js';
import type { Chart, ChartTexts } from './chart.js';
import { comparisonText } from './headline.js';
import type { Writer } from './language.js';
import { WHOLE } from './lines.js';

interface SeasonRule extends SeasonBounds {
  readonly unit: TemperatureUnit;
  readonly base: number;
  readonly cap: number | null;
  readonly method: DegreeDayMethod;
}

const MIN_REFERENCE = 5;
/** The minimum share of days with data that a season needs in order to be compared with others. */
const MIN_COVERAGE = 0.95;

/** Aligns daily minima and maxima so that both cover all days from the earliest to the latest day of either series. */
export function dailyOf(minima: SeriesPoints, maxima: SeriesPoints) {
  const both = [minima, maxima].map(dailySeries);
  const days = seasonsOfSeries(both, undefined)[0]!;
  const [tmin, tmax] = both.map((series) => sliceDays(series, days)) as [Float64Array, Float64Array];
  return { start_date: formatDay(days.firstMs), tmin, tmax };
}

/** Computes each season's degree days, and a climatology of earlier complete seasons (null if there are too few). */
export function seasonsOf(
  series: { readonly tmin: SeriesPoints; readonly tmax: SeriesPoints },
  { from, to, unit, base, cap, method }: SeasonRule,
) {
  const { start_date, tmin, tmax } = dailyOf(series.tmin, series.tmax);
  const { names } = series.tmin.view;
  const cut = seasonsIn({ start_date, values: tmin }, { from, to }).filter(({ at }) => at >= 0);
  const seasons = cut.map(({ firstMs, days, at }) => {
    const start_date = formatDay(firstMs);
    const computed = degreeDays({
      tmin: tmin.subarray(at, at + days),
      tmax: tmax.subarray(at, at + days),
      next_tmin: tmin[at + days],
      base_temperature: base,
      upper_temperature_cap: cap,
      temperature_unit: unit,
      method,
      start_date,
      // The table of seasons shows each season's coverage, so no minimum is required here.
      min_temporal_coverage: 0,
    });
    return {
      ...computed,
      interval: computed.interval!,
      label: start_date.slice(0, 4),
      region_name: names.get('region_name') ?? '',
      tmin_series: { source_name: names.get('source_name') ?? '' },
      isWhole: computed.coverage >= MIN_COVERAGE && computed.days === days,
    };
  });
  const whole = seasons
    .slice(0, -1)
    .filter(({ isWhole }) => isWhole)
    .map(({ interval, accumulated }) => ({ start_date: interval.start_date, values: accumulated }));
  return { seasons, climatology: whole.length < MIN_REFERENCE ? null : climatologyOf(whole) };
}

export type Seasons = ReturnType<typeof seasonsOf>;
export type Season = Seasons['seasons'][number];

/** The maximum number of seasons drawn as lines. Earlier seasons are included only in the climatology band. */
const MAX_LINES = 6;

/** Describes a season in one sentence: its total, and a comparison with the climatology's median if there is one. */
export function seasonHeadline(
  season: Omit<DegreeDays, 'interval'> & { interval: DayInterval; region_name: string },
  climatology: Climatology | undefined,
  write: Writer,
): string {
  const { number, quantity, period } = write;
  const { total, coverage, interval, temperature_unit, region_name } = season;
  const [start, end] = [parseTime(interval.start_date, 'start'), parseTime(interval.end_date, 'end')];
  const text = `${region_name} degree days, ${period(start, end)}: ${quantity(total, `${TEMPERATURE_SYMBOLS[temperature_unit]}·day`, WHOLE)}`;
  if (coverage < MIN_COVERAGE)
    return `${text}, with values on ${quantity(Math.floor(coverage * 100), '%')} of the days`;
  const day = interval.end_date.slice(5).replace('02-29', '02-28');
  const at = climatology?.days.indexOf(day) ?? -1;
  const median = climatology?.curves[climatology.percentiles.indexOf(50)]?.[at] ?? 0;
  if (!(median > 0)) return text;
  return `${text}, ${comparisonText(total, median, write)} the median of ${number(climatology!.samples[at]!.length)} earlier seasons by that day`;
}

export function plotSeasons({ seasons, climatology }: Seasons, write: Writer, size: ChartTexts): Chart {
  const usual = climatology ?? undefined;
  const title = seasonHeadline(seasons.at(-1)!, usual, write);
  return plotAccumulatedDegreeDays(seasons.slice(-MAX_LINES), { ...size, climatology: usual, title });
}
