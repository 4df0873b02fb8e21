import {
  allValid,
  bitmapBytes,
  blankNulls,
  copyBits,
  countValid,
  isValid,
  setBit,
} from '../../columns/bitmap.js';
import {
  type NullableDates,
  oneOrEach,
  type PackedPoints,
  packReported,
  sliceValid,
  textsOrNone,
} from '../../columns/packed-points.js';
import { gridOf, type SeriesDates } from '../../columns/series-dates.js';
import { DAY_MS } from '../../model/time.js';
import type { PointPlan, StoredSeries } from '../plan.js';
import { turns } from '../turns.js';
import { positionOf, type VaryingColumns } from './point-groups.js';

/** Rows `from` to `to` (exclusive), of one series and in order. */
interface Run {
  /** Position in the group. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** The series of packed rows. For a column that was not read, they have the constant of their points. */
interface Packing {
  readonly plan: PointPlan;
  /** The position in the plan of the first of the series. */
  readonly offset: number;
  readonly series: readonly StoredSeries[];
}

/** A list of points has at most so many. */
const MAX_LIST_POINTS = 65_536;

/** Remarks take longer to send than numbers. */
const MAX_LIST_TEXTS = 4_096;

/** Points that are packed between two looks at the clock. */
const POINTS_A_LOOK = 16_384;

/**
 * The points of some series in order, in lists. Rows may be in any order: the layout has most series in one run, and the runs
 * of those that have several are merged where they overlap. Points of one period stay in the order of the rows.
 */
export async function packRuns(rows: PointRows, packing: Packing): Promise<PackedPoints[][]> {
  const runs = findRuns(rows, packing);
  const maxPoints = rows.metadata === null ? MAX_LIST_POINTS : MAX_LIST_TEXTS;
  const lists = new Lists(maxPoints);
  let points = POINTS_A_LOOK;
  for (let first = 0; first < runs.length; ) {
    if (points >= POINTS_A_LOOK) {
      await turns.next();
      points = 0;
    }
    let next = first;
    for (; next < runs.length && runs[next]!.at === runs[first]!.at; next++)
      points += runs[next]!.to - runs[next]!.from;
    const ordered = inOrder(rows, runs.slice(first, next));
    for (const run of ordered.runs)
      for (let from = run.from; from < run.to; from += maxPoints)
        lists.add(packPiece(ordered.rows, { ...run, from, to: Math.min(run.to, from + maxPoints) }, packing));
    first = next;
  }
  return lists.all;
}

class Lists {
  readonly all: PackedPoints[][] = [];
  #points = 0;
  readonly #maxPoints: number;

  constructor(maxPoints: number) {
    this.#maxPoints = maxPoints;
  }

