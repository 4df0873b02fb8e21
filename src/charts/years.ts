import type { Table } from 'apache-arrow';
import { quantile } from '../frame/groups/accumulators.js';
import { yearOf } from '../model/calendar.js';
import { badArgument } from '../model/errors.js';
import { checkOptions } from '../model/schema/check.js';
import { DAY_MS } from '../model/time.js';
import { type Chart, type FramePlotOptions, SERIES_PLOT_KEYS, sizeOf } from './chart.js';
import { frameLines } from './frame.js';
import { frameTexts, weightNote } from './frame-lines.js';
import {
  drawnLines,
  figuresOf,
  type Line,
  momentOf,
  toSharedCalendar,
  withValues,
  yearsText,
} from './lines.js';
import { axisOf, type LineMark, middleLine, panelChart } from './panels.js';
import { COLOURS, colourAt, QUIET_COLOUR } from './theme.js';

/** One year of a series, with its dates mapped onto the reference year that all lines share. */
interface YearLine extends Line {
  readonly series: number;
  readonly year: number;
}

/**
 * Draws each calendar year of the series as a line from January to December. For a single series, up to eight years
 * each have their own colour; if there are more, only the latest year is highlighted. For several series, colour
 * identifies the series, and its latest year has a thick line. Each value is drawn at the middle of its period.
 * @throws ArgumentError if the table has no series or no values, or its series have different units
 */
export function plotYears(table: Table, options: FramePlotOptions = {}): Chart {
  checkOptions(options, SERIES_PLOT_KEYS, 'plotYears');
  return drawYears(table, frameLines(table), options);
}

export function drawYears(table: Table, given: readonly Line[], options: FramePlotOptions): Chart {
  const { years, count } = readYears(given);
  const { metric, unit } = years[0]!;
  const other = years.find((line) => line.unit !== unit);
  if (other !== undefined)
    throw badArgument('table', `the series are in different units, ${unit} and ${other.unit}`, {
      remedy: `draw only series with the same unit`,
    });
  const { drawn, note } = drawnLines(years, { ...sizeOf(options), maxPoints: options.max_points });
  const span = yearsText(years.map(({ year }) => year));
  const texts = frameTexts(table, options, [span, weightNote(table), note]);
  const labelOf = ({ label, year }: YearLine) => (count === 1 ? String(year) : `${label} ${year}`);
  const isColoured = count === 1 && years.length <= COLOURS.length;
  // The latest year is drawn last, above the others, but is listed first.
  const listed = [...years].sort((a, b) => b.year - a.year);
  const lastOf = new Map(years.map(({ series, year }) => [series, year]));
  const lines = years.map((line, s): LineMark => {
    const { year, series } = line;
    const isLast = year === lastOf.get(series);
    const ofMany = count > 1 ? colourAt(series) : isLast ? COLOURS[0] : QUIET_COLOUR;
    return {
      series: listed.indexOf(line),
      label: isColoured || isLast ? labelOf(line) : '',
      ...drawn[s]!,
      colour: isColoured ? colourAt(s) : ofMany,
      width: isLast ? 2.4 : 1,
      opacity: isLast || isColoured ? 1 : 0.5,
    };
  });
  const description = `${texts.title}, ${texts.subtitle}. ${years.length} years of ${count} series over one another.`;
  const panel = { axis: axisOf(metric, unit), lines };
  const named = { labels: listed.map(labelOf), lines: listed };
  return panelChart('months', [panel], { ...texts, description }, named);
}

/** Splits series into years, and counts the series. @throws ArgumentError if they have no values */
function readYears(lines: readonly Line[]): { years: readonly YearLine[]; count: number } {
  const years = lines.flatMap(splitYears);
  if (years.length > 0) return { years, count: lines.length };
  throw badArgument('table', 'it has no values to draw', { remedy: 'pass a long or wide frame with values' });
}

const MIN_OTHERS = 3;
/** A date's usual range includes values up to this many days before and after the date, to even out single days. */
const WINDOW_DAYS = 10;

/**
 * Draws the latest year of a series against earlier years, which are shown as their median and a band from the 10th to
 * the 90th percentile. For daily series, the percentiles for a date include values within ten days of it.
 * @throws ArgumentError if the table has more than one series, or fewer than three years of data before the latest year
 */
export function plotUsualYear(table: Table, options: FramePlotOptions = {}): Chart {
  checkOptions(options, SERIES_PLOT_KEYS, 'plotUsualYear');
  return drawUsualYear(table, frameLines(table), options);
}

export function drawUsualYear(table: Table, given: readonly Line[], options: FramePlotOptions): Chart {
  const { years, count } = readYears(given);
  if (count > 1)
    throw badArgument(
      'table',
      `the latest year can be drawn against earlier years for only one series, but there are ${count}`,
      { remedy: `choose one, for example with selectSeries` },
    );
  if (years.length <= MIN_OTHERS)
    throw badArgument(
      'table',
      `the usual range requires ${MIN_OTHERS} years before the latest, but there are ${years.length - 1}`,
      { remedy: `draw it with table.plot()` },
    );
  const { latest, span, x, usual } = usualOf(years);
  const [median, low, high] = usual.map(({ value }) => value);
  const labels = [latest, ...usual].map((line) => line.label);
  const { drawn } = drawnLines([latest], { width: 1200 });
  const panel = {
    axis: axisOf(latest.metric, latest.unit),
    bands: [{ label: `10th to 90th percentile of ${span}`, x, low: low!, high: high! }],
    lines: [
      { ...middleLine(labels[1]!, x, median!), series: 1 },
      { series: 0, label: latest.label, ...drawn[0]!, colour: COLOURS[0], width: 1.6 },
    ],
  };
  const isOfWindow = latest.periodDays < 2;
  const note = isOfWindow ? `the range is of all days within ${WINDOW_DAYS} days of each date` : '';
  const texts = frameTexts(table, options, [note]);
  const described = { ...texts, description: `${texts.title}, ${latest.label} against ${span}.` };
  return panelChart('months', [panel], described, { labels, lines: [latest, ...usual] });
}

