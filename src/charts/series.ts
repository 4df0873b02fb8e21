import { arrayOf, checkString, fieldsOf, listOf, needed } from '../model/arguments/checks.js';
import { checkRequiredOptions, type OptionKeys } from '../model/arguments/option-keys.js';
import { ArgumentError } from '../model/errors.js';
import { formatDay } from '../model/time.js';
import { renderChart } from './chart.js';
import { PIXELS } from './layout.js';
import { styleLines } from './line-style.js';
import { timeTicks } from './time-axis.js';

/** A series to draw, such as a crop-weighted average. */
export interface PlottedSeries {
  /** Text at the end of its line. */
  readonly label: string;
  /** Last moment of each period, UTC milliseconds, ascending. */
  readonly end_date: BigInt64Array;
  /** One value for each period; NaN breaks the line. */
  readonly value: Float64Array;
}

/** Texts and size of a chart of series. */
export interface SeriesPlotOptions {
  /** The title. */
  title: string;
  /** A line below the title. */
  subtitle?: string | undefined;
  /** Name of the measured quantity. */
  measure: string;
  /** Abbreviation of the unit of the values. */
  unit: string;
  /** Sources of the values, below the chart. */
  source?: string | undefined;
  /** Label of the series to highlight. */
  highlight?: string | undefined;
  /** Pixels; 860 × 520 by default. */
  width?: number | undefined;
  /** Pixels; 520 by default. */
  height?: number | undefined;
}

const checkSeries = fieldsOf({
  label: needed(checkString),
  end_date: needed(arrayOf(BigInt64Array)),
  value: needed(arrayOf(Float64Array)),
});

/** The keys of the options that charts of series share. */
export const SERIES_PLOT_KEYS: OptionKeys<SeriesPlotOptions> = {
  title: checkString,
  subtitle: checkString,
  measure: checkString,
  unit: checkString,
  source: checkString,
  highlight: checkString,
  width: PIXELS,
  height: PIXELS,
};
const PLOT_KEYS: OptionKeys<SeriesPlotOptions> = {
  ...SERIES_PLOT_KEYS,
  title: needed(checkString),
  measure: needed(checkString),
  unit: needed(checkString),
};

/**
 * An SVG document of several series over time, all in one unit, each labelled at its end.
 * @throws ArgumentError when there is no series, a series does not have as many dates as values, or none has the
 * highlighted label
 */
export function plotSeries(series: readonly PlottedSeries[], options: SeriesPlotOptions): string {
  needed(listOf(checkSeries))(series, 'series');
  checkRequiredOptions(options, PLOT_KEYS, 'plotSeries');
  const lines = styleLines(
    series.map(({ label, end_date, value }) => {
      if (end_date.length !== value.length) {
        throw new ArgumentError(
          'series',
          `"${label}" has ${end_date.length} dates and ${value.length} values; give one value for each date`,
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
