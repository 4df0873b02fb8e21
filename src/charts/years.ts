import type { Table } from 'apache-arrow';
import { withDetail } from '../frame/display/credit.js';
import { quantile } from '../frame/verbs/quantile.js';
import { checkOptions } from '../model/arguments/option-keys.js';
import { yearOf } from '../model/calendar.js';
import { ArgumentError } from '../model/errors.js';
import { DAY_MS, utcDay } from '../model/time.js';
import type { Chart } from './chart.js';
import { type FramePlotOptions, readFrame } from './frame.js';
import { weightNote } from './frame-texts.js';
import { drawnLines, joinTexts, type LineData, REFERENCE_YEAR, sharedMoment, valueSpan } from './lines.js';
import { type LineMark, panelChart, type ValueAxis } from './panels.js';
import { SERIES_PLOT_KEYS } from './series.js';
import { COLOURS, colourAt, QUIET_COLOUR } from './theme.js';

/** A year of a series, with its dates moved to the shared calendar. */
interface YearLine extends LineData {
  readonly series: number;
  readonly year: number;
}

/** Dated values by ascending date. */
type Dated = Pick<LineData, 'start' | 'end' | 'value'>;

/**
 * A chart of the years of series over one another: a line for each calendar year, from January to December. Of one
 * series, up to eight years have different colours, and of more the latest is highlighted; of several series the colour
 * is that of the series, and the latest year is the thick line. A value is drawn at the first date of its period.
 * @throws ArgumentError when the table has no series or no values, or its series are in several units
 */
export function plotYears(table: Table, options: FramePlotOptions = {}): Chart {
  checkOptions(options, SERIES_PLOT_KEYS, 'plotYears');
  const { years, shown, count } = readYears(table, options);
  const { measure, unit } = years[0]!;
  const other = years.find((line) => line.unit !== unit);
  if (other !== undefined)
    throw new ArgumentError(
      'table',
      `table: its series are in ${unit} and ${other.unit}; draw those of one unit`,
    );
  const { drawn, note, times } = drawnLines(years, {
    width: options.width ?? 860,
    isStepped: () => false,
    maxPoints: options.maxPoints,
  });
  shown.subtitle = joinTexts([shown.subtitle, spanOf(years), weightNote(table), note]);
  const names = years.map(({ label, year }) => (count === 1 ? String(year) : `${label} ${year}`));
  const description = `${shown.title}, ${shown.subtitle}. ${years.length} years of ${count} series over one another.`;
  const styles = yearStyles(years);
  const marks = years.map(
    (_, s): LineMark => ({
      mark: 'line',
      series: s,
      ...drawn[s]!,
      ...styles[s]!,
      label: styles[s]!.isNamed ? names[s]! : '',
    }),
  );
  const y = {
    domain: valueSpan(years.map(({ value }) => value)),
    title: withDetail(measure, unit),
  };
  const panel = { x: { kind: 'months' as const, domain: times }, y: [y], marks };
  const colours = styles.map(({ colour }) => colour);
  return panelChart([panel], { ...shown, description }, { labels: names, colours });
}

/** The years of the series of a table, and the texts that all charts of years have. */
function readYears(table: Table, options: FramePlotOptions) {
  const { lines, title, subtitle, source } = readFrame(table, options);
  const years = lines.flatMap((line, series): YearLine[] =>
    inYears(line).map((year) => ({ ...year, series })),
  );
  const shown = {
    ...options,
    title: options.title ?? title,
    subtitle: options.subtitle ?? subtitle,
    source,
  };
  if (years.length > 0) return { years, shown, count: lines.length };
  throw new ArgumentError('table', 'table: it has no values to draw; give a long or wide frame with values');
}

/** Fewer other years give no usual range. */
const MIN_OTHERS = 3;
/** Days around each day of which the values of other years count, so that single days do not show. */
const WINDOW_DAYS = 10;

/**
 * A chart of the latest year of a series against the others: their band from the 10th to the 90th percentile, and their
 * median. The values of a daily series count for the ten days around them.
 * @throws ArgumentError when the table has several series, or fewer than three years before the latest
 */