  add(points: PackedPoints): void {
    this.#points += points.length;
    if (this.all.length === 0 || this.#points > this.#maxPoints) {
      this.all.push([]);
      this.#points = points.length;
    }
    this.all.at(-1)!.push(points);
  }
}

function findRuns(rows: PointRows, { series }: Packing): Run[] {
  const { series: handles, start, length } = rows;
  const runs: Run[] = [];
  let at = -1;
  let isInOrder = true;
  for (let from = 0; from < length; ) {
    const handle = handles[from]!;
    const to = endOfRun(rows, from);
    if (series[at]?.handle !== handle) at = positionOf(handle, series, at + 1);
    const last = runs.at(-1);
    if (last !== undefined && (last.at > at || (last.at === at && start[last.from]! > start[from]!)))
      isInOrder = false;
    runs.push({ at, from, to });
    from = to;
  }
  // Sorting is stable: sorted rows stay as they were read where servers answer at the same time.
  return isInOrder ? runs : runs.sort((a, b) => a.at - b.at || start[a.from]! - start[b.from]!);
}

/** The first row after `from` of another series, or of a period before that of the row before it. */
function endOfRun({ series, start, end, length }: PointRows, from: number): number {
  const handle = series[from]!;
  let to = from + 1;
  for (let before = start[from]!; to < length && series[to] === handle; to++) {
    const now = start[to]!;
    if (now < before || (now === before && end !== null && end[to]! < end[to - 1]!)) break;
    before = now;
  }
  return to;
}

function comparePeriods({ start, end }: PointRows, a: number, b: number): number {
  return start[a]! - start[b]! || (end === null ? 0 : end[a]! - end[b]!);
}

/** The runs of a series, merged if they overlap. */
function inOrder(rows: PointRows, runs: readonly Run[]): { rows: PointRows; runs: readonly Run[] } {
  if (runs.every(({ from }, i) => i === 0 || comparePeriods(rows, runs[i - 1]!.to - 1, from) <= 0))
    return { rows, runs };
  const merged = new Uint32Array(runs.reduce((sum, { from, to }) => sum + to - from, 0));
  let length = 0;
  for (const { from, to } of runs) for (let row = from; row < to; row++) merged[length++] = row;
  merged.sort((a, b) => comparePeriods(rows, a, b));
  return { rows: takeRows(rows, merged), runs: [{ at: runs[0]!.at, from: 0, to: length }] };
}

/** These rows in this order. */
function takeRows(rows: PointRows, order: Uint32Array): PointRows {
  const numbers = (items: Float64Array) => Float64Array.from(order, (row) => items[row]!);
  const integers = (items: Int32Array) => Int32Array.from(order, (row) => items[row]!);
  const bits = (bitmap: Uint8Array | null) => {
    if (bitmap === null) return null;
    const reordered = new Uint8Array(bitmapBytes(order.length));
    for (const [i, row] of order.entries()) if (isValid(bitmap, row)) setBit(reordered, i);
    return reordered;
  };
  const { end, unit_id, reporting_date, available_date, metadata } = rows;
  return {
    length: order.length,
    series: integers(rows.series),
    start: numbers(rows.start),
    end: end && numbers(end),
    value: numbers(rows.value),
    value_valid: bits(rows.value_valid),
    unit_id: unit_id && integers(unit_id),
    reporting_date: reporting_date && {
      dates: numbers(reporting_date.dates),
      valid: bits(reporting_date.valid),
    },
    available_date: available_date && numbers(available_date),
    metadata: metadata && Array.from(order, (row) => metadata[row]!),
  };
}

function packPiece(rows: PointRows, { at, from, to }: Run, { plan, offset, series }: Packing): PackedPoints {
  const { end, unit_id, reporting_date, available_date, metadata } = rows;
  const { unit_id: commonUnit, common } = series[at]!;
  const start = rows.start.subarray(from, to);
  return {
    series: offset + at,
    length: to - from,
    start_date: packDates(start),
    end_date:
      end === null
        ? packShifted(start, common!.periodDays! * DAY_MS)
        : packEnds(start, end.subarray(from, to)),
    value: rows.value.subarray(from, to),
    value_valid: sliceValid(rows.value_valid, from, to),
    unit_id: unit_id === null ? commonUnit : oneOrEach(unit_id.subarray(from, to)),
    reporting_date:
      reporting_date &&
      packReported(reporting_date.dates.subarray(from, to), sliceValid(reporting_date.valid, from, to)),
    available_date: plan.withAvailableDate
      ? available_date === null
        ? common!.availableMs!
        : oneOrEach(available_date.subarray(from, to))
      : undefined,
    metadata: plan.withMetadata ? metadata && textsOrNone(metadata.slice(from, to)) : undefined,
  };
}

/** Dates in separate memory. */
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

/** Points of several series by columns; null means a column that was not read. Dates are UTC milliseconds. */
interface PointRows {
  readonly length: number;
  /** Handles. */
  readonly series: Int32Array;
  readonly start: Float64Array;
  readonly end: Float64Array | null;
  /** NaN in null rows. */
  readonly value: Float64Array;
  readonly value_valid: Uint8Array | null;
  readonly unit_id: Int32Array | null;
  readonly reporting_date: NullableDates | null;
  readonly available_date: Float64Array | null;
  readonly metadata: readonly (string | null)[] | null;
}

/** A column as an engine gives it: undefined memory in null rows. */
interface NullableNumbers {
  readonly items: Float64Array;
  readonly valid: Uint8Array | null;
}

/** Some rows as an engine gives them, with the columns that are read. */
export interface EngineRows {
  readonly length: number;
  readonly series: Int32Array;
  readonly start: Float64Array;
  readonly value: NullableNumbers;
  readonly end?: Float64Array | undefined;
  readonly unit_id?: Int32Array | undefined;
  readonly reporting_date?: NullableNumbers | undefined;
  readonly available_date?: Float64Array | undefined;
  readonly metadata?: readonly (string | null)[] | undefined;
}

type Integers = Int32Array<ArrayBuffer>;
type Numbers = Float64Array<ArrayBuffer>;

/** Collects rows as columns. */
export class PointBatch {
  #length = 0;
  readonly #series: GrowingColumn<Integers>;
  readonly #start: GrowingColumn<Numbers>;
  readonly #end: GrowingColumn<Numbers> | null;
  readonly #value: GrowingColumn<Numbers>;
  readonly #unit: GrowingColumn<Integers> | null;
  readonly #reporting: GrowingColumn<Numbers> | null;
  readonly #available: GrowingColumn<Numbers> | null;
  readonly #metadata: (string | null)[] | null;

