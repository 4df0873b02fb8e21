import { bitmapBytes, setBit } from '../../columns/bitmap.js';
import { epochWords, setEpoch } from '../../columns/epoch-words.js';
import { SeriesIndex } from '../../columns/series-index.js';
import type { SeriesKey } from '../../model/series.js';
import type { NewPoints, PointOrigins } from '../../store/store.js';

/** One vintage of one value. Times are UTC milliseconds; the value is null when the source reports that it has none. */
export interface NewPoint {
  readonly startMs: number;
  readonly endMs: number;
  readonly value: number | null;
  readonly unitId: number;
  /** Null when the source gives no reporting date. */
  readonly reportingMs: number | null;
  readonly availableMs: number;
  /** JSON text, such as the source's flags and notes. */
  readonly metadata?: string | null | undefined;
}

/** A point with a value, to be filled for each row: a new object for each would take longer than reading the row. */
export function pointToFill() {
  return {
    startMs: 0,
    endMs: 0,
    value: 0,
    unitId: 0,
    reportingMs: null as number | null,
    availableMs: 0,
    metadata: null as string | null,
  };
}

const INITIAL_CAPACITY = 1024;

/** Rows of a full batch. Importers yield full batches, so that memory does not grow with the file. */
const BATCH_ROWS = 65_536;

