import { DataType, type Vector } from 'apache-arrow';
import { isValid } from '../../columns/bitmap.js';
import { epochWords } from '../../columns/series-dates.js';
import { anyColumn, asOther, joinValues, type Validity, validityWhere } from '../table/columns.js';
import { type OrderedValue, orderedColumn } from '../table/ordered.js';
import { type Codes, codeIntegers, numberTexts, numberWords } from './number-words.js';

/** The codes of a column. Null has a code of its own. */
export interface ColumnCodes extends Codes {
  /** The code of null, and of NaN; -1 if no row has it. */
  readonly nullCode: number;
}

/** Encodes the values of a column of any type. NaN counts as null. */
export function encodeColumn(vector: Vector): ColumnCodes {
  const { type, data } = vector;
  if (DataType.isUtf8(type) && data.length === 1 && vector.length > 0) {
    // The offsets of other software may be padded.
    const offsets = data[0]!.valueOffsets.subarray(0, vector.length + 1);
    return withNulls(numberTexts(data[0]!.values, offsets), asOther(vector).valid);
  }
  if (DataType.isInt(type) && type.bitWidth === 64)
    return withNulls(numberWords(epochWords(joinValues(vector, BigInt64Array))), asOther(vector).valid);
  const column = anyColumn(vector);
  const { valid } = column;
  switch (column.type) {
    case 'dictionary':
      return withNulls({ codes: column.values, size: column.categories.length }, valid);
    case 'int32':
      return withNulls(codeNumbers(column.values), valid);
    case 'float64':
      return encodeDoubles(column.values, valid);
    case 'timestamp':
      return withNulls(numberWords(epochWords(column.values)), valid);
    default:
      return encodeValues(vector.length, orderedColumn(column, true).at);
  }
}

/** Gives rows without a value a code of their own. */
function withNulls({ codes, size }: Codes, valid: Validity): ColumnCodes {
  if (valid === null) return { codes, size, nullCode: -1 };
  const all = codes.map((code, row) => (isValid(valid, row) ? code : size));
  return { codes: all, size: size + 1, nullCode: all.includes(size) ? size : -1 };
}

function encodeDoubles(values: Float64Array, valid: Validity): ColumnCodes {
  let hasNull = false;
  for (let row = 0; row < values.length && !hasNull; row++)
    hasNull = Number.isNaN(values[row]) || !isValid(valid, row);
  if (!hasNull) return { ...codeNumbers(values), nullCode: -1 };
  const known = values.map((value, row) => (isValid(valid, row) && !Number.isNaN(value) ? value : 0));
  const isKnown = validityWhere(values.length, (row) => isValid(valid, row) && !Number.isNaN(values[row]));
  return withNulls(codeNumbers(known), isKnown);
}

/** Encodes integers by position if their range is small, and other numbers by their bits. −0 equals 0. */
function codeNumbers(values: Float64Array | Int32Array): Codes {
  let [min, max, areIntegers] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true];
  for (let row = 0; row < values.length && areIntegers; row++) {
    const value = values[row]!;
    if (value < min) min = value;
    if (value > max) max = value;
    areIntegers = Number.isInteger(value);
  }
  const byPosition = areIntegers ? codeIntegers(values, { min, max }) : undefined;
  return byPosition ?? numberWords(epochWords(new Float64Array(values).map((value) => value + 0)));
}

/** Encodes values one by one. */
function encodeValues(length: number, at: (row: number) => OrderedValue): ColumnCodes {
  const codeOf = new Map<OrderedValue, number>();
  const codes = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const value = at(row);
    let code = codeOf.get(value);
    if (code === undefined) {
      code = codeOf.size;
      codeOf.set(value, code);
    }
    codes[row] = code;
  }
  return { codes, size: codeOf.size, nullCode: codeOf.get(null) ?? -1 };
}
