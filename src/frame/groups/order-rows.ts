import { DataType, type Table, type Vector } from 'apache-arrow';
import * as v from 'valibot';
import { isValid } from '../../columns/bitmap.js';
import { rowsOf } from '../../columns/row-runs.js';
import { epochWords } from '../../columns/series-dates.js';
import { badArgument } from '../../model/errors.js';
import { optionsOf, required } from '../../model/schema/check.js';
import { type Schema, TEXT } from '../../model/schema/schemas.js';
import { anyColumn, asOther, findVector, isKnown, joinValues } from '../table/columns.js';
import { compareValues, orderedColumn } from '../table/ordered.js';
import { takeColumn, takeWords } from '../table/take-rows.js';
import { encodeColumn, numberCodes } from './encode-column.js';

/** A column to sort rows by, and the sort direction. */
export interface SortKey<Name extends string = string> {
  /** The name of the column. */
  column: Name;
  /** Whether to sort in descending order (default false). */
  descending?: boolean | undefined;
}

/** One or more columns to sort rows by. */
export type SortKeys<Name extends string = string> = Name | SortKey<Name> | readonly (Name | SortKey<Name>)[];

const SORT_KEY = v.union([TEXT, optionsOf({ column: required(TEXT), descending: v.boolean() })]);

export const SORT_KEYS: Schema<never> = v.union([SORT_KEY, v.array(SORT_KEY)]) as unknown as Schema<never>;

interface OrderKey {
  readonly vector: Vector;
  readonly descending: boolean;
}

export function orderKeys(table: Table, by: SortKeys): OrderKey[] {
  return (Array.isArray(by) ? by : [by]).map((key: string | SortKey) => {
    const { column, descending = false } = typeof key === 'string' ? { column: key } : key;
    const vector = findVector(table, column, 'by');
    if (orderedColumn(anyColumn(vector.slice(0, 0))).kind === 'none')
      throw badArgument(
        'by',
        `column "${column}" cannot be sorted; use a column of numbers, dates or strings`,
      );
    return { vector, descending };
  });
}

/**
 * Returns row numbers, sorted by one or more columns. Ties in one column are broken by the next, and rows that are
 * equal in all columns keep their order. Null and NaN sort last. Strings are compared by UTF-16 code units.
 */
export function orderRows(length: number, keys: readonly OrderKey[]): Int32Array {
  let rows = rowsOf([{ from: 0, to: length }]);
  for (const [at, { vector, descending }] of keys.toReversed().entries()) {
    const { words, isNull } = sortableWords(vector);
    // The values of null rows are arbitrary and must not affect the order.
    if (isNull !== null)
      for (const word of words) for (let row = 0; row < length; row++) if (isNull[row] === 1) word[row] = 0;
    const ordered = descending ? words.map((word) => word.map((bits) => ~bits)) : words;
    const ofRows = isNull === null ? ordered : [...ordered, isNull];
    rows = sortByWords(rows, at === 0 ? ofRows : ofRows.map((word) => takeWords(word, rows, 1)));
  }
  return rows;
}

const SIGN = 0x80000000;

/** Returns 32-bit words, least significant word first. As unsigned integers, they sort in the order of the values. */
function sortableWords(vector: Vector) {
  const { type, length } = vector;
  if (DataType.isInt(type) && type.bitWidth === 64) {
    const { valid } = asOther(vector);
    const words = splitWords(epochWords(joinValues(vector, BigInt64Array)), type.isSigned ? SIGN : 0);
    return { words, isNull: valid && nullsOf(length, (row) => !isValid(valid, row)) };
  }
  const column = anyColumn(vector);
  if (column.type === 'float64') {
    const { values } = column;
    return { words: doubleWords(values), isNull: nullsOf(length, (row) => Number.isNaN(values[row])) };
  }
  // Columns of the type `other` may contain NaN even if no row is null.
  const isNull =
    column.valid === null && column.type !== 'other' ? null : nullsOf(length, (row) => !isKnown(column, row));
  switch (column.type) {
    case 'int32':
      return { words: [new Int32Array(column.values).map((value) => value ^ SIGN)], isNull };
    case 'timestamp':
      return { words: splitWords(epochWords(column.values), SIGN), isNull };
    default:
      return { words: [rankValues(vector)], isNull };
  }
}

