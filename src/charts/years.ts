import type { Table } from 'apache-arrow';
import { withDetail } from '../frame/display/credit.js';
import { readProvenance } from '../frame/table/provenance.js';
import { frameSeries } from '../frame/table/series-view.js';
import { checkOptions } from '../model/arguments/option-keys.js';
import { yearOf } from '../model/calendar.js';
import { ArgumentError } from '../model/errors.js';
import { utcDay } from '../model/time.js';
import { type Chart, singlePanel } from './chart.js';
import { type FramePlotOptions, lineReader } from './frame.js';
import { nameViews, sourceLine, weightNote } from './frame-texts.js';
import { byLine, dataOf, type LineData, lineRows, MONTHS, timesOf, valueScale } from './lines.js';
import { SERIES_PLOT_KEYS } from './series.js';
import { COLOURS, QUIET_COLOUR } from './theme.js';

/** The leap year whose calendar all years share. */
const REFERENCE_YEAR = 2000;

/** A year of a series, with its dates moved to the shared calendar. */
interface YearLine extends LineData {
  readonly series: number;
  readonly year: number;
}

/** Dated values by ascending date. */
type Dated = Pick<LineData, 'start' | 'end' | 'value'>;

/**
 * A chart of the years of series over one another: a line for each calendar year, from January to December. Of one series, up
 * to eight years have colours of their own, and of more the latest is highlighted; of several series the colour is that of
 * the series, and the latest year is the thick line. A value is drawn at the first date of its period.
 * @throws ArgumentError when the table has no series or no values, or its series are in several units
 */
export function plotYears(table: Table, options: FramePlotOptions = {}): Chart {
  checkOptions(options, SERIES_PLOT_KEYS, 'plotYears');
  const views = frameSeries(table);
  const provenance = readProvenance(table);
  const { title, subtitle, labels } = nameViews(views);
  const lineOf = lineReader(table, { provenance, options });
  const years = views.flatMap((view, series): YearLine[] =>
    inYears(lineOf(view, labels[series]!)).map((line) => ({ ...line, series })),
  );
  if (years.length === 0)
    throw new ArgumentError(
      'table',
      'table: it has no values to draw; give a long or wide frame with values',
    );
  const { measure, unit } = years[0]!;
  const other = years.find((line) => line.unit !== unit);
  if (other !== undefined)
    throw new ArgumentError(
      'table',
      `table: its series are in ${unit} and ${other.unit}; draw those of one unit`,
    );
  const { rows, drawn, total } = lineRows(years, {
    width: options.width ?? 860,
    isStepped: () => false,
    maxPoints: options.maxPoints,
  });
  const thinned = drawn < total ? `thinned: ${drawn} of ${total} points, extremes kept` : '';
  const texts = [options.subtitle ?? subtitle, spanOf(years), weightNote(table), thinned].filter(
    (text) => text !== '',
  );
  const shown = {
    ...options,
    title: options.title ?? title,
    subtitle: texts.join(' · '),
    source: sourceLine(options.source, views, provenance),
  };
  const names = years.map(({ label, year }) => (views.length === 1 ? String(year) : `${label} ${year}`));
  const description = `${shown.title}, ${shown.subtitle}. ${years.length} years of ${views.length} series over one another.`;
  const layer = [linesLayer(years, names, withDetail(measure, unit))];
  return singlePanel({ ...shown, description }, () => ({ layer, ...dataOf({ rows, labels: names }) }), {
    labels: names,
    times: timesOf(rows),
  });
}

/** The years of a series, each moved to the shared calendar. */
export function inYears<Line extends Dated>(line: Line): (Line & { readonly year: number })[] {
  const years: (Line & { readonly year: number })[] = [];
  for (let from = 0, to = 0; from < line.start.length; from = to) {
    const year = yearOf(line.start[from]!);
    while (to < line.start.length && yearOf(line.start[to]!) === year) to++;
    const [january, march] = [utcDay(REFERENCE_YEAR, 1, 1) - utcDay(year, 1, 1), utcDay(year, 3, 1)];
    const afterFebruary = utcDay(REFERENCE_YEAR, 3, 1) - march;
    const move = (ms: number) => ms + (ms < march ? january : afterFebruary);
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

function linesLayer(years: readonly YearLine[], names: readonly string[], axis: string): object {
  const isOneSeries = years.every(({ series }) => series === 0);
  const isColoured = isOneSeries && years.length <= COLOURS.length;
  const last = Math.max(...years.map(({ year }) => year));
  const isLast = (at: number) => years[at]!.year === last;
  const colourOf = (at: number) => {
    if (isColoured) return COLOURS[at % COLOURS.length]!;
    if (isOneSeries) return isLast(at) ? COLOURS[1] : QUIET_COLOUR;
    return COLOURS[years[at]!.series % COLOURS.length]!;
  };
  const keys = [...years.keys()];
  const scale = valueScale(years.flatMap(({ value }) => [...value]));
  const shownNames = isOneSeries
    ? isColoured
      ? names
      : names.slice(-1)
    : names.filter((_, at) => isLast(at));
  return {
    mark: { type: 'line' },
    encoding: {
      x: { field: 't', ...MONTHS },
      y: { field: 'v', type: 'quantitative', scale, axis: { title: axis } },
      color: {
        field: 'label',
        type: 'nominal',
        scale: { domain: names, range: keys.map(colourOf) },
        legend: { orient: 'top', title: null, values: shownNames },
      },
      strokeWidth: byLine(keys.map((at) => (isLast(at) ? 2.4 : 1))),
      strokeOpacity: byLine(keys.map((at) => (isLast(at) || isColoured ? 1 : 0.5))),
    },
  };
}

function spanOf(years: readonly YearLine[]): string {
  const all = years.map(({ year }) => year);
  const [first, last] = [Math.min(...all), Math.max(...all)];
  return first === last ? String(first) : `${first} to ${last}`;
}
