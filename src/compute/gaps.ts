import { bitmapBytes, copyBits } from '../columns/bitmap.js';
import type { PointColumns } from '../columns/point-columns.js';
import { NO_UNIT_ID } from '../columns/point-columns.js';
import { dateParts, mondayOf } from '../model/calendar.js';
import type { Frequency } from '../model/entity.js';
import { type PeriodGrid, periodGrid } from '../model/period-grid.js';
import { DAY_MS, utcDay } from '../model/time.js';

export interface GapOptions {
  readonly frequency: Frequency;
  /** The wanted dates in UTC milliseconds; null means from the first, or to the last, known period. */
  readonly startMs: number | null;
  readonly endMs: number | null;
  /** Used only when there are no points: the start of any period of the series, its position, and its unit. */
  readonly anchorMs?: number | undefined;
  readonly series?: number | undefined;
  readonly unitId?: number | undefined;
}

/**
 * Adds to the points of one series a null point for each period between the wanted dates in which no known point
 * starts. Periods are counted from the known point before them (or backwards from the first), so that weeks, marketing
 * years and their shifts follow the series. Known points are unchanged. A filled point has a null value and reporting
 * date, the unit of its neighbour, and, where these columns exist, null metadata and `NO_AVAILABLE_DATE`.
 */
export function insertNulls(columns: PointColumns, options: GapOptions): PointColumns {
  const gaps = columns.length === 0 ? wholeGap(options) : gapsBetween(columns, options);
  return gaps.starts.length === 0 ? columns : fillGaps(columns, gaps, options);
}

interface Gaps {
  /** The known row that each filled point precedes, ascending. */
  readonly rows: number[];
  readonly starts: number[];
  /** Last day of each period. */
  readonly ends: number[];
}

function wholeGap({ frequency, startMs, endMs, anchorMs }: GapOptions): Gaps {
  const gaps: Gaps = { rows: [], starts: [], ends: [] };
  if (startMs === null || endMs === null) return gaps;
  const grid = periodGrid(frequency, anchorMs ?? calendarAnchor(frequency, startMs));
  addPeriods(gaps, grid, { row: 0, first: grid.index(startMs), startMs, endMs, beforeMs: null });
  return gaps;
}

function gapsBetween({ start_date, length }: PointColumns, { frequency, startMs, endMs }: GapOptions): Gaps {
  const gaps: Gaps = { rows: [], starts: [], ends: [] };
  let known = Number(start_date[0]);
  if (startMs !== null && startMs < known) {
    const grid = periodGrid(frequency, known);
    addPeriods(gaps, grid, { row: 0, first: grid.index(startMs), startMs, endMs, beforeMs: known });
  }
  for (let row = 1; row < length; row++) {
    const next = Number(start_date[row]);
    if (next === known) continue;
    const grid = periodGrid(frequency, known);
    addPeriods(gaps, grid, { row, first: grid.index(known) + 1, startMs, endMs, beforeMs: next });
    known = next;
  }
  if (endMs !== null) {
    const grid = periodGrid(frequency, known);
    addPeriods(gaps, grid, { row: length, first: grid.index(known) + 1, startMs, endMs, beforeMs: null });
  }
  return gaps;
}

/** Adds the periods from number `first` on that overlap the wanted dates and end before `beforeMs`, the next known start. */
function addPeriods(
  gaps: Gaps,
  grid: PeriodGrid,
  {
    row,
    first,
    startMs,
    endMs,
    beforeMs,
  }: { row: number; first: number; startMs: number | null; endMs: number | null; beforeMs: number | null },
): void {
  for (let index = first; ; index++) {
    const start = grid.start(index);
    const end = grid.start(index + 1) - DAY_MS;
    if (endMs !== null && start > endMs) return;
    if (beforeMs !== null && end >= beforeMs) return;
    if (startMs !== null && end < startMs) continue;
    gaps.rows.push(row);
    gaps.starts.push(start);
    gaps.ends.push(end);
  }
}

/** The start of a calendar period: weeks start on Monday, quarters in January, April, July and October. */
function calendarAnchor({ periodLength: { days, months = 0 } }: Frequency, ms: number): number {
  if (days === 7) return mondayOf(ms);
  if (days !== undefined) return Math.floor(ms / DAY_MS) * DAY_MS;
  const { year, month } = dateParts(ms);
  return utcDay(year, months === 0 ? 1 : month - ((month - 1) % months), 1);
}

function fillGaps(known: PointColumns, { rows, starts, ends }: Gaps, options: GapOptions): PointColumns {
  const length = known.length + rows.length;
  const filled = emptyColumns(length, known, options);
  let from = 0;
  let to = 0;
  for (let gap = 0; gap <= rows.length; gap++) {
    const until = rows[gap] ?? known.length;
    copyRows(known, filled, { from, until, to });
    to += until - from;
    from = until;
    if (gap === rows.length) break;
    filled.start_date[to] = BigInt(starts[gap]!);
    filled.end_date[to] = BigInt(ends[gap]!);
    filled.unit_id[to] = known.unit_id[until === 0 ? 0 : until - 1] ?? options.unitId ?? NO_UNIT_ID;
    filled.value[to] = Number.NaN;
    to++;
  }
  return filled;
}

type FilledColumns = PointColumns & {
  value_valid: Uint8Array;
  reporting_valid: Uint8Array;
  metadata?: (string | null)[] | undefined;
};

/** Columns in which every row is a null point of the series. */
function emptyColumns(length: number, known: PointColumns, { series = 0 }: GapOptions): FilledColumns {
  return {
    length,
    series: new Uint32Array(length).fill(known.series[0] ?? series),
    start_date: new BigInt64Array(length),
    end_date: new BigInt64Array(length),
    value: new Float64Array(length),
    value_valid: new Uint8Array(bitmapBytes(length)),
    unit_id: new Int32Array(length),
    reporting_date: new BigInt64Array(length),
    reporting_valid: new Uint8Array(bitmapBytes(length)),
    available_date: known.available_date && new BigInt64Array(length),
    metadata: known.metadata && Array<string | null>(length).fill(null),
  };
}

function copyRows(
  known: PointColumns,
  filled: FilledColumns,
  { from, until, to }: { from: number; until: number; to: number },
): void {
  if (from === until) return;
  filled.start_date.set(known.start_date.subarray(from, until), to);
  filled.end_date.set(known.end_date.subarray(from, until), to);
  filled.value.set(known.value.subarray(from, until), to);
  filled.unit_id.set(known.unit_id.subarray(from, until), to);
  filled.reporting_date.set(known.reporting_date.subarray(from, until), to);
  filled.available_date?.set(known.available_date!.subarray(from, until), to);
  const count = until - from;
  copyBits(filled.value_valid, to, { bitmap: known.value_valid, at: from, count });
  copyBits(filled.reporting_valid, to, { bitmap: known.reporting_valid, at: from, count });
  for (let i = 0; i < count && known.metadata !== undefined; i++) {
    filled.metadata![to + i] = known.metadata[from + i]!;
  }
}
