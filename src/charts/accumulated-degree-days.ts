import type { Climatology } from '../agronomy/degree-days/climatology.js';
import type { DegreeDays } from '../agronomy/degree-days/degree-days.js';
import {
  type AppliedRule,
  checkCutoff,
  checkMethod,
  checkTemperatureUnit,
  type DegreeDayMethod,
  TEMPERATURE_SYMBOLS,
} from '../agronomy/degree-days/plan.js';
import {
  arrayOf,
  checkDate,
  checkNothing,
  checkNumber,
  checkString,
  fieldsOf,
  listOf,
  needed,
  orNull,
} from '../model/arguments/checks.js';
import { checkOptions, type OptionKeys } from '../model/arguments/option-keys.js';
import type { MatchedName } from '../model/entity.js';
import { ArgumentError } from '../model/errors.js';
import { withoutSharedEnding } from '../model/names/short-labels.js';
import { type Chart, type ChartTexts, TEXT_KEYS } from './chart.js';
import { joinTexts } from './lines.js';
import { seasonChart } from './season-chart.js';

/** A season of a chart: a result of `degreeDays`, with an optional label. */
export interface PlottedSeason
  extends Pick<
    DegreeDays,
    'accumulated' | 'interval' | 'method' | 'cutoff' | 'base' | 'cap' | 'temperature_unit'
  > {
  /** By default the year in which the season starts, after its region when there are several regions. */
  readonly label?: string | undefined;
  /** Name of the region. */
  readonly region_name?: string | undefined;
  /** What the region was taken for; a guess is said below the title. */
  readonly matched?: MatchedName | undefined;
  /** What is odd about the thresholds is said there too. */
  readonly notes?: readonly string[] | undefined;
  /** Its source is shown unless the options name one. */
  readonly tmin_series?:
    | {
        /** Name of the source. */
        readonly source_name?: string | undefined;
      }
    | undefined;
}

/** Texts, climatology and emphasis of a plot of seasons. The source is by default that of the seasons. */
export interface AccumulatedPlotOptions extends ChartTexts {
  /** Label of the season to highlight; with a climatology, the last one by default. */
  highlight?: string | undefined;
  /** The climatology of accumulated curves, from `climatologyOf`, drawn as bands behind the seasons. */
  climatology?: Climatology | undefined;
}

const checkSeason = fieldsOf({
  accumulated: needed(arrayOf(Float64Array)),
  interval: needed(orNull(fieldsOf({ start_date: needed(checkDate) }))),
  method: needed(checkMethod),
  cutoff: needed(checkCutoff),
  base: needed(checkNumber),
  cap: needed(orNull(checkNumber)),
  temperature_unit: needed(checkTemperatureUnit),
  label: checkString,
  region_name: checkString,
  tmin_series: fieldsOf({ source_name: checkString }),
});

const PLOT_KEYS: OptionKeys<AccumulatedPlotOptions> = {
  ...TEXT_KEYS,
  highlight: checkString,
  climatology: checkNothing,
};

/**
 * A chart of accumulated degree days: one line for each season on a shared calendar, with its total at the end. The colour
 * is the region's, and dashes tell its seasons apart; seasons of one region have colours of their own. With a climatology,
 * the bands between its percentiles are drawn behind the lines.
 * @throws ArgumentError when there is no season, when seasons differ in method, thresholds, unit or first day of the year,
 * when the climatology begins on another day, or when no season has the highlighted label
 */
export function plotAccumulatedDegreeDays(
  seasons: readonly PlottedSeason[],
  options: AccumulatedPlotOptions = {},
): Chart {
  needed(listOf(checkSeason))(seasons, 'seasons');
  checkOptions(options, PLOT_KEYS, 'plotAccumulatedDegreeDays');
  const first = checkSeasons(seasons);
  const labels = labelsOf(seasons);
  const symbol = TEMPERATURE_SYMBOLS[first.temperature_unit];
  const title = options.title ?? 'Accumulated growing degree days';
  const source = options.source ?? sourcesOf(seasons);
  const lines = seasons.map(({ accumulated, interval, region_name }, i) => ({
    label: labels[i]!,
    group: region_name ?? '',
    start_date: interval?.start_date ?? null,
    accumulated,
  }));
  return seasonChart(lines, {
    ...options,
    title,
    subtitle: joinTexts([options.subtitle ?? describeRule(first), ...notesOf(seasons)]),
    source: source === '' ? undefined : `Source: ${source}`,
    highlight: options.highlight ?? (options.climatology && labels.at(-1)),
    description: describeSeasons(title, labels, seasons, symbol),
    unit: `${symbol}·day`,
  });
}

