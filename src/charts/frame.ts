import type { Field, Table } from 'apache-arrow';
import { isValid } from '../columns/bitmap.js';
import { readEpochs } from '../columns/series-dates.js';
import { seriesValues } from '../frame/display/shown-series.js';
import { columnReader, findColumn, readColumn, readColumns } from '../frame/table/columns.js';
import { orderedColumn } from '../frame/table/ordered.js';
import { readProvenance } from '../frame/table/provenance.js';
import { frameSeries, frameShape, type SeriesView } from '../frame/table/series-view.js';
import { takeRuns } from '../frame/table/take-rows.js';
import { checkOptions } from '../model/arguments/option-keys.js';
import { ArgumentError } from '../model/errors.js';
import { FREQUENCIES } from '../model/frequency.js';
import type { SeriesLabel } from '../model/names/short-labels.js';
import type { Provenance } from '../model/provenance.js';
import { formatDay } from '../model/time.js';
import type { Chart } from './chart.js';
import { nameViews, sourceLine, unitOf, weightNote } from './frame-texts.js';
import { joinTexts, type LineData, lineData } from './lines.js';
import { SERIES_PLOT_KEYS, type SeriesPlotOptions } from './series.js';
import { timeChart } from './time-chart.js';

/** Texts and size of the chart; by default from the frame. */
export type FramePlotOptions = Partial<SeriesPlotOptions>;

/**
 * A chart with one line for each series of a long or wide frame over time, and for each other column of numbers of a wide
 * one or of any table with `end_date`, but columns of ids: a panel for each unit, or by `axes: 'one'` up to three axes; a panel
 * for each series above eight. A line is broken where periods of its own frequency are missing. Where frequencies are mixed,
 * the coarser values are steps over their periods. Names, units and the sources of the drawn series are those of the frame.
 * @throws ArgumentError when the table has no dates or no values, a series has several values for one period, as in a
 * frame with a history, the series are in more than six units, or there are more than 60 of them and none is highlighted
 */
export function plotFrame(table: Table, options: FramePlotOptions = {}): Chart {
  checkOptions(options, SERIES_PLOT_KEYS, 'plotFrame');
  const views = frameSeries(table);
  const plain = plainFields(table);
  if (views.length + plain.length === 0)
    throw new ArgumentError(
      'table',
      'table: it has no end_date with numbers; give a long or wide frame, or draw it by plot(table, { x, y })',
    );
  const provenance = readProvenance(table);
  const { title, subtitle, labels } = nameViews(views);
  const lineOf = lineReader(table, { provenance, options });
  const lines = [
    ...views.map((view, i) => lineOf(view, labels[i]!)),
    ...plain.map((field) => plainLine(table, field, options)),
  ];
  const parts = [...(views.length === 0 ? [] : [title]), ...plain.map(({ name }) => name)];
  return timeChart(lines, {
    ...options,
    title: options.title ?? (parts.length > 3 ? 'Values' : parts.join(', ')),
    subtitle: joinTexts([options.subtitle ?? subtitle, weightNote(table)]),
    source: sourceLine(options.source, views, provenance),
  });
}

/** The columns of numbers that are no series: of a join, a query or a function. A long frame has a point in each row. */
function plainFields(table: Table): Field[] {
  const { fields } = table.schema;
  if (frameShape(table) === 'long' || !fields.some(({ name }) => name === 'end_date')) return [];
  return readColumns(table)
    .filter(({ field: { name, metadata }, column }) => {
      const isNumber = orderedColumn(column).kind === 'number' && name !== 'weight_present';
      return isNumber && !metadata.has('metric_id') && !name.endsWith('_id');
    })
    .map(({ field }) => field);
}

/** A column of numbers over `end_date`, where both are known. */
function plainLine(table: Table, { name, metadata }: Field, options: FramePlotOptions): LineData {
  const { at } = orderedColumn(findColumn(table, name, 'table'));
  const ends = readColumn(table, 'end_date', 'timestamp');
  const rows = [...ends.values.keys()].filter((row) => isValid(ends.valid, row) && at(row) !== null);
  const dates = readEpochs(ends.values);
  const label = { label: name, fullLabel: name };
  const values = inOrder(
    {
      start_date: null,
      end_date: Float64Array.from(rows, (row) => dates[row]!),
      value: Float64Array.from(rows, (row) => Number(at(row))),
    },
    label,
  );
  const unit = options.unit ?? metadata.get('unit_name') ?? 'no unit';
  return lineData(values, { ...label, unit, measure: options.measure ?? name });
}

/** Reads the series of a frame as lines, each of its columns once. */
export function lineReader(
  table: Table,
  { provenance, options }: { provenance: Provenance | null; options: FramePlotOptions },
): (view: SeriesView, label: SeriesLabel) => LineData {
  const columnOf = columnReader(table);
  const hasStart = table.schema.fields.some(({ name }) => name === 'start_date');
  const ends = readColumn(table, 'end_date', 'timestamp');
  const starts = hasStart ? readColumn(table, 'start_date', 'timestamp') : null;
  const datesOf = (column: typeof ends, view: SeriesView) => readEpochs(takeRuns(column, view.runs).values);
  return (view, label) => {
    const points = {
      start_date: starts && datesOf(starts, view),
      end_date: datesOf(ends, view),
      value: seriesValues(columnOf, view),
    };
    return lineData(
      {
        ...inOrder(points, label),
        frequency: FREQUENCIES.find(({ id }) => id === view.key.frequency_id),
      },
      {
        ...label,
        place: view.key.region_id,
        unit: options.unit ?? unitOf(view, provenance),
        measure: options.measure ?? view.names.get('metric_name') ?? 'Value',
      },
    );
  };
}

/** The dates and values of a series. */
interface Points {
  readonly start_date: Float64Array | null;
  readonly end_date: Float64Array;
  readonly value: Float64Array;
}

/**
 * The points of a series by ascending period.
 * @throws ArgumentError when a period has several values: a line through vintages would move where the figures did not
 */
function inOrder(points: Points, label: SeriesLabel): Points {
  const { start_date, end_date, value } = points;
  const begin = start_date ?? end_date;
  const step = (a: number, b: number) => begin[b]! - begin[a]! || end_date[b]! - end_date[a]!;
  const isBehind = (_: number, row: number) => row > 0 && step(row - 1, row) < 0;
  if (end_date.some(isBehind)) {
    const order = [...end_date.keys()].sort((a, b) => step(b, a) || a - b);
    const taken = (column: Float64Array) => column.map((_, i) => column[order[i]!]!);
    const start = start_date && taken(start_date);
    return inOrder({ start_date: start, end_date: taken(end_date), value: taken(value) }, label);
  }
  const repeated = end_date.findIndex((_, row) => row > 0 && step(row - 1, row) === 0);
  if (repeated === -1) return points;
  const period = [...(start_date === null ? [] : [start_date[repeated]!]), end_date[repeated]!].map(
    formatDay,
  );
  throw new ArgumentError(
    'table',
    `table: ${label.label} has several values for ${period.join(' to ')}, as in a frame with a history; draw its latest ones, or those as of a date (at_time), or its revisions by plotRevisions; another table by plot(table, { x, y, color })`,
  );
}
