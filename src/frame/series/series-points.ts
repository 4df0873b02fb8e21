import type { Field, Table } from 'apache-arrow';
import { rowsOf } from '../../columns/row-runs.js';
import { epochAt, epochWords } from '../../columns/series-dates.js';
import { badArgument } from '../../model/errors.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { groupedBy } from '../../model/grouping.js';
import { periodStart } from '../../model/period-grid.js';
import { formatDay } from '../../model/time.js';
import { columnReader, numbersAt, readColumn, textAt } from '../table/columns.js';
import { LONG_COLUMN_TYPES } from '../table/names.js';
import {
  frameSeries,
  frameShape,
  refuseMissingColumns,
  type SeriesView,
  seriesName,
  seriesShape,
} from '../table/series-view.js';

/** The points of one series in a frame, stored as arrays and sorted by end date, then by start date. */
export interface SeriesPoints {
  view: SeriesView;
  /** The frame row that each point comes from. */
  rows: Int32Array;
  /** The start dates in UTC milliseconds. For a wide frame, they are derived from the frequency. */
  start: Float64Array;
  /** The end dates in UTC milliseconds. */
  end: Float64Array;
  /** The values, with NaN for null. */
  value: Float64Array;
  /** When each point became available, in UTC milliseconds; NaN if unknown. Omitted if the frame has no such dates. */
  available?: Float64Array | undefined;
  /** The share of the total weight held by regions with a value. Included only for averages and sums across regions. */
  weight_present?: Float64Array | undefined;
  /** The source's remarks on each point as JSON, or null. Included only for operations that keep remarks. */
  remarks?: readonly (string | null)[] | undefined;
}

/** Reads all series of a frame. @throws ArgumentError if a series has several values for a period, such as revisions */
export function readSeries(table: Table): SeriesPoints[] {
  seriesShape(table);
  const ends = epochWords(readColumn(table, 'end_date', 'timestamp').values);
  const starts =
    frameShape(table) === 'long' ? epochWords(readColumn(table, 'start_date', 'timestamp').values) : null;
  const columnOf = columnReader(table);
  const hasAvailable = table.schema.fields.some(({ name }) => name === 'available_date');
  return frameSeries(table).map((view) => {
    const rows = sortByPeriod(rowsOf(view.runs), ends, starts ?? ends);
    const end = datesAt(ends, rows);
    const start = starts ? datesAt(starts, rows) : end.map((date) => periodStart(frequencyOf(view), date));
    checkDistinctPeriods(view, start, end);
    const available = hasAvailable ? numbersAt(columnOf('available_date'), rows) : undefined;
    return { view, rows, start, end, value: numbersAt(columnOf(view.column), rows), available };
  });
}

export function knownPoints({ view, rows, start, end, value, available }: SeriesPoints): SeriesPoints {
  const known = (_: number, i: number) => !Number.isNaN(value[i]);
  return {
    view,
    rows: rows.filter(known),
    start: start.filter(known),
    end: end.filter(known),
    value: value.filter(known),
    available: available?.filter(known),
  };
}

/** Returns a function that reads the remark in a row of a long frame, or `undefined` if the frame has no remarks. */
export function remarkReader(table: Table): ((row: number) => string | null) | undefined {
  if (!table.schema.fields.some(({ name }) => name === 'metadata')) return undefined;
  const column = readColumn(table, 'metadata');
  return (row) => textAt(column, row);
}

/** Merges remarks, which are JSON objects, into one object. A field with several values becomes a list. */
export function joinRemarks(remarks: Iterable<string | null>): string | null {
  const distinct = [...new Set(remarks)].filter((remark) => remark !== null);
  if (distinct.length <= 1) return distinct[0] ?? null;
  const fields = distinct.flatMap(fieldsOfRemark);
  const joined = [...groupedBy(fields, ([name]) => name)].map(([name, all]) => {
    const values = new Map(all.map(([, value]) => [JSON.stringify(value), value as unknown]));
    return [name, values.size === 1 ? all[0]![1] : [...values.values()]];
  });
  return JSON.stringify(Object.fromEntries(joined));
}

function fieldsOfRemark(remark: string): [name: string, value: unknown][] {
  try {
    const parsed: unknown = JSON.parse(remark);
    if (typeof parsed === 'object' && parsed !== null) return Object.entries(parsed);
  } catch {}
  return [['remark', remark]];
}

/** Returns the dates in the given rows. A loop is used because `Float64Array.from` takes ten times as long. */
function datesAt(words: Int32Array, rows: Int32Array): Float64Array {
  const dates = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) dates[i] = epochAt(words, rows[i]!);
  return dates;
}

function sortByPeriod(rows: Int32Array, ends: Int32Array, starts: Int32Array): Int32Array {
  const step = (a: number, b: number) =>
    epochAt(ends, a) - epochAt(ends, b) || epochAt(starts, a) - epochAt(starts, b);
  for (let i = 1; i < rows.length; i++)
    if (step(rows[i]!, rows[i - 1]!) < 0) return rows.sort((a, b) => step(a, b) || a - b);
  return rows;
}

export function frequencyOf({ key }: SeriesView): (typeof FREQUENCIES)[number] {
  const frequency = FREQUENCIES.find(({ id }) => id === key.frequency_id);
  if (frequency !== undefined) return frequency;
  throw badArgument('frequency_id', `${key.frequency_id} has no known period; exclude it with selectSeries`);
}

function checkDistinctPeriods(view: SeriesView, start: Float64Array, end: Float64Array): void {
  for (let i = 1; i < end.length; i++) {
    if (end[i] !== end[i - 1] || start[i] !== start[i - 1]) continue;
    throw badArgument(
      'table',
      `${seriesName(view)} has several values for ${formatDay(start[i]!)} to ${formatDay(end[i]!)}, as in a frame with a history; request the latest values or those as of a date (at_time), or draw all values with plotRevisions`,
    );
  }
}

function plainColumns(table: Table): Field[] {
  const isKnown =
    frameShape(table) === 'long'
      ? (name: string) => ['value', 'weight_present'].includes(name) || LONG_COLUMN_TYPES.has(name)
      : (name: string) => name === 'end_date';
  return table.schema.fields.filter(({ name, metadata }) => !isKnown(name) && !metadata.has('metric_id'));
}

/** Rejects a frame with columns that belong to no series, because the operation `verb` would lose them. */
export function refusePlainColumns(table: Table, verb: string): void {
  refuseMissingColumns(table);
  const names = plainColumns(table).map(({ name }) => JSON.stringify(name));
  if (names.length === 0) return;
  throw badArgument(
    'table',
    `${verb} would lose ${names.join(', ')}, because a column that belongs to no series cannot be kept; use ${verb} before withColumn, or remove such columns with omit`,
  );
}