export function plotUsualYear(table: Table, options: FramePlotOptions = {}): Chart {
  checkOptions(options, SERIES_PLOT_KEYS, 'plotUsualYear');
  const { years, shown, count } = readYears(table, options);
  if (count > 1)
    throw new ArgumentError('table', `table: it has ${count} series; draw one, for instance by selectSeries`);
  const latest = years.at(-1)!;
  const others = years.slice(0, -1);
  if (others.length < MIN_OTHERS)
    throw new ArgumentError(
      'table',
      `table: the usual range needs ${MIN_OTHERS} years before the latest, and there are ${others.length}; draw it by plotFrame`,
    );
  const { x, low, median, high } = usualOf(others);
  const { drawn } = drawnLines([latest], { width: 1200, isStepped: () => false });
  const span = spanOf(others);
  const colour = COLOURS[0];
  const line = {
    mark: 'line' as const,
    x,
    y: median,
    colour,
    width: 1.2,
    dash: [5, 4],
    series: -1,
    label: `median of ${span}`,
  };
  const marks = [
    {
      mark: 'area' as const,
      label: `10th to 90th percentile of ${span}`,
      x,
      low,
      high,
      colour,
      opacity: 0.18,
    },
    line,
    {
      mark: 'line' as const,
      series: 0,
      label: String(latest.year),
      ...drawn[0]!,
      colour: COLOURS[1],
      width: 1.6,
    },
  ];
  const y: ValueAxis = {
    domain: valueSpan([low, high, latest.value]),
    title: withDetail(latest.measure, latest.unit),
  };
  const months = [utcDay(REFERENCE_YEAR, 1, 1), utcDay(REFERENCE_YEAR, 12, 31)] as const;
  const panel = { x: { kind: 'months' as const, domain: months }, y: [y], marks };
  const description = `${shown.title}, ${latest.year} against ${span}.`;
  const named = { labels: [String(latest.year)], colours: [COLOURS[1]] };
  return panelChart([panel], { ...shown, description }, named);
}

/** Percentiles of the values around each date of a year that some of the years have. */
function usualOf(years: readonly YearLine[]): Record<'x' | 'low' | 'median' | 'high', Float64Array> {
  const points = years
    .flatMap(({ start, value }) => Array.from(start, (t, row) => [t, value[row]!] as const))
    .sort((a, b) => a[0] - b[0]);
  const half = (years[0]!.periodDays < 2 ? WINDOW_DAYS : years[0]!.periodDays / 2) * DAY_MS;
  const dates = [...new Set(points.map(([t]) => t))];
  const x = Float64Array.from(dates.filter((_, i) => years[0]!.periodDays >= 2 || i % 3 === 0));
  let [from, to] = [0, 0];
  const bands = Array.from(x, (date) => {
    while (to < points.length && points[to]![0] <= date + half) to++;
    while (points[from]![0] < date - half) from++;
    const sorted = Float64Array.from(points.slice(from, to), ([, value]) => value).sort();
    return [0.1, 0.5, 0.9].map((share) => quantile(sorted, share));
  });
  const column = (at: number) => Float64Array.from(bands, (band) => band[at]!);
  return { x, low: column(0), median: column(1), high: column(2) };
}

/** The years of a series, each moved to the shared calendar. */
export function inYears<Line extends Dated>(line: Line): (Line & { readonly year: number })[] {
  const years: (Line & { readonly year: number })[] = [];
  for (let from = 0, to = 0; from < line.start.length; from = to) {
    const year = yearOf(line.start[from]!);
    while (to < line.start.length && yearOf(line.start[to]!) === year) to++;
    const move = (ms: number) => sharedMoment(ms, year);
    years.push({
      ...line,
      year,
      start: line.start.slice(from, to).map(move),
      end: line.end.slice(from, to).map(move),
      value: line.value.slice(from, to),
    });
  }
  return years;
}

/** The latest year is thick. Of one series, eight years have colours; the colour of several is that of their series. */
function yearStyles(
  years: readonly YearLine[],
): { colour: string; width: number; opacity: number; isNamed: boolean }[] {
  const isOneSeries = years.every(({ series }) => series === 0);
  const isColoured = isOneSeries && years.length <= COLOURS.length;
  const last = Math.max(...years.map(({ year }) => year));
  return years.map(({ year, series }, at) => {
    const isLast = year === last;
    const ofMany = isOneSeries ? (isLast ? COLOURS[1] : QUIET_COLOUR) : colourAt(series);
    return {
      colour: isColoured ? colourAt(at) : ofMany,
      width: isLast ? 2.4 : 1,
      opacity: isLast || isColoured ? 1 : 0.5,
      isNamed: isColoured || isLast,
    };
  });
}

function spanOf(years: readonly YearLine[]): string {
  const all = years.map(({ year }) => year);
  const [first, last] = [Math.min(...all), Math.max(...all)];
  return first === last ? String(first) : `${first} to ${last}`;
}