/** Returns the latest year and percentiles of other years, or `given` if it has several series or too few years. */
export function usualYearLines(given: readonly Line[]): readonly Line[] {
  const years = given.flatMap(splitYears);
  if (given.length !== 1 || years.length <= MIN_OTHERS) return given;
  const { latest, x, usual } = usualOf(years);
  const { start, end } = withValues(given[0]!);
  const count = latest.value.length;
  const dates = { start: start.slice(-count), end: end.slice(-count) };
  const at = x.indexOf(momentOf(latest, 0));
  const ofUsual = usual.map((line) => ({ ...line, ...dates, value: line.value.slice(at, at + count) }));
  return [{ ...latest, ...dates }, ...ofUsual];
}

/** Returns the latest year, and the median, 10th and 90th percentiles of the other years (see `usualPercentiles`). */
function usualOf(years: readonly YearLine[]) {
  const last = years.at(-1)!;
  const latest = { ...last, label: String(last.year) };
  const others = years.slice(0, -1);
  const span = yearsText(others.map(({ year }) => year));
  const { x, columns } = usualPercentiles(others, latest);
  const own = { ...latest, ...periodsAround(x, latest.periodDays) };
  const labels = [`median of ${span}`, '10th percentile', '90th percentile'];
  return { latest, span, x, usual: columns.map((value, i) => ({ ...own, label: labels[i]!, value })) };
}

/** Returns a period with each date in its middle, which extends at most halfway to the dates before and after. */
function periodsAround(dates: Float64Array, periodDays: number) {
  const margin = ((periodDays - 1) * DAY_MS) / 2;
  const halfway = (i: number) => (dates[i - 1]! + dates[i]! + DAY_MS) / 2;
  const start = dates.map((ms, i) => (i === 0 ? ms - margin : Math.max(ms - margin, halfway(i))));
  const end = dates.map((ms, i) =>
    Math.min(ms + margin, (start[i + 1] ?? Number.POSITIVE_INFINITY) - DAY_MS),
  );
  return { start, end };
}

/** Computes the 50th, 10th and 90th percentiles for the latest year's dates and other dates before and after them. */
function usualPercentiles(years: readonly YearLine[], latest: YearLine) {
  const points = years
    .flatMap((year) => Array.from(year.value, (value, row) => [momentOf(year, row), value] as const))
    .sort((a, b) => a[0] - b[0]);
  const half = (latest.periodDays < 2 ? WINDOW_DAYS : latest.periodDays / 2) * DAY_MS;
  const own = Array.from(latest.value.keys(), (row) => momentOf(latest, row));
  const [first, last, weekMs] = [own[0]!, own.at(-1)!, 7 * DAY_MS];
  // Weeks begin on other dates in other years, so the weeks of the latest year are continued.
  const weekFrom = (start: number, t: number) => start + Math.round((t - start) / weekMs) * weekMs;
  const momentFor = (t: number) => (latest.periodDays === 7 ? weekFrom(t < first ? first : last, t) : t);
  const others = new Set(points.map(([t]) => momentFor(t)).filter((t) => t < first || t > last));
  const x = Float64Array.from([...own, ...others]).sort();
  let [from, to] = [0, 0];
  const bands = Array.from(x, (date) => {
    while (to < points.length && points[to]![0] <= date + half) to++;
    while (from < to && points[from]![0] < date - half) from++;
    const sorted = Float64Array.from(points.slice(from, to), ([, value]) => value).sort();
    return [0.5, 0.1, 0.9].map((share) => (sorted.length === 0 ? Number.NaN : quantile(sorted, share)));
  });
  return { x, columns: [0, 1, 2].map((at) => Float64Array.from(bands, (band) => band[at]!)) };
}

/** Splits a series into calendar years and maps each onto the reference year. Missing values are left out. */
function splitYears(given: Line, series: number): YearLine[] {
  const line = withValues(given);
  const years: YearLine[] = [];
  for (let from = 0, to = 0; from < line.start.length; from = to) {
    const year = yearOf(line.start[from]!);
    while (to < line.start.length && yearOf(line.start[to]!) === year) to++;
    const move = (ms: number) => toSharedCalendar(ms, year);
    years.push({
      ...line,
      figures: figuresOf(line),
      series,
      year,
      start: line.start.slice(from, to).map(move),
      // Moves the day after the end, so that a period to 28 February ends on 29 February of the (leap) reference year.
      end: line.end.slice(from, to).map((ms) => move(ms + DAY_MS) - DAY_MS),
      value: line.value.slice(from, to),
    });
  }
  return years;
}
