import type { Climatology } from '../agronomy/degree-days/climatology.js';
import type { DegreeDays } from '../agronomy/degree-days/degree-days.js';
import { type AppliedRule, type DegreeDayMethod, TEMPERATURE_SYMBOLS } from '../agronomy/degree-days/plan.js';
import { ArgumentError } from '../model/errors.js';
import { renderChart } from './chart.js';
import type { ChartBand, ChartLine } from './chart-spec.js';
import { emphasise, type PlainLine } from './emphasis.js';
import { niceTicks } from './scales.js';
import { monthTicks, seasonPlaces } from './season-axis.js';

/** A season to draw: a result of `degreeDays`, with a label where the year does not say enough. */
export interface PlottedSeason
  extends Pick<
    DegreeDays,
    'accumulated' | 'interval' | 'method' | 'cutoff' | 'base' | 'cap' | 'temperature_unit'
  > {
  /** By default the year in which the season starts, after the region where the seasons are of several. */
  readonly label?: string | undefined;
  /** Name of the region. */
  readonly region_name?: string | undefined;
  /** Names the source, where the options do not. */
  readonly tmin_series?:
    | {
        /** Name of the source. */
        readonly source_name?: string | undefined;
      }
    | undefined;
}

/** Texts, climatology and emphasis of a plot of seasons. */
export interface AccumulatedPlotOptions {
  /** Default "Accumulated growing degree days". */
  title?: string | undefined;
  /** Default the method, thresholds and cut-off. */
  subtitle?: string | undefined;
  /** Where the temperatures come from, written under the picture; what the seasons say of it by default. */
  source?: string | undefined;
  /** Label of the season to set off from the others; with a climatology, the last one by default. */
  highlight?: string | undefined;
  /** What is usual, drawn as bands behind the seasons: `climatologyOf` the reference's accumulated curves. */
  climatology?: Climatology | undefined;
  /** Pixels; 860 × 520 by default. */
  width?: number | undefined;
  /** Pixels; 520 by default. */
  height?: number | undefined;
}

/**
 * An SVG document of accumulated degree days, one line a season on one calendar, each labelled at its end with its
 * total. With a climatology, bands between its percentiles lie behind, and the other seasons only if there are several.
 * @throws ArgumentError when there is no season, seasons differ in method, thresholds, unit or first day of the year,
 * the climatology begins on another day, or no season bears the label to highlight
 */
export function plotAccumulatedDegreeDays(
  seasons: readonly PlottedSeason[],
  options: AccumulatedPlotOptions = {},
): string {
  const first = checkSeasons(seasons);
  const labels = labelsOf(seasons);
  const highlight = options.highlight ?? (options.climatology && labels.at(-1));
  const lines = emphasise(
    seasons.map((season, i) => plainLine(season, labels[i]!)),
    highlight,
  );
  const climate = options.climatology && climateShapes(options.climatology, first);
  const shapes = [...(climate?.bands ?? []), ...lines];
  const days = Math.max(...shapes.map(({ x }) => x[x.length - 1]!)) + 1;
  const symbol = TEMPERATURE_SYMBOLS[first.temperature_unit];
  const title = options.title ?? 'Accumulated growing degree days';
  const source = options.source ?? sourcesOf(seasons);
  return renderChart({
    title,
    subtitle: options.subtitle ?? describeRule(first),
    description: describe(title, labels, seasons, symbol),
    source: source && `Source: ${source}`,
    xTitle: first.interval ? 'Day of the season' : 'Days from the start',
    yTitle: `Accumulated degree days (${symbol}·day)`,
    xDomain: [0, days - 1],
    xTicks: first.interval
      ? monthTicks(first.interval.start_date, days)
      : niceTicks(0, days - 1, 8)
          .filter((at) => at < days)
          .map((at) => ({ at, text: String(at) })),
    bands: climate?.bands,
    lines: [...(climate?.lines ?? []), ...lines],
    width: options.width,
    height: options.height,
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
        `seasons differ in rule (${describeRule(first)}; ${describeRule(season)}); draw like with like`,
      );
    }
    if (season.interval?.start_date.slice(5) !== first.interval?.start_date.slice(5)) {
      const [one, other] = [first, season].map(({ interval }) => interval?.start_date ?? 'no date');
      throw new ArgumentError(
        'seasons',
        `seasons begin on different days (${one}, ${other}); give degreeDays a start on one day of the year for all`,
      );
    }
  }
  return first;
}

