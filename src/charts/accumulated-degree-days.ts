import * as v from 'valibot';
import type { Climatology } from '../agronomy/degree-days/climatology.js';
import type { DegreeDays } from '../agronomy/degree-days/degree-days.js';
import {
  type AppliedRule,
  DEGREE_DAY_METHODS,
  RULE_KEYS,
  TEMPERATURE_SYMBOLS,
} from '../agronomy/degree-days/plan.js';
import { withoutSharedEnding } from '../frame/table/short-labels.js';
import { yearOf } from '../model/calendar.js';
import type { MatchedName } from '../model/entity.js';
import { ArgumentError } from '../model/errors.js';
import { check, checkOptions, fieldsOf, type OptionsOf, required } from '../model/schema/check.js';
import { ANYTHING, DATE, listOf, type Schema } from '../model/schema/schemas.js';
import { DAY_MS, parseTime } from '../model/time.js';
import { type Chart, type ChartTexts, TEXT_KEYS } from './chart.js';
import { joinTexts, toSharedCalendar, WHOLE } from './lines.js';
import { type Band, type LineMark, middleLine, panelChart } from './panels.js';
import { lineStyles, QUIET_COLOUR } from './theme.js';

const SEASON = {
  /**
   * The season's label; by default, the first year of the season, preceded by the region name if there are several
   * regions.
   */
  label: v.string(),
  /** The name of the region. */
  region_name: v.string(),
  /** How the region name was matched. An inexact match is mentioned in the subtitle. */
  matched: ANYTHING as Schema<MatchedName>,
  /** Notes on the season, for example about unusual thresholds. */
  notes: listOf(v.string()),
  /** The minimum-temperature series. The chart credits its source unless the options specify another source. */
  tmin_series: fieldsOf<{
    /** The name of the source. */
    readonly source_name?: string | undefined;
  }>({ source_name: v.string() }),
};
/** A season to draw: a `degreeDays` result with an optional label. */
export interface PlottedSeason
  extends AppliedRule,
    Pick<DegreeDays, 'accumulated' | 'interval'>,
    Readonly<OptionsOf<typeof SEASON>> {}

const SEASONS = v.array(
  fieldsOf({
    ...SEASON,
    accumulated: required(v.instance(Float64Array)),
    interval: required(v.nullable(fieldsOf({ start_date: required(DATE) }))),
    method: required(RULE_KEYS.method),
    cutoff: required(RULE_KEYS.cutoff),
    base_temperature: required(v.number()),
    upper_temperature_cap: required(v.nullable(v.number())),
    temperature_unit: required(RULE_KEYS.temperature_unit),
  }),
);

const PLOT_KEYS = {
  /**
   * The climatology of accumulated degree days, as returned by `climatologyOf`. It is drawn as bands behind the
   * seasons, and the last season is highlighted.
   */
  climatology: ANYTHING as Schema<Climatology>,
};
/** The chart's texts and climatology. By default, the source is taken from the seasons. */
export interface AccumulatedPlotOptions extends ChartTexts, OptionsOf<typeof PLOT_KEYS> {}

/**
 * Draws accumulated degree days: one line for each season, labelled with its total. All seasons share one calendar.
 * With several regions, colour identifies the region and dash patterns distinguish seasons; with a single region, each
 * season has its own colour. If a climatology is given, its percentile bands are drawn behind the lines.
 * @throws ArgumentError if there are no seasons; if the seasons lack dates or differ in method, thresholds, unit or
 * first day; or if the climatology begins on a different day
 */
export function plotAccumulatedDegreeDays(
  seasons: readonly PlottedSeason[],
  options: AccumulatedPlotOptions = {},
): Chart {
  check(SEASONS, seasons, 'seasons');
  checkOptions(options, { ...TEXT_KEYS, ...PLOT_KEYS }, 'plotAccumulatedDegreeDays');
  const first = checkSeasons(seasons);
  const labels = seasonLabels(seasons);
  const { title = 'Accumulated growing degree days', climatology } = options;
  const styles = lineStyles(seasons.map(({ region_name }) => ({ place: region_name })));
  const behind = climatology && { colour: QUIET_COLOUR, width: 1.2, dash: undefined };
  const unit = `${TEMPERATURE_SYMBOLS[first.temperature_unit]}·day`;
  const totals = seasons.map(({ accumulated }) => Math.round(accumulated.at(-1) ?? 0));
  const lines = seasons.map(
    ({ interval, accumulated }, s): LineMark => ({
      series: s,
      label: `${labels[s]} · ${totals[s]!.toLocaleString('en-US')}`,
      x: seasonDates(interval!.start_date, accumulated.length),
      y: accumulated.map((value) => (Number.isFinite(value) ? value : Number.NaN)),
      ...styles[s]!,
      ...(s < seasons.length - 1 ? behind : climatology && { width: 2.5, dash: undefined }),
    }),
  );
  const sums = lines.map(({ x, y }) => ({ start: x, end: x, value: y, unit, figures: WHOLE }));
  const usual = climatology && climatologyBands(climatology, first.interval!.start_date);
  const panel = {
    axis: { title: `Accumulated degree days (${unit})`, zero: 'always' as const },
    bands: usual?.bands,
    lines: [...(usual?.lines ?? []), ...lines],
  };
  const rule = describeRule(first);
  const sources = new Set(seasons.flatMap(({ tmin_series }) => tmin_series?.source_name ?? []));
  const texts = {
    ...options,
    title,
    subtitle: joinTexts([options.subtitle ?? rule, ...seasonNotes(seasons)]),
    source: options.source ?? [...sources].join('; '),
    description: `${title}. ${rule}. Totals in ${unit}: ${labels.map((label, s) => `${label}: ${totals[s]}`).join(', ')}.`,
  };
  return panelChart('months', [panel], texts, { labels, lines: sums });
}

