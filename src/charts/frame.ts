import type { Field, Table } from 'apache-arrow';
import { isValid } from '../columns/bitmap.js';
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
  const end = BigInt64Array.from(rows, (row) => ends.values[row]!);
  const label = { label: name, fullLabel: name };
  const order = periodOrder({ start: null, end }, label);
  const values = {
    start_date: null,
    end_date: BigInt64Array.from(order, (row) => end[row]!),
    value: Float64Array.from(order, (row) => Number(at(rows[row]!))),
  };
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
  return (view, label) => {
    const periods = {
      start: starts && takeRuns(starts, view.runs).values,
      end: takeRuns(ends, view.runs).values,
    };
    const order = periodOrder(periods, label);
    const inOrder = (dates: BigInt64Array) => dates.map((_, i) => dates[order[i]!]!);
    const value = seriesValues(columnOf, view);
    return lineData(
      {
        start_date: periods.start && inOrder(periods.start),
        end_date: inOrder(periods.end),
        value: value.map((_, i) => value[order[i]!]!),
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

/**
 * The rows of a series by ascending period.
 * @throws ArgumentError when a period has several values: a line through vintages would move where the figures did not
 */
function periodOrder(
  { start, end }: { start: BigInt64Array | null; end: BigInt64Array },
  { label }: SeriesLabel,
): Uint32Array {
  const begin = start ?? end;
  const step = (a: number, b: number): number => Number(begin[b]! - begin[a]! || end[b]! - end[a]!);
  const order = Uint32Array.from(end.keys());
  if (order.some((row) => row > 0 && step(row - 1, row) < 0)) order.sort((a, b) => step(b, a) || a - b);
  const repeated = order.findIndex((row, i) => i > 0 && step(order[i - 1]!, row) === 0);
  if (repeated === -1) return order;
  const period = `${start === null ? '' : `${formatDay(Number(start[order[repeated]!]))} to `}${formatDay(Number(end[order[repeated]!]))}`;
  throw new ArgumentError(
    'table',
    `table: ${label} has several values for ${period}, as in a frame with a history; draw its latest ones, or those as of a date (at_time), or its revisions by plotRevisions; another table by plot(table, { x, y, color })`,
  );
}
