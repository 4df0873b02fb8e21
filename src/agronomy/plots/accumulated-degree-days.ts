import { ArgumentError } from '../../model/errors.js';
import type { Climatology } from '../climatology.js';
import { TEMPERATURE_SYMBOLS } from '../degree-day-plan.js';
import type { DegreeDays } from '../degree-days.js';
import { type ChartBand, type ChartLine, renderChart } from './chart.js';
import { BACKGROUND_COLOUR, HIGHLIGHT_COLOUR, lineStyle } from './colours.js';
import { niceTicks } from './scales.js';
import { monthTicks, seasonPlaces } from './season-axis.js';

/** A season to draw: a result of `degreeDays`, with a label where the year does not say enough. */
export interface PlottedSeason
  extends Pick<
    DegreeDays,
    'accumulated' | 'interval' | 'method' | 'cutoff' | 'base' | 'cap' | 'temperature_unit'
  > {
  /** The year in which the season starts, by default. */
  readonly label?: string | undefined;
}

export interface AccumulatedPlotOptions {
  /** Default "Accumulated growing degree days". */
  title?: string | undefined;
  /** Default the method, thresholds and cut-off. */
  subtitle?: string | undefined;
  /** Where the temperatures come from, written under the picture. */
  source?: string | undefined;
  /** Label of the season to set off from the others; with a climatology, the last one by default. */
  highlight?: string | undefined;
  /** What is usual, drawn as bands behind the seasons: `climatologyOf` the reference's accumulated curves. */
  climatology?: Climatology | undefined;
  /** Pixels; 860 × 520 by default. */
  width?: number | undefined;
  height?: number | undefined;
}

/** With more seasons than this, only the highlighted, the warmest and the coolest are labelled. */
const MOST_LABELS = 14;

/**
 * An SVG document of accumulated degree days, one line a season on one calendar, each labelled at its end with its
 * total. With a climatology, bands between its percentiles lie behind, and the other seasons only if there are several.
 * @throws ArgumentError when there is no season, seasons differ in method, thresholds or unit, only some have an
 * interval, or no season bears the label to highlight
 */
export function plotAccumulatedDegreeDays(
  seasons: readonly PlottedSeason[],
  options: AccumulatedPlotOptions = {},
): string {
  const first = checkSeasons(seasons);
  const labels = seasons.map(
    (season, i) => season.label ?? season.interval?.start_date.slice(0, 4) ?? `Season ${i + 1}`,
  );
  const highlight = options.highlight ?? (options.climatology && labels.at(-1));
  if (highlight !== undefined && !labels.includes(highlight)) {
    throw new ArgumentError(
      'highlight',
      `no season is labelled "${highlight}"; choose one of ${labels.join(', ')}`,
    );
  }
  const lines = seasonLines(seasons, labels, highlight);
  const climate = options.climatology && climateShapes(options.climatology, first);
  const shapes = [...(climate?.bands ?? []), ...lines];
  const days = Math.max(...shapes.map(({ x }) => x[x.length - 1]!)) + 1;
  const symbol = TEMPERATURE_SYMBOLS[first.temperature_unit];
  const title = options.title ?? 'Accumulated growing degree days';
  return renderChart({
    title,
    subtitle: options.subtitle ?? describeRule(first),
    description: describe(title, labels, seasons, symbol),
    source: options.source === undefined ? undefined : `Source: ${options.source}`,
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
    if (describeRule(season) !== describeRule(first) || season.temperature_unit !== first.temperature_unit) {
      throw new ArgumentError(
        'seasons',
        `seasons differ in rule (${describeRule(first)}; ${describeRule(season)}); draw like with like`,
      );
    }
    if ((season.interval === null) !== (first.interval === null)) {
      throw new ArgumentError(
        'seasons',
        'only some seasons have an interval; give `start` to degreeDays for all of them',
      );
    }
  }
  return first;
}

function seasonLines(
  seasons: readonly PlottedSeason[],
  labels: string[],
  highlight: string | undefined,
): ChartLine[] {
  const totals = seasons.map(({ accumulated }) => accumulated.at(-1) ?? 0);
  const extremes = [Math.min(...totals), Math.max(...totals)];
  const lines = seasons.map((season, i): ChartLine => {
    const isHighlight = labels[i] === highlight;
    const isLabelled = seasons.length <= MOST_LABELS || isHighlight || extremes.includes(totals[i]!);
    const total = Math.round(totals[i]!).toLocaleString('en-US');
    const { interval, accumulated } = season;
    return {
      x: interval
        ? seasonPlaces(interval.start_date, accumulated.length)
        : Float64Array.from(accumulated.keys()),
      y: accumulated,
      label: isLabelled ? `${labels[i]} · ${total}` : undefined,
      ...styleOf(i, { isHighlight, isQuiet: highlight !== undefined || seasons.length > MOST_LABELS }),
    };
  });
  return [
    ...lines.filter((_, i) => labels[i] !== highlight),
    ...lines.filter((_, i) => labels[i] === highlight),
  ];
}

function styleOf(
  i: number,
  { isHighlight, isQuiet }: { isHighlight: boolean; isQuiet: boolean },
): Pick<ChartLine, 'colour' | 'width' | 'dash'> {
  if (isHighlight) return { colour: HIGHLIGHT_COLOUR, width: 3 };
  return isQuiet ? { colour: BACKGROUND_COLOUR, width: 1.2 } : { ...lineStyle(i), width: 2 };
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

const METHOD_NAMES: Readonly<Record<PlottedSeason['method'], string>> = {
  average: 'Simple average',
  'mcmaster-wilhelm-1': 'McMaster–Wilhelm method 1',
  'mcmaster-wilhelm-2': 'McMaster–Wilhelm method 2',
  'single-sine': 'Single sine',
  'double-sine': 'Double sine',
  'single-triangle': 'Single triangle',
  'double-triangle': 'Double triangle',
};

function describeRule({ method, cutoff, base, cap, temperature_unit }: PlottedSeason): string {
  const symbol = TEMPERATURE_SYMBOLS[temperature_unit];
  const upper = cap === null ? 'no cap' : `cap ${cap} ${symbol}, ${cutoff} cut-off`;
  return `${METHOD_NAMES[method]}, base ${base} ${symbol}, ${upper}`;
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