/** Maps a season's days onto UTC dates in a calendar of leap years. A season in a common year skips 29 February. */
export function seasonDates(start: string, days: number): Float64Array {
  const startMs = parseTime(start, 'start');
  return Float64Array.from({ length: days }, (_, i) =>
    toSharedCalendar(startMs + i * DAY_MS, yearOf(startMs)),
  );
}

function checkSeasons(seasons: readonly PlottedSeason[]): PlottedSeason {
  const first = seasons[0];
  if (first === undefined)
    throw new ArgumentError('seasons', 'seasons is empty', { remedy: 'pass at least one season to draw' });
  const [rule, otherRule] = new Set(seasons.map(describeRule));
  if (otherRule !== undefined)
    throw new ArgumentError(
      'seasons',
      `seasons were computed with different settings (${rule}; ${otherRule})`,
      { remedy: `pass seasons computed with the same settings` },
    );
  const starts = seasons.map(({ interval }) => interval?.start_date);
  const other = starts.findIndex((start) => start === undefined || start.slice(5) !== starts[0]?.slice(5));
  if (other >= 0)
    throw new ArgumentError(
      'seasons',
      `seasons begin on different days or have no dates (${starts[0] ?? 'no date'}, ${starts[other] ?? 'no date'})`,
      { remedy: `pass the same first day of the year to degreeDays for all seasons` },
    );
  return first;
}

function seasonLabels(seasons: readonly PlottedSeason[]): string[] {
  const regions = [...new Set(seasons.flatMap(({ region_name }) => region_name ?? []))];
  const short = new Map(regions.map((region, i) => [region, withoutSharedEnding(regions)[i]!]));
  return seasons.map(({ label, interval, region_name }) => {
    const when = interval!.start_date.slice(0, 4);
    const isOneOfMany = regions.length > 1 && region_name !== undefined;
    return label ?? (isOneOfMany ? `${short.get(region_name)} ${when}` : when);
  });
}

function seasonNotes(seasons: readonly PlottedSeason[]): string[] {
  const guesses = seasons.flatMap(({ matched }) =>
    matched === undefined || (matched.exact && matched.namesakes === undefined)
      ? []
      : [`${matched.name} for “${matched.requested}”`],
  );
  return [...new Set([...guesses, ...seasons.flatMap(({ notes = [] }) => notes)])];
}

/** Describes how degree days are computed: the method, the thresholds and their unit, and the cut-off. */
function describeRule(rule: AppliedRule): string {
  const { method, cutoff, base_temperature: base, upper_temperature_cap: cap, temperature_unit } = rule;
  const symbol = TEMPERATURE_SYMBOLS[temperature_unit];
  const upper = cap === null ? 'no cap' : `cap ${cap} ${symbol}, ${cutoff} cut-off`;
  return `${DEGREE_DAY_METHODS[method].name}, base ${base} ${symbol}, ${upper}`;
}

/** Returns a climatology's median and bands, widest first. @throws ArgumentError if it does not begin with the seasons */
function climatologyBands({ days, percentiles, curves }: Climatology, start: string) {
  if (start.slice(5) !== days[0])
    throw new ArgumentError(
      'climatology',
      `the climatology begins on ${days[0]}, but the seasons begin on ${start.slice(5)}`,
      { remedy: `compute both starting on the same day of the year` },
    );
  const x = seasonDates(`2001-${days[0]}`, days.length);
  const bands = Array.from({ length: Math.floor(percentiles.length / 2) }, (_, i): Band => {
    const j = percentiles.length - 1 - i;
    const label = `${percentiles[i]}th to ${percentiles[j]}th percentile`;
    return { label, x, low: curves[i]!, high: curves[j]! };
  });
  const median = curves[percentiles.indexOf(50)];
  return { bands, lines: median === undefined ? [] : [middleLine('Median', x, median)] };
}
