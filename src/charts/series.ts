import { ArgumentError } from '../model/errors.js';
import { formatDay } from '../model/time.js';
import { renderChart } from './chart.js';
import { emphasise } from './emphasis.js';
import { timeTicks } from './time-axis.js';

/** A series to draw, such as a crop-weighted average. */
export interface PlottedSeries {
  /** The name beside its line. */
  readonly label: string;
  /** Last moment of each period, UTC milliseconds, ascending. */
  readonly end_date: BigInt64Array;
  /** One value a period; NaN breaks the line. */
  readonly value: Float64Array;
}

/** Texts and axis of a plot of series. */
export interface SeriesPlotOptions {
  /** The title. */
  title: string;
  /** A line below the title. */
  subtitle?: string | undefined;
  /** What the values are. */
  measure: string;
  /** Abbreviation of the values' unit. */
  unit: string;
  /** Where the figures come from, written under the picture. */
  source?: string | undefined;
  /** Label of the series to set off from the others. */
  highlight?: string | undefined;
  /** Pixels; 860 × 520 by default. */
  width?: number | undefined;
  /** Pixels; 520 by default. */
  height?: number | undefined;
}

/**
 * An SVG document of several series over time, all in one unit, each labelled at its end.
 * @throws ArgumentError when there is no series, one has as many dates as it has not values, or none bears the label to
 * highlight
 */
export function plotSeries(series: readonly PlottedSeries[], options: SeriesPlotOptions): string {
  const lines = emphasise(
    series.map(({ label, end_date, value }) => {
      if (end_date.length !== value.length) {
        throw new ArgumentError(
          'series',
          `"${label}" has ${end_date.length} dates and ${value.length} values; give one value a date`,
        );
      }
      return { name: label, label, x: Float64Array.from(end_date, Number), y: value };
    }),
    options.highlight,
  );
  const xDomain = timeSpan(lines.map(({ x }) => x));
  const { title, measure, unit } = options;
  const labels = series.map(({ label }) => label).join(', ');
  return renderChart({
    title,
    subtitle: options.subtitle,
    description: `${title}. ${measure} in ${unit}, ${formatDay(xDomain[0])} to ${formatDay(xDomain[1])}: ${labels}.`,
    source: options.source === undefined ? undefined : `Source: ${options.source}`,
    xTitle: 'Date (UTC)',
    yTitle: `${measure} (${unit})`,
    xDomain,
    xTicks: timeTicks(xDomain, 9),
    lines,
    width: options.width,
    height: options.height,
  });
}

function timeSpan(times: readonly ArrayLike<number>[]): [number, number] {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const x of times) {
    if (x.length === 0) continue;
    from = Math.min(from, x[0]!);
    to = Math.max(to, x[x.length - 1]!);
  }
  if (from <= to) return [from, to];
  throw new ArgumentError('series', 'there is no series with a date to draw; give at least one');
}