  constructor(read: VaryingColumns, expected: number) {
    const numbers = () => new GrowingColumn(new Float64Array(expected));
    this.#series = new GrowingColumn(new Int32Array(takeScratch(4 * expected)));
    this.#start = new GrowingColumn(new Float64Array(takeScratch(8 * expected)));
    this.#end = read.end ? new GrowingColumn(new Float64Array(takeScratch(8 * expected))) : null;
    this.#value = numbers();
    this.#unit = read.unit_id ? new GrowingColumn(new Int32Array(expected)) : null;
    this.#reporting = read.reporting_date ? numbers() : null;
    this.#available = read.available_date ? numbers() : null;
    this.#metadata = read.metadata ? [] : null;
  }

  /** Adds rows, which have every column that is read. */
  add(rows: EngineRows): void {
    const at = this.#length;
    this.#series.add(rows.series, at);
    this.#start.add(rows.start, at);
    this.#end?.add(rows.end!, at);
    this.#value.addNullable(rows.value, at);
    this.#unit?.add(rows.unit_id!, at);
    this.#reporting?.addNullable(rows.reporting_date!, at);
    this.#available?.add(rows.available_date!, at);
    for (const text of rows.metadata ?? []) this.#metadata?.push(text);
    this.#length += rows.length;
  }

  /** The columns of all rows; `series`, `start` and `end` are valid until `release`. */
  rows(): PointRows {
    const length = this.#length;
    const value = this.#value.items(length);
    if (this.#value.valid !== null) blankNulls(value, this.#value.valid);
    return {
      length,
      series: this.#series.items(length),
      start: this.#start.items(length),
      end: this.#end?.items(length) ?? null,
      value,
      value_valid: this.#value.valid,
      unit_id: this.#unit?.items(length) ?? null,
      reporting_date: this.#reporting && reportingDates(this.#reporting, length),
      available_date: this.#available?.items(length) ?? null,
      metadata: this.#metadata,
    };
  }

  release(): void {
    for (const column of [this.#series, this.#start, this.#end]) if (column) giveScratch(column.memory);
  }
}

function reportingDates(column: GrowingColumn<Numbers>, length: number): NullableDates {
  const dates = column.items(length);
  const { valid } = column;
  for (let i = 0; valid !== null && i < length; i++) {
    if (valid[i >> 3] === 0xff) i |= 7;
    else if (!isValid(valid, i)) dates[i] = 0;
  }
  return { dates, valid };
}

/** A column whose items are added some at a time, each copied once unless there are more than expected. */
class GrowingColumn<Column extends Integers | Numbers> {
  #items: Column;
  #valid: Uint8Array | null = null;

  /** @param items memory for as many rows as are expected */
  constructor(items: Column) {
    this.#items = items;
  }

  /** Adds items without null rows from row `at` on. */
  add(items: Float64Array | Int32Array, at: number): void {
    this.#reserve(at + items.length);
    this.#items.set(items, at);
  }

  addNullable({ items, valid }: NullableNumbers, at: number): void {
    const count = items.length;
    this.#reserve(at + count);
    if (this.#valid === null && !allValid(valid, count)) {
      this.#valid = new Uint8Array(bitmapBytes(this.#items.length));
      copyBits(this.#valid, 0, { bitmap: null, at: 0, count: at });
    }
    if (this.#valid !== null) copyBits(this.#valid, at, { bitmap: valid, at: 0, count });
    if (countValid(valid, count) > 0) this.#items.set(items, at);
  }

  /** The memory of all rows, and of more. */
  get memory(): ArrayBuffer {
    return this.#items.buffer;
  }

  /** The first rows. */
  items(length: number): Column {
    return this.#items.subarray(0, length) as Column;
  }

  /** Validity bitmap; null when every row has a value. */
  get valid(): Uint8Array | null {
    return this.#valid;
  }

  #reserve(length: number): void {
    const before = this.#items;
    if (length <= before.length) return;
    // Even, so that the memory of integers fits numbers too when it is used again.
    const grown = 2 * Math.max(Math.ceil(length / 2), before.length);
    this.#items = new (before.constructor as new (length: number) => Column)(grown);
    this.#items.set(before);
    if (this.#valid === null) return;
    const bitmap = new Uint8Array(bitmapBytes(grown));
    bitmap.set(this.#valid);
    this.#valid = bitmap;
  }
}

/** Memory that is kept for the next reader: fresh memory takes longer to get than to fill. */
const MAX_KEPT = 12;
const MAX_KEPT_BYTES = 8 * 524_288;

const kept: ArrayBuffer[] = [];

/** Memory of any content, at least so many bytes. */
function takeScratch(bytes: number): ArrayBuffer {
  const place = kept.findIndex(({ byteLength }) => byteLength >= bytes);
  return place === -1 ? new ArrayBuffer(8 * Math.ceil(bytes / 8)) : kept.splice(place, 1)[0]!;
}

/** Gives memory back that nothing refers to any more. */
function giveScratch(memory: ArrayBuffer): void {
  if (kept.length < MAX_KEPT && memory.byteLength <= MAX_KEPT_BYTES) kept.push(memory);
}
