import { type Data, DataType, DateUnit, type Decimal, Precision, TimeUnit, Vector } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { DAY_MS, formatTime } from '../../model/time.js';

/**
 * A value from a column of any type, converted without loss. 64-bit integers are bigints. Decimals are strings, and so
 * are dates, times and durations (in ISO 8601). Bytes are Uint8Arrays, lists are arrays, maps are arrays of pairs, and
 * structs are objects.
 */
export type Cell =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | readonly Cell[]
  | { readonly [Field in string]: Cell };

type CellReader = (row: number) => Cell;

export function cellReader(vector: Vector): CellReader {
  const readers = vector.data.map(chunkReader);
  if (readers.length === 1) return readers[0]!;
  let [chunk, from] = [0, 0];
  return (row) => {
    if (row < from) [chunk, from] = [0, 0];
    while (row >= from + vector.data[chunk]!.length) from += vector.data[chunk++]!.length;
    return readers[chunk]!(row - from);
  };
}

/** Returns a function that reads a chunk's rows. It does not access an empty chunk's children, which Arrow may omit. */
function chunkReader(data: Data | undefined): CellReader {
  if (data === undefined || data.length === 0 || DataType.isNull(data.type)) return () => null;
  const value = valueReader(data);
  const { nullBitmap, offset } = data;
  return data.nullCount === 0 ? value : (row) => (isValid(nullBitmap, offset + row) ? value(row) : null);
}

function valueReader(data: Data): CellReader {
  const { type, values, valueOffsets, children, offset } = data;
  const first = children[0];
  if (DataType.isBool(type)) return (row) => isValid(values, offset + row);
  if (DataType.isInt(type)) return (row) => values[row];
  if (DataType.isFloat(type) && type.precision !== Precision.HALF) return (row) => values[row];
  if (DataType.isDate(type)) return dateReader(values, type.unit);
  if (DataType.isTimestamp(type)) return (row) => timestampText(values[row], type.unit);
  if (DataType.isTime(type)) return (row) => clockText(BigInt(values[row]), type.unit);
  if (DataType.isDuration(type)) return (row) => durationText(values[row], type.unit);
  if (DataType.isDecimal(type)) return decimalReader(values, type);
  if (DataType.isDictionary(type)) {
    const category = cellReader(data.dictionary!);
    return (row) => category(Number(values[row]));
  }
  if (DataType.isList(type) || DataType.isLargeList(type)) {
    const item = chunkReader(first);
    return (row) => cellsOf(item, Number(valueOffsets[row]), Number(valueOffsets[row + 1]));
  }
  if (DataType.isMap(type)) {
    const [key, value] = first!.children.map(chunkReader);
    return (row) =>
      cellsOf((at) => [key!(at), value!(at)], Number(valueOffsets[row]), Number(valueOffsets[row + 1]));
  }
  if (DataType.isFixedSizeList(type)) {
    const item = chunkReader(first);
    return (row) => cellsOf(item, row * type.listSize, (row + 1) * type.listSize);
  }
  if (DataType.isStruct(type)) {
    const fields = type.children.map(({ name }, at) => [name ?? '', chunkReader(children[at])] as const);
    return (row) => Object.fromEntries(fields.map(([name, read]) => [name, read(row)]));
  }
  // For strings, bytes and half-precision floats, Arrow's own reader is exact.
  const vector = new Vector([data]);
  return (row) => vector.get(row);
}

function cellsOf(read: CellReader, from: number, to: number): Cell[] {
  return Array.from({ length: to - from }, (_, at) => read(from + at));
}

function dateReader(values: Int32Array | BigInt64Array, unit: DateUnit): CellReader {
  return (row) => {
    const ms = unit === DateUnit.DAY ? BigInt(values[row]!) * BigInt(DAY_MS) : BigInt(values[row]!);
    return ms % BigInt(DAY_MS) === 0n ? dayText(ms) : timeText(ms);
  };
}

/** The latest time, in UTC milliseconds, that a `Date` can represent. */
const MAX_DATE_MS = 8_640_000_000_000_000;
/** The number of years after which the Gregorian calendar repeats. */
const CYCLE_YEARS = 400n;
const CYCLE_MS = 146_097n * BigInt(DAY_MS);

/**
 * Formats a time in UTC milliseconds as ISO 8601. Years outside 0 to 9999 have a sign and at least six digits. Such
 * years occur because other software writes an infinite time as the largest integer.
 */