/** Collects points row by row, and returns them as the columns of a store, sorted by series and period. */
export class NewPointsBuilder {
  readonly #series = new SeriesIndex();
  #columns = allocateColumns(INITIAL_CAPACITY);
  /** Null while no point has any. */
  #metadata: (string | null)[] | null = null;
  #hasNulls = false;
  #hasReporting = false;
  #length = 0;
  #line = 0;
  /** The texts of the points, each from its first row on. */
  #texts: TextRows[] = [];
  #markedLength = 0;
  #markedSeries = 0;

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length >= BATCH_ROWS;
  }

  /** Adds a point. Neither key nor point are kept: a caller may change them and add the next one. */
  add(key: SeriesKey, point: NewPoint): void {
    this.addTo(this.seriesNumber(key), point);
  }

  /** The number of a series until `take`; one without points by then is listed as well. */
  seriesNumber(key: SeriesKey): number {
    return this.#series.indexOf(key);
  }

  /** Adds a point of a series by its number. */
  addTo(series: number, point: NewPoint): void {
    const row = this.#length;
    if (row === this.#columns.series.length) this.#columns = growColumns(this.#columns, row * 2);
    const columns = this.#columns;
    columns.series[row] = series;
    columns.start[row] = point.startMs;
    columns.end[row] = point.endMs;
    if (point.value === null) this.#hasNulls = true;
    if (point.reportingMs !== null) this.#hasReporting = true;
    columns.value[row] = point.value ?? Number.NaN;
    columns.unit[row] = point.unitId;
    columns.reporting[row] = point.reportingMs ?? Number.NaN;
    columns.available[row] = point.availableMs;
    columns.line[row] = this.#line;
    const metadata = point.metadata ?? null;
    if (this.#metadata !== null) this.#metadata.push(metadata);
    else if (metadata !== null) this.#metadata = [...new Array<null>(row).fill(null), metadata];
    this.#length = row + 1;
  }

  /** Points added from now on are read in this text. */
  beginText(file: number): void {
    this.#texts.push({ file, firstRow: this.#length });
  }

  /** Points added from now on are read on this line. */
  set line(number: number) {
    this.#line = number;
  }

  /** Marks the present points, for `revert`. */
  mark(): void {
    this.#markedLength = this.#length;
    this.#markedSeries = this.#series.size;
  }

  /** Removes the points added since the mark. */
  revert(): void {
    this.#series.truncate(this.#markedSeries);
    if (this.#metadata !== null) this.#metadata.length = this.#markedLength;
    this.#length = this.#markedLength;
  }

  take(): NewPoints {
    const series = this.#series.take();
    const order = sortedRows(this.#columns, this.#length, series.length);
    const gather = { length: this.#length, order };
    const columns = buildColumns(this.#columns, gather, {
      metadata: this.#metadata,
      hasNulls: this.#hasNulls,
      hasReporting: this.#hasReporting,
    });
    const origin = this.#texts.length === 0 ? undefined : gatherOrigins(this.#columns, gather, this.#texts);
    this.#texts = this.#texts.slice(-1).map(({ file }) => ({ file, firstRow: 0 }));
    this.#metadata = null;
    this.#hasNulls = false;
    this.#hasReporting = false;
    this.#length = 0;
    this.mark();
    return { series, columns, origin };
  }
}

interface TextRows {
  readonly file: number;
  readonly firstRow: number;
}

function allocateColumns(capacity: number): RawColumns {
  return {
    series: new Uint32Array(capacity),
    start: new Float64Array(capacity),
    end: new Float64Array(capacity),
    value: new Float64Array(capacity),
    unit: new Int32Array(capacity),
    reporting: new Float64Array(capacity),
    available: new Float64Array(capacity),
    line: new Int32Array(capacity),
  };
}

function growColumns(columns: RawColumns, capacity: number): RawColumns {
  const larger = allocateColumns(capacity);
  for (const name of Object.keys(larger) as (keyof RawColumns)[]) larger[name].set(columns[name]);
  return larger;
}

interface OptionalContents {
  /** Null when no point has any. */
  readonly metadata: readonly (string | null)[] | null;
  readonly hasNulls: boolean;
  readonly hasReporting: boolean;
}

function buildColumns(
  raw: RawColumns,
  gather: Gather,
  { metadata, hasNulls, hasReporting }: OptionalContents,
): NewPoints['columns'] {
  const { length, order } = gather;
  const value = gatherNumbers(raw.value, new Float64Array(length), gather);
  const value_valid = hasNulls ? gatherValidity(raw.value, gather) : null;
  return {
    length,
    series: gatherNumbers(raw.series, new Uint32Array(length), gather),
    start_date: gatherDates(raw.start, gather),
    end_date: gatherDates(raw.end, gather),
    value: value_valid === null ? value : value.map((number) => (Number.isNaN(number) ? 0 : number)),
    value_valid,
    unit_id: gatherNumbers(raw.unit, new Int32Array(length), gather),
    reporting_date: hasReporting ? gatherDates(raw.reporting, gather) : new BigInt64Array(length),
    reporting_valid: hasReporting
      ? gatherValidity(raw.reporting, gather)
      : new Uint8Array(bitmapBytes(length)),
    available_date: gatherDates(raw.available, gather),
    metadata:
      metadata === null ? undefined : order === null ? metadata : Array.from(order, (row) => metadata[row]!),
  };
}

function gatherOrigins({ line }: RawColumns, gather: Gather, texts: readonly TextRows[]): PointOrigins {
  const { length } = gather;
  const file = new Int32Array(length);
  for (const [i, text] of texts.entries()) file.fill(text.file, text.firstRow, texts[i + 1]?.firstRow);
  return {
    file: texts.length === 1 ? file : gatherNumbers(file, new Int32Array(length), gather),
    line: gatherNumbers(line, new Int32Array(length), gather),
  };
}

/** Which rows are taken, and in which order. */
interface Gather {
  readonly length: number;
  readonly order: Order;
}

function gatherNumbers<Column extends Float64Array | Int32Array | Uint32Array>(
  numbers: Column,
  gathered: Column,
  { length, order }: Gather,
): Column {
  if (order === null) (gathered as Float64Array).set(numbers.subarray(0, length) as Float64Array);
  else for (let i = 0; i < length; i++) gathered[i] = numbers[order[i]!]!;
  return gathered;
}

/** The validity bitmap of a column, in which NaN is invalid; null when every row is valid. */
function gatherValidity(numbers: Float64Array, { length, order }: Gather): Uint8Array | null {
  const bitmap = new Uint8Array(bitmapBytes(length));
  let valid = 0;
  for (let i = 0; i < length; i++) {
    if (Number.isNaN(numbers[order === null ? i : order[i]!]!)) continue;
    setBit(bitmap, i);
    valid++;
  }
  return valid === length ? null : bitmap;
}

/** Milliseconds as 64-bit integers in sorted order; 0 for NaN. */
function gatherDates(numbers: Float64Array, { length, order }: Gather): BigInt64Array<ArrayBuffer> {
  const result = new BigInt64Array(length);
  const words = epochWords(result);
  for (let i = 0; i < length; i++) {
    const ms = numbers[order === null ? i : order[i]!]!;
    if (!Number.isNaN(ms)) setEpoch(words, i, ms);
  }
  return result;
}

/** Points as they arrive. Times are numbers, NaN for null: cheaper to fill and to sort than 64-bit integers. */
interface RawColumns {
  readonly series: Uint32Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly value: Float64Array;
  readonly unit: Int32Array;
  readonly reporting: Float64Array;
  readonly available: Float64Array;
  readonly line: Int32Array;
}

/** Row numbers in the order wanted; null where the rows are in it already. */
type Order = Uint32Array | null;

/** Row numbers sorted by series, start, end, reporting date (null first) and available date. */
function sortedRows(raw: RawColumns, length: number, seriesCount: number): Order {
  if (areSorted(raw, length)) return null;
  const ends = new Uint32Array(seriesCount + 1);
  for (let row = 0; row < length; row++) ends[raw.series[row]! + 1]!++;
  for (let i = 1; i <= seriesCount; i++) ends[i]! += ends[i - 1]!;
  const order = new Uint32Array(length);
  const next = ends.slice();
  for (let row = 0; row < length; row++) order[next[raw.series[row]!]!++] = row;
  for (let i = 0; i < seriesCount; i++) sortSeriesRows(raw, order, { from: ends[i]!, to: ends[i + 1]! });
  return order;
}

function areSorted(raw: RawColumns, length: number): boolean {
  for (let row = 1; row < length; row++) {
    const order = raw.series[row - 1]! - raw.series[row]!;
    if (order > 0 || (order === 0 && compareRows(raw, row - 1, row) > 0)) return false;
  }
  return true;
}

/** Sorts the rows of one series; most sources are sorted already, and have too many series to make an array for each. */
function sortSeriesRows(
  raw: RawColumns,
  order: Uint32Array,
  { from, to }: { from: number; to: number },
): void {
  for (let i = from + 1; i < to; i++) {
    if (compareRows(raw, order[i - 1]!, order[i]!) <= 0) continue;
    order.subarray(from, to).sort((a, b) => compareRows(raw, a, b));
    return;
  }
}

/** Compares two rows of one series; those that are equal stay in order of arrival. */
function compareRows(raw: RawColumns, a: number, b: number): number {
  return (
    raw.start[a]! - raw.start[b]! ||
    raw.end[a]! - raw.end[b]! ||
    reportingRank(raw.reporting[a]!) - reportingRank(raw.reporting[b]!) ||
    raw.available[a]! - raw.available[b]! ||
    a - b
  );
}

function reportingRank(reporting: number): number {
  return Number.isNaN(reporting) ? -Number.MAX_VALUE : reporting;
}
