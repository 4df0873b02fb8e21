import { type DataType, type Decimal, type Dictionary, Type, type Vector } from 'apache-arrow';
import { DAY_MS, formatDay, formatTime } from '../../model/time.js';

type CellText = (value: unknown) => string;

/**
 * The cells of a column as a delimited table would have them: nulls and NaN are empty, dates are `YYYY-MM-DD`, times of day
 * follow as in ISO 8601 UTC.
 * @returns null when the column holds neither texts, numbers nor dates
 */
export function cellTexts(column: Vector): string[] | null {
  const cellText = cellTextOf(column.type);
  if (cellText === null) return null;
  const texts: string[] = [];
  for (const value of column) texts.push(value === null ? '' : cellText(value));
  return texts;
}

function cellTextOf(type: DataType): CellText | null {
  switch (type.typeId) {
    case Type.Dictionary:
      return cellTextOf((type as Dictionary).dictionary);
    case Type.Null:
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Int:
      return String;
    case Type.Float:
      return (value) => (Number.isNaN(value) ? '' : String(value));
    case Type.Decimal:
      return (value) => decimalText(value as Uint32Array, (type as Decimal).scale);
    case Type.Date:
    case Type.Timestamp:
      return (value) => instantText(Number(value));
    default:
      return null;
  }
}

/** The farthest instant of a JavaScript date, in milliseconds from 1970 (ECMA-262, 21.4.1.1). */
const MAX_INSTANT = 8.64e15;

/** A whole day without its time; Arrow gives instants of every unit as milliseconds. What is beyond the calendar stays a number. */
function instantText(ms: number): string {
  if (!(Math.abs(ms) <= MAX_INSTANT)) return String(ms);
  return ms % DAY_MS === 0 ? formatDay(ms) : formatTime(ms);
}

/** A decimal is a two's complement integer in words of 32 bits, the lowest first, divided by ten to the `scale`. */
function decimalText(words: Uint32Array, scale: number): string {
  const unsigned = words.reduceRight((sum, word) => (sum << 32n) + BigInt(word), 0n);
  const integer = BigInt.asIntN(words.length * 32, unsigned);
  const digits = String(integer < 0n ? -integer : integer).padStart(scale + 1, '0');
  const sign = integer < 0n ? '-' : '';
  if (scale <= 0) return sign + digits + '0'.repeat(-scale);
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
