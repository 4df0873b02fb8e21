import { bitmapBytes, copyBits, isValid, setBit } from '../../src/columns/bitmap.js';
import { NO_AVAILABLE_DATE, type PointColumns } from '../../src/columns/point-columns.js';
import { epochWords } from '../../src/columns/series-dates.js';

/** No points, with the optional columns that are wanted. */
export function emptyPoints({
  withAvailableDate = false,
  withMetadata = false,
}: {
  withAvailableDate?: boolean | undefined;
  withMetadata?: boolean | undefined;
} = {}): PointColumns {
  return {
    length: 0,
    series: new Uint32Array(0),
    start_date: new BigInt64Array(0),
    end_date: new BigInt64Array(0),
    value: new Float64Array(0),
    value_valid: null,
    unit_id: new Int32Array(0),
    reporting_date: new BigInt64Array(0),
    reporting_valid: null,
    available_date: withAvailableDate ? new BigInt64Array(0) : undefined,
    metadata: withMetadata ? [] : undefined,
  };
}

/** The given rows, in the given order. */
export function takeRows<Columns extends PointColumns>(columns: Columns, rows: Uint32Array): Columns {
  const { available_date, metadata } = columns;
  const taken: PointColumns = {
    length: rows.length,
    series: takeValues(columns.series, rows, new Uint32Array(rows.length)),
    start_date: takeValues(columns.start_date, rows, new BigInt64Array(rows.length)),
    end_date: takeValues(columns.end_date, rows, new BigInt64Array(rows.length)),
    value: takeValues(columns.value, rows, new Float64Array(rows.length)),
    value_valid: takeBits(columns.value_valid, rows),
    unit_id: takeValues(columns.unit_id, rows, new Int32Array(rows.length)),
    reporting_date: takeValues(columns.reporting_date, rows, new BigInt64Array(rows.length)),
    reporting_valid: takeBits(columns.reporting_valid, rows),
    available_date: available_date && takeValues(available_date, rows, new BigInt64Array(rows.length)),
    metadata: metadata && Array.from(rows, (row) => metadata[row] ?? null),
  };
  return taken as Columns;
}

type NumberColumn = Uint32Array | Int32Array | Float64Array | BigInt64Array;

/** Values are copied as words: that is exact for every type, and allocates no BigInt. */
function takeValues<Column extends NumberColumn>(from: Column, rows: Uint32Array, to: Column): Column {
  const [source, target] = [epochWords(from), epochWords(to)];
  if (to.BYTES_PER_ELEMENT === 4) for (let i = 0; i < rows.length; i++) target[i] = source[rows[i]!]!;
  else
    for (let i = 0; i < rows.length; i++) {
      target[2 * i] = source[2 * rows[i]!]!;
      target[2 * i + 1] = source[2 * rows[i]! + 1]!;
    }
  return to;
}

function takeBits(bitmap: Uint8Array | null, rows: Uint32Array): Uint8Array | null {
  if (bitmap === null) return null;
  const taken = new Uint8Array(bitmapBytes(rows.length));
  for (let i = 0; i < rows.length; i++) if (isValid(bitmap, rows[i]!)) setBit(taken, i);
  return taken;
}

/**
 * The rows of all parts, one part after another; a single part is returned itself. An optional column that one of the
 * parts lacks is `NO_AVAILABLE_DATE` or null in its rows.
 */
export function joinColumns(parts: readonly PointColumns[]): PointColumns {
  const [first] = parts;
  if (first === undefined) return emptyPoints();
  if (parts.length === 1) return first;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const withAvailableDate = parts.some(({ available_date }) => available_date !== undefined);
  const withMetadata = parts.some(({ metadata }) => metadata !== undefined);
  return {
    length,
    series: joinValues(parts, (part) => part.series, new Uint32Array(length)),
    start_date: joinValues(parts, (part) => part.start_date, new BigInt64Array(length)),
    end_date: joinValues(parts, (part) => part.end_date, new BigInt64Array(length)),
    value: joinValues(parts, (part) => part.value, new Float64Array(length)),
    value_valid: joinBitmaps(parts, (part) => part.value_valid, length),
    unit_id: joinValues(parts, (part) => part.unit_id, new Int32Array(length)),
    reporting_date: joinValues(parts, (part) => part.reporting_date, new BigInt64Array(length)),
    reporting_valid: joinBitmaps(parts, (part) => part.reporting_valid, length),
    available_date: withAvailableDate
      ? joinValues(parts, availableOrNone, new BigInt64Array(length))
      : undefined,
    metadata: withMetadata
      ? parts.flatMap(
          (part) => part.metadata?.slice(0, part.length) ?? new Array<null>(part.length).fill(null),
        )
      : undefined,
  };
}

function availableOrNone({ available_date, length }: PointColumns): BigInt64Array {
  return available_date ?? new BigInt64Array(length).fill(NO_AVAILABLE_DATE);
}

interface JoinableArray<Column> {
  set(from: Column, at: number): void;
  subarray(from: number, to: number): Column;
}

function joinValues<Column extends JoinableArray<Column>>(
  parts: readonly PointColumns[],
  columnOf: (part: PointColumns) => Column,
  joined: Column,
): Column {
  let at = 0;
  for (const part of parts) {
    joined.set(columnOf(part).subarray(0, part.length), at);
    at += part.length;
  }
  return joined;
}

function joinBitmaps(
  parts: readonly PointColumns[],
  bitmapOf: (part: PointColumns) => Uint8Array | null,
  length: number,
): Uint8Array | null {
  if (parts.every((part) => bitmapOf(part) === null)) return null;
  const joined = new Uint8Array(bitmapBytes(length));
  let at = 0;
  for (const part of parts) {
    copyBits(joined, at, { bitmap: bitmapOf(part), at: 0, count: part.length });
    at += part.length;
  }
  return joined;
}