export function timeText(ms: bigint | number): string {
  if (Math.abs(Number(ms)) <= MAX_DATE_MS) return formatTime(Number(ms));
  const time = BigInt(ms);
  const rest = ((time % CYCLE_MS) + CYCLE_MS) % CYCLE_MS;
  const text = formatTime(Number(rest));
  const year = BigInt(text.slice(0, 4)) + ((time - rest) / CYCLE_MS) * CYCLE_YEARS;
  const digits = String(year < 0n ? -year : year).padStart(6, '0');
  return `${year < 0n ? '-' : '+'}${digits}${text.slice(4)}`;
}

export function dayText(ms: bigint | number): string {
  return timeText(ms).split('T')[0]!;
}

const SECOND_DIGITS: Readonly<Record<TimeUnit, number>> = {
  [TimeUnit.SECOND]: 0,
  [TimeUnit.MILLISECOND]: 3,
  [TimeUnit.MICROSECOND]: 6,
  [TimeUnit.NANOSECOND]: 9,
};

function splitSeconds(value: bigint, unit: TimeUnit): { seconds: bigint; fraction: string } {
  const perSecond = 10n ** BigInt(SECOND_DIGITS[unit]);
  const rest = ((value % perSecond) + perSecond) % perSecond;
  return {
    seconds: (value - rest) / perSecond,
    fraction: SECOND_DIGITS[unit] === 0 ? '' : `.${String(rest).padStart(SECOND_DIGITS[unit], '0')}`,
  };
}

function timestampText(value: bigint, unit: TimeUnit): string {
  const { seconds, fraction } = splitSeconds(value, unit);
  return timeText(seconds * 1000n).replace('.000Z', `${fraction === '' ? '.000' : fraction}Z`);
}

function clockText(value: bigint, unit: TimeUnit): string {
  const { seconds, fraction } = splitSeconds(value, unit);
  const parts = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n];
  return parts.map((part) => String(part).padStart(2, '0')).join(':') + fraction;
}

function durationText(value: bigint, unit: TimeUnit): string {
  const { seconds, fraction } = splitSeconds(value < 0n ? -value : value, unit);
  return `${value < 0n ? '-' : ''}PT${seconds}${fraction.replace(/\.?0+$/, '')}S`;
}

function decimalReader(words: Uint32Array, { bitWidth, scale }: Decimal): CellReader {
  const stride = bitWidth / 32;
  return (row) => {
    let value = 0n;
    for (let at = stride - 1; at >= 0; at--) value = (value << 32n) | BigInt(words[row * stride + at]!);
    return decimalText(BigInt.asIntN(bitWidth, value), scale);
  };
}

function decimalText(value: bigint, scale: number): string {
  if (scale <= 0) return String(value * 10n ** BigInt(-scale));
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Checks whether a type is nested, so that its cells cannot be written to CSV or Excel files. */
export function isNested(type: DataType): boolean {
  if (DataType.isDictionary(type)) return isNested(type.dictionary);
  return [
    DataType.isList,
    DataType.isLargeList,
    DataType.isFixedSizeList,
    DataType.isStruct,
    DataType.isMap,
  ].some((is) => is(type));
}

/**
 * Encodes a cell as JSON. 64-bit integers keep all digits, and bytes become base64 strings. Infinity, which JSON lacks,
 * becomes a number too large for a double, and NaN becomes the value of `nan`.
 */
export function cellJson(cell: Cell, nan = 'null'): string {
  if (typeof cell === 'bigint') return String(cell);
  if (Object.is(cell, -0)) return '-0.0';
  if (Number.isNaN(cell)) return nan;
  if (typeof cell === 'number' && !Number.isFinite(cell)) return `${Math.sign(cell)}e999`;
  if (cell instanceof Uint8Array) return JSON.stringify(base64(cell));
  if (Array.isArray(cell)) return `[${cell.map((item) => cellJson(item, nan)).join(',')}]`;
  if (typeof cell !== 'object' || cell === null) return JSON.stringify(cell);
  const fields = Object.entries(cell).map(
    ([name, value]) => `${JSON.stringify(name)}:${cellJson(value, nan)}`,
  );
  return `{${fields.join(',')}}`;
}

/** Formats a cell as a string. Strings stay unchanged, bytes become base64, and other values become digits or JSON. */
export function cellText(cell: Cell, nan?: string): string {
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number' && !Number.isFinite(cell)) return String(cell);
  return cell instanceof Uint8Array ? base64(cell) : cellJson(cell, nan);
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
