import { bitmapBytes, setBit } from '../../columns/bitmap.js';
import { oneOrEach, type PackedPoints, packReported, textsOrNone } from '../../columns/packed-points.js';
import { gridOf, type SeriesDates } from '../../columns/series-dates.js';
import { DAY_MS } from '../../model/time.js';
import { turns } from '../turns.js';
import type { ColumnName, PointGroup } from './point-groups.js';

/** Consecutive rows of one series, sorted by period. `to` is exclusive. */
interface Run {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

const MAX_LIST_POINTS = 65_536;

/** The maximum number of points in a list with remarks, which take longer to send than numbers. */
const MAX_LIST_TEXTS = 4_096;

const POINTS_PER_TURN = 16_384;

/**
 * Packs rows, which may be in any order, into lists of points ordered by series and period. Most series consist of one
 * run of sorted rows. Overlapping runs are merged. Points of the same period keep their order. In a column that was not
 * read, all points of a series have the same value.
 */
export async function packRows(parts: readonly EngineRows[], group: PointGroup): Promise<PackedPoints[][]> {
  if (parts.length === 0) return [];
  const rows = joinRows(parts);
  const runs = findRuns(rows, group);
  const maxPoints = rows.metadata === undefined ? MAX_LIST_POINTS : MAX_LIST_TEXTS;
  const lists: PackedPoints[][] = [];
  let listed = maxPoints;
  const add = (piece: PackedPoints) => {
    if (listed + piece.length > maxPoints) {
      lists.push([]);
      listed = 0;
    }
    lists.at(-1)!.push(piece);
    listed += piece.length;
  };
  let points = POINTS_PER_TURN;
  for (let first = 0; first < runs.length; ) {
    if (points >= POINTS_PER_TURN) {
      await turns.next();
      points = 0;
    }
    let next = first;
    for (; next < runs.length && runs[next]!.at === runs[first]!.at; next++)
      points += runs[next]!.to - runs[next]!.from;
    const ordered = sortRuns(rows, runs.slice(first, next));
    for (const run of ordered.runs)
      for (let from = run.from; from < run.to; from += maxPoints)
        add(packPiece(ordered.rows, { ...run, from, to: Math.min(run.to, from + maxPoints) }, group));
    first = next;
  }
  return lists;
}

function findRuns(rows: EngineRows, { series }: PointGroup): Run[] {
  const { series: handles, start, length } = rows;
  const positions = new Map(series.map(({ handle }, at) => [handle, at]));
  const runs: Run[] = [];
  for (let from = 0; from < length; ) {
    const to = endOfRun(rows, from);
    runs.push({ at: positions.get(handles[from]!)!, from, to });
    from = to;
  }
  // The sort is stable, so sorted rows keep their order even if batches from several servers alternate.
  return runs.sort((a, b) => a.at - b.at || start[a.from]! - start[b.from]!);
}

/** Returns the first row after `from` with a different series, or with an earlier period than the preceding row. */
function endOfRun({ series, start, end, length }: EngineRows, from: number): number {
  const handle = series[from]!;
  let to = from + 1;
  for (let before = start[from]!; to < length && series[to] === handle; to++) {
    const now = start[to]!;
    if (now < before || (now === before && end !== undefined && end[to]! < end[to - 1]!)) break;
    before = now;
  }
  return to;
}

function comparePeriods({ start, end }: EngineRows, a: number, b: number): number {
  return start[a]! - start[b]! || (end === undefined ? 0 : end[a]! - end[b]!);
}

function sortRuns(rows: EngineRows, runs: readonly Run[]): { rows: EngineRows; runs: readonly Run[] } {
  if (runs.every(({ from }, i) => i === 0 || comparePeriods(rows, runs[i - 1]!.to - 1, from) <= 0))
    return { rows, runs };
  const merged = new Uint32Array(runs.reduce((sum, { from, to }) => sum + to - from, 0));
  let length = 0;
  for (const { from, to } of runs) for (let row = from; row < to; row++) merged[length++] = row;
  merged.sort((a, b) => comparePeriods(rows, a, b));
  return { rows: takeRows(rows, merged), runs: [{ at: runs[0]!.at, from: 0, to: length }] };
}

function packPiece(
  rows: EngineRows,
  { at, from, to }: Run,
  { plan, offset, series }: PointGroup,
): PackedPoints {
  const { end, unit_id, reporting_date, available_date, metadata } = rows;
  const { unit_id: commonUnit, common } = series[at]!;
  const start = rows.start.subarray(from, to);
  const value = rows.value.subarray(from, to);
  return {
    series: offset + at,
    length: to - from,
    start_date: packDates(start),
    end_date:
      end === undefined
        ? packShifted(start, common!.periodDays! * DAY_MS)
        : packEnds(start, end.subarray(from, to)),
    value,
    value_valid: validOf(value),
    unit_id: unit_id === undefined ? commonUnit : oneOrEach(unit_id.subarray(from, to)),
    reporting_date: reporting_date === undefined ? null : packDatesOrNone(reporting_date.subarray(from, to)),
    available_date: plan.withAvailableDate
      ? available_date === undefined
        ? common!.availableMs!
        : oneOrEach(available_date.subarray(from, to))
      : undefined,
    metadata: plan.withMetadata
      ? metadata === undefined
        ? null
        : textsOrNone(metadata.slice(from, to))
      : undefined,
  };
}

/** Returns a validity bitmap for numbers, in which NaN counts as missing. Returns null if no number is missing. */
function validOf(numbers: Float64Array): Uint8Array | null {
  let row = 0;
  while (row < numbers.length && !Number.isNaN(numbers[row]!)) row++;
  if (row === numbers.length) return null;
  const valid = new Uint8Array(bitmapBytes(numbers.length));
  for (row = 0; row < numbers.length; row++) if (!Number.isNaN(numbers[row]!)) setBit(valid, row);
  return valid;
}

/** Packs reporting dates, or returns null if all are missing (NaN). Replaces missing dates with 0 in the array. */
function packDatesOrNone(dates: Float64Array): PackedPoints['reporting_date'] {
  const valid = validOf(dates);
  if (valid !== null) for (let row = 0; row < dates.length; row++) dates[row] ||= 0;
  return packReported(dates, valid);
}

function packDates(dates: Float64Array): SeriesDates {
  const packed = gridOf(dates);
  return packed === dates ? dates.slice() : packed;
}

function packEnds(starts: Float64Array, ends: Float64Array): SeriesDates | null {
  return ends.every((end, row) => end === starts[row]) ? null : packDates(ends);
}

function packShifted(starts: Float64Array, ms: number): SeriesDates | null {
  if (ms === 0) return null;
  const grid = gridOf(starts);
  return grid instanceof Float64Array
    ? starts.map((start) => start + ms)
    : { ...grid, firstMs: grid.firstMs + ms };
}

/** Rows of one or more series, with the columns that were read. Dates are in UTC milliseconds. */
export interface EngineRows {
  /** The object that owns the columns' memory. The memory is freed once this object is unreachable. */
  readonly owner?: unknown;
  readonly length: number;
  readonly series: Int32Array;
  readonly start: Float64Array;
  /** The values; NaN for a point without a value. */
  readonly value: Float64Array;
  readonly end?: Float64Array | undefined;
  readonly unit_id?: Int32Array | undefined;
  /** The reporting dates; NaN for a point without a reporting date. */
  readonly reporting_date?: Float64Array | undefined;
  readonly available_date?: Float64Array | undefined;
  readonly metadata?: readonly (string | null)[] | undefined;
}

/** Names the columns of a query's rows: series, start and value, followed by the columns in `read`. */
export function engineRows(
  length: number,
  read: readonly ColumnName[],
  columnAt: (at: number, name: ColumnName | 'series' | 'start' | 'value') => unknown,
): EngineRows {
  const names = ['series', 'start', 'value', ...read] as const;
  const columns = Object.fromEntries(names.map((name, at) => [name, columnAt(at, name)]));
  return { length, ...columns } as unknown as EngineRows;
}

type Column = Int32Array | Float64Array | readonly (string | null)[];

/** Returns `length` rows whose columns are the results of `map`. */
function mapColumns(
  { owner: _, length: __, ...columns }: EngineRows,
  length: number,
  map: (column: Column, name: keyof typeof columns) => Column,
): EngineRows {
  const mapped = Object.entries(columns).map(([name, column]) => [
    name,
    column && map(column, name as keyof typeof columns),
  ]);
  return { length, ...Object.fromEntries(mapped) };
}

function joinRows(parts: readonly EngineRows[]): EngineRows {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return mapColumns(parts[0]!, length, (first, name) => {
    if (Array.isArray(first)) return parts.flatMap((part) => part.metadata!);
    const joined = first instanceof Int32Array ? new Int32Array(length) : new Float64Array(length);
    let at = 0;
    for (const part of parts) {
      joined.set(part[name] as Int32Array | Float64Array, at);
      at += part.length;
    }
    return joined;
  });
}

function takeRows(rows: EngineRows, order: Uint32Array): EngineRows {
  return mapColumns(rows, order.length, (column) => {
    if (column instanceof Int32Array) return Int32Array.from(order, (row) => column[row]!);
    if (column instanceof Float64Array) return Float64Array.from(order, (row) => column[row]!);
    return Array.from(order, (row) => column[row]!);
  });
}
