import { readLines } from '../../charts/frame-lines.js';
import { isValid } from '../../columns/bitmap.js';
import { rowsWhere } from '../../columns/row-runs.js';
import { frameOf, type LongFrame } from '../../frame/frame.js';
import { buildTable, tableColumns, takeColumns } from '../../frame/table/build-table.js';
import { readColumn } from '../../frame/table/columns.js';
import { groupedBy } from '../../model/grouping.js';
import { SERIES_KEY_FIELDS } from '../../model/series.js';
import { endOfDay, formatDay, parseTime } from '../../model/time.js';
import { periodsOf } from '../table/periods.js';

const cached = new WeakMap<LongFrame, ReturnType<typeof groupVintages>>();

/** Returns the vintages in a frame from `complete_history` with available dates. They are cached for each frame. */
export function vintagesOf(history: LongFrame) {
  const vintages = cached.get(history) ?? groupVintages(history);
  cached.set(history, vintages);
  return vintages;
}

/**
 * Returns a frame as of a time, with the same rows as the service's response for `at_time`. If several vintages of a
 * period were available, the one with the latest reporting date is used and, if these are equal, the one that became
 * available last. A missing reporting date counts as the earliest.
 */
export function frameAsOf(history: LongFrame, atMs: number): LongFrame {
  const { periods, available } = vintagesOf(history);
  const latest = new Set(periods.map((rows) => rows.findLast((row) => available[row]! <= atMs)));
  const rows = rowsWhere(history.numRows, (row) => latest.has(row));
  const columns = tableColumns(history).filter(({ name }) => name !== 'available_date');
  return frameOf(buildTable(takeColumns(columns, rows), history.schema.metadata));
}

/** Groups the rows by period, latest vintage last, and reads when each became available, as UTC milliseconds. */
function groupVintages(history: LongFrame) {
  const keys = [...SERIES_KEY_FIELDS, 'start_date', 'end_date'].map(
    (name) => readColumn(history, name).values,
  );
  const [reported, available] = ['reporting_date', 'available_date'].map((name) => {
    const column = readColumn(history, name, 'timestamp');
    // A missing date sorts before all others.
    return Float64Array.from(column.values, (_, row) =>
      isValid(column.valid, row) ? Number(column.values[row]) : Number.NEGATIVE_INFINITY,
    );
  }) as [Float64Array, Float64Array];
  const periods = groupedBy(available.keys(), (row) => keys.map((column) => column[row]).join());
  // The difference of two missing dates is NaN, which counts as equal.
  for (const rows of periods.values())
    rows.sort((a, b) => reported[a]! - reported[b]! || available[a]! - available[b]! || 0);
  const dates = [...new Set(available)].filter(Number.isFinite).sort((a, b) => a - b);
  return { periods: [...periods.values()], available, days: [...new Set(dates.map(formatDay))] };
}

/**
 * Returns one series' values as known at the end of several days. There is a row for each period, latest first, with a
 * value for each day, or `undefined` if no value was available yet.
 */
export function triangleOf(history: LongFrame, days: readonly string[]) {
  const lines = days.map(
    (day) => readLines(frameAsOf(history, parseTime(endOfDay(day), 'day')))[0] ?? NOTHING_KNOWN,
  );
  const rows = periodsOf(lines).map(({ start, end, rows }) => ({
    start,
    end,
    values: rows.map((row, at) => (row < 0 ? undefined : lines[at]!.value[row])),
  }));
  return { unit: lines.findLast(({ unit }) => unit !== '')?.unit ?? '', rows: rows.reverse() };
}

const NONE = new Float64Array();
const NOTHING_KNOWN = { start: NONE, end: NONE, value: NONE, unit: '' };