function checkSeasons(seasons: readonly PlottedSeason[]): PlottedSeason {
  const first = seasons[0];
  if (first === undefined)
    throw new ArgumentError('seasons', 'seasons is empty; give at least one season to draw');
  for (const season of seasons) {
    if (describeRule(season) !== describeRule(first)) {
      throw new ArgumentError(
        'seasons',
        `seasons differ in rule (${describeRule(first)}; ${describeRule(season)}); give seasons of one rule`,
      );
    }
    if (season.interval?.start_date.slice(5) !== first.interval?.start_date.slice(5)) {
      const [one, other] = [first, season].map(({ interval }) => interval?.start_date ?? 'no date');
      throw new ArgumentError(
        'seasons',
        `seasons begin on different days (${one}, ${other}); give degreeDays the same first day of the year for all`,
      );
    }
  }
  return first;
}

function labelsOf(seasons: readonly PlottedSeason[]): string[] {
  const regions = [...new Set(seasons.flatMap(({ region_name }) => region_name ?? []))];
  const short = new Map(regions.map((region, i) => [region, withoutSharedEnding(regions)[i]!]));
  return seasons.map(({ label, interval, region_name }, i) => {
    const when = interval?.start_date.slice(0, 4) ?? `Season ${i + 1}`;
    const isOneOfMany = regions.length > 1 && region_name !== undefined;
    return label ?? (isOneOfMany ? `${short.get(region_name)} ${when}` : when);
  });
}

/** The guesses and the odd thresholds of all seasons, each once. */
function notesOf(seasons: readonly PlottedSeason[]): string[] {
  const guesses = seasons.flatMap(({ matched }) =>
    matched === undefined || (matched.exact && matched.namesakes === undefined)
      ? []
      : [`${matched.name} for “${matched.requested}”`],
  );
  return [...new Set([...guesses, ...seasons.flatMap(({ notes = [] }) => notes)])];
}

function sourcesOf(seasons: readonly PlottedSeason[]): string {
  const names = seasons.flatMap(({ tmin_series }) => tmin_series?.source_name ?? []);
  return [...new Set(names)].join('; ');
}

function describeSeasons(
  title: string,
  labels: readonly string[],
  seasons: readonly PlottedSeason[],
  symbol: string,
): string {
  const totals = seasons.map(({ accumulated }, i) => `${labels[i]}: ${Math.round(accumulated.at(-1) ?? 0)}`);
  return `${title}. ${describeRule(seasons[0]!)}. Totals in ${symbol}·day: ${totals.join(', ')}.`;
}

/** What the methods are called. */
export const METHOD_NAMES: Readonly<Record<DegreeDayMethod, string>> = {
  average: 'Simple average',
  'mcmaster-wilhelm-1': 'McMaster–Wilhelm method 1',
  'mcmaster-wilhelm-2': 'McMaster–Wilhelm method 2',
  'single-sine': 'Single sine',
  'double-sine': 'Double sine',
  'single-triangle': 'Single triangle',
  'double-triangle': 'Double triangle',
};

/** A rule in words: method, thresholds with their unit, and cut-off. */
function describeRule({ method, cutoff, base, cap, temperature_unit }: AppliedRule): string {
  const symbol = TEMPERATURE_SYMBOLS[temperature_unit];
  const upper = cap === null ? 'no cap' : `cap ${cap} ${symbol}, ${cutoff} cut-off`;
  return `${METHOD_NAMES[method]}, base ${base} ${symbol}, ${upper}`;
}
