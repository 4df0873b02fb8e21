import type { Field, Table } from 'apache-arrow';
import { isValid } from '../columns/bitmap.js';
import { readEpochs } from '../columns/series-dates.js';
import { readColumn, readColumns } from '../frame/table/columns.js';
import { type OrderedColumn, orderedColumn } from '../frame/table/ordered.js';
import { frameShape } from '../frame/table/series-view.js';
import { badArgument } from '../model/errors.js';
import { checkOptions } from '../model/schema/check.js';
import { formatDay } from '../model/time.js';
import { type Chart, type FramePlotOptions, SERIES_PLOT_KEYS } from './chart.js';
import { frameTexts, readLines, weightNote } from './frame-lines.js';
import { type Line, lineOf } from './lines.js';
import { timeChart } from './time-chart.js';

/** Draws a frame's series and numeric columns over time (see `Frame.plot`). */
export function plotFrame(table: Table, options: FramePlotOptions = {}): Chart {
  checkOptions(options, SERIES_PLOT_KEYS, 'plot');
  return drawFrame(table, frameLines(table), options);
}

export function drawFrame(table: Table, lines: readonly Line[], options: FramePlotOptions): Chart {
  const plain = plainLines(table, options);
  if (lines.length + plain.length === 0)
    throw badArgument('table', 'it has no column end_date, or no column of numbers beside it', {
      remedy: 'pass a long or wide frame, or draw it with table.plot({ x, y })',
    });
  const texts = frameTexts(table, options, [weightNote(table)]);
  const parts = [...(lines.length === 0 ? [] : [texts.title]), ...plain.map(({ label }) => label)];
  const title = options.title ?? (parts.length > 3 ? 'Values' : parts.join(', '));
  return timeChart([...lines, ...plain], { ...texts, title });
}

/** Returns a frame's series as lines to draw, or an empty array if the table is neither long nor wide. */
export function frameLines(table: Table): Line[] {
  return frameShape(table) === 'other' ? [] : readLines(table);
}

/** Returns lines for the numeric columns that are not series, such as those added by a join; empty for a long frame. */
function plainLines(table: Table, options: FramePlotOptions): Line[] {
  const { fields } = table.schema;
  if (frameShape(table) === 'long' || !fields.some(({ name }) => name === 'end_date')) return [];
  return readColumns(table).flatMap(({ field, column }) => {
    const { name, metadata } = field;
    const { kind, at } = orderedColumn(column);
    const isPlain = !metadata.has('metric_id') && !name.endsWith('_id');
    return kind === 'number' && isPlain ? [plainLine(table, field, { ...options, at })] : [];
  });
}

/** Returns a numeric column as a line over `end_date`, in date order. Rows without a date or a value are left out. */
function plainLine(
  table: Table,
  { name, metadata }: Field,
  { measure, unit, at }: FramePlotOptions & Pick<OrderedColumn, 'at'>,
): Line {
  const ends = readColumn(table, 'end_date', 'timestamp');
  const dates = readEpochs(ends.values);
  const rows = [...ends.values.keys()]
    .filter((row) => isValid(ends.valid, row) && at(row) !== null)
    .sort((a, b) => dates[a]! - dates[b]!);
  const repeated = rows.find((row, i) => i > 0 && dates[row] === dates[rows[i - 1]!]);
  if (repeated !== undefined)
    throw badArgument('table', `${name} has several values for ${formatDay(dates[repeated]!)}`, {
      remedy: `keep one of them, or draw the column with table.plot({ x, y, color })`,
    });
  const end = Float64Array.from(rows, (row) => dates[row]!);
  const value = Float64Array.from(rows, (row) => Number(at(row)));
  const texts = { label: name, metric: measure ?? name, unit: unit ?? metadata.get('unit_name') ?? '' };
  return lineOf({ start: null, end, value }, texts);
}