function labelsOf(seasons: readonly PlottedSeason[]): string[] {
  const regions = [...new Set(seasons.flatMap(({ region_name }) => region_name ?? []))];
  const shared = regions.length > 1 ? sharedEnding(regions) : '';
  return seasons.map(({ label, interval, region_name }, i) => {
    const when = interval?.start_date.slice(0, 4) ?? `Season ${i + 1}`;
    const isOneOfMany = regions.length > 1 && region_name !== undefined;
    return (
      label ?? (isOneOfMany ? `${region_name.slice(0, region_name.length - shared.length)} ${when}` : when)
    );
  });
}

/** The words with which all names end, such as " weather station". */
function sharedEnding([first, ...others]: readonly string[]): string {
  const words = first!.split(' ');
  const endings = words.slice(1).map((_, i) => ` ${words.slice(i + 1).join(' ')}`);
  return endings.find((ending) => others.every((name) => name.endsWith(ending) && name !== ending)) ?? '';
}

function sourcesOf(seasons: readonly PlottedSeason[]): string {
  const names = seasons.flatMap(({ tmin_series }) => tmin_series?.source_name ?? []);
  return [...new Set(names)].join('; ');
}

function plainLine({ interval, accumulated }: PlottedSeason, name: string): PlainLine {
  const total = Math.round(accumulated.at(-1) ?? 0).toLocaleString('en-US');
  const x = interval
    ? seasonPlaces(interval.start_date, accumulated.length)
    : Float64Array.from(accumulated.keys());
  return { name, label: `${name} · ${total}`, x, y: accumulated };
}

const BAND_COLOURS = ['#dbe9f4', '#b3d0e6', '#8ab6d8'] as const;
const MEDIAN_COLOUR = '#00507d';

function climateShapes(
  { days, percentiles, curves }: Climatology,
  { interval }: PlottedSeason,
): { bands: ChartBand[]; lines: ChartLine[] } {
  if (interval?.start_date.slice(5) !== days[0]) {
    throw new ArgumentError(
      'climatology',
      `the climatology begins on ${days[0]}, the seasons on ${interval?.start_date.slice(5) ?? 'no date'}; let both begin on one day of the year`,
    );
  }
  const x = seasonPlaces(`2001-${days[0]}`, days.length);
  const bands: ChartBand[] = [];
  for (let i = 0; i < Math.floor(percentiles.length / 2); i++) {
    const j = percentiles.length - 1 - i;
    const label = `${percentiles[i]}th to ${percentiles[j]}th percentile`;
    bands.push({ x, low: curves[i]!, high: curves[j]!, label, colour: BAND_COLOURS[Math.min(i, 2)]! });
  }
  const median = curves[percentiles.indexOf(50)];
  if (median === undefined) return { bands, lines: [] };
  return {
    bands,
    lines: [{ x, y: median, label: 'Median', colour: MEDIAN_COLOUR, width: 1.5, dash: '6 4' }],
  };
}

function describe(
  title: string,
  labels: readonly string[],
  seasons: readonly PlottedSeason[],
  symbol: string,
): string {
  const totals = seasons.map(({ accumulated }, i) => `${labels[i]}: ${Math.round(accumulated.at(-1) ?? 0)}`);
  return `${title}. ${describeRule(seasons[0]!)}. Totals in ${symbol}·day: ${totals.join(', ')}.`;
}

const METHOD_NAMES: Readonly<Record<DegreeDayMethod, string>> = {
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