function splitWords(words: Int32Array, flip: number): [Int32Array, Int32Array] {
  const [low, high] = [new Int32Array(words.length >> 1), new Int32Array(words.length >> 1)];
  for (let row = 0; row < low.length; row++) {
    low[row] = words[2 * row]!;
    high[row] = words[2 * row + 1]! ^ flip;
  }
  return [low, high];
}

/** Returns words that sort in the same order as the doubles. Bits of negative numbers are inverted. −0 counts as 0. */
function doubleWords(values: Float64Array): [Int32Array, Int32Array] {
  const words = epochWords(values);
  const [low, high] = [new Int32Array(values.length), new Int32Array(values.length)];
  for (let row = 0; row < low.length; row++) {
    const bits = words[2 * row]!;
    // Comparing with 0 also matches −0.
    const top = values[row] === 0 ? 0 : words[2 * row + 1]!;
    low[row] = top < 0 ? ~bits : bits;
    high[row] = top < 0 ? ~top : top ^ SIGN;
  }
  return [low, high];
}

function rankValues(vector: Vector): Int32Array {
  const { codes, firsts } = numberCodes(encodeColumn(vector));
  const distinct = takeColumn(asOther(vector), firsts).values;
  const { at } = orderedColumn(anyColumn(distinct), true);
  const values = Array.from(firsts, (_, code) => at(code));
  const rankOf = new Int32Array(values.length);
  const order = Array.from(values.keys()).sort((a, b) => compareValues(values[a]!, values[b]!));
  for (const [rank, code] of order.entries()) rankOf[code] = rank;
  return new Int32Array(codes).map((code) => rankOf[code]!);
}

function nullsOf(length: number, isNull: (row: number) => boolean): Int32Array | null {
  const nulls = new Int32Array(length);
  let any = 0;
  for (let row = 0; row < length; row++) {
    nulls[row] = Number(isNull(row));
    any |= nulls[row]!;
  }
  return any === 0 ? null : nulls;
}

// With digits of this size, the counts for all digit values fit in the L1 cache.
const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;

/**
 * Sorts rows by unsigned words with a stable radix sort, least significant word first. The words are moved along with
 * the rows, because looking up each word by its row takes 1.3 to 1.8 times as long for two million rows. Arrays are
 * reused, because the first write to new memory is slow.
 */
function sortByWords(rows: Int32Array, words: readonly Int32Array[]): Int32Array {
  let keys = words;
  const places = new Int32Array(rows.length);
  let [sorted, spare] = [rows, new Int32Array(rows.length)] as [Int32Array, Int32Array];
  const move = (array: Int32Array) => {
    moveTo(places, array, spare);
    const moved = spare;
    spare = array;
    return moved;
  };
  for (; keys.length > 0; keys = keys.slice(1))
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
      if (!findPlaces(keys[0]!, shift, places)) continue;
      sorted = move(sorted);
      keys = keys.map(move);
    }
  return sorted;
}

/** Finds each row's new position in a counting sort by one digit. Returns false if all words have the same digit. */
function findPlaces(words: Int32Array, shift: number, places: Int32Array): boolean {
  const next = new Int32Array(DIGITS + 1);
  for (let at = 0; at < words.length; at++) next[((words[at]! >>> shift) & (DIGITS - 1)) + 1]!++;
  if (next.includes(words.length)) return false;
  for (let digit = 0; digit < DIGITS; digit++) next[digit + 1]! += next[digit]!;
  for (let at = 0; at < words.length; at++) places[at] = next[(words[at]! >>> shift) & (DIGITS - 1)]!++;
  return true;
}

function moveTo(places: Int32Array, words: Int32Array, moved: Int32Array): void {
  for (let at = 0; at < words.length; at++) moved[places[at]!] = words[at]!;
}
