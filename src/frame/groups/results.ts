import { Int64, makeData, Uint64 } from 'apache-arrow';
import { badArgument } from '../../model/errors.js';
import { floatColumn } from '../series/map-series.js';
import { type AnyColumn, otherColumn, validityWhere } from '../table/columns.js';
import { takeColumn } from '../table/take-rows.js';

/** Collects the results of an aggregate into a column. A position that is not set is null. */
export interface Results<Result> {
  set(at: number, result: Result): void;
  column(): AnyColumn;
}

/** Collects numbers. NaN becomes null. */
export function collectNumbers(length: number): Results<number> {
  const numbers = new Float64Array(length).fill(Number.NaN);
  return {
    set(at, number) {
      numbers[at] = number;
    },
    column: () => floatColumn(numbers),
  };
}

/** Collects counts, which are 0 where they are not set. */
export function collectCounts(length: number): Results<number> {
  const counts = new Int32Array(length);
  return {
    set(at, count) {
      counts[at] = count;
    },
    column: () => ({ type: 'int32', values: counts, valid: null }),
  };
}

/** Collects values of a column by their rows. */
export function collectRows(length: number, column: AnyColumn): Results<number> {
  const rows = new Int32Array(length).fill(-1);
  return {
    set(at, row) {
      rows[at] = row;
    },
    column: () => takeColumn(column, rows),
  };
}

/** Collects 64-bit integers. @throws ArgumentError when one does not fit 64 bits */
export function collectIntegers(
  length: number,
  { name, isSigned }: { name: string; isSigned: boolean },
): Results<bigint> {
  const integers = isSigned ? new BigInt64Array(length) : new BigUint64Array(length);
  const isSet = new Uint8Array(length);
  return {
    set(at, integer) {
      integers[at] = integer;
      if (integers[at] !== integer)
        throw badArgument(
          'column',
          `a sum of "${name}" is ${integer}, which does not fit 64 bits; add a column of doubles and sum that`,
        );
      isSet[at] = 1;
    },
    column: () =>
      otherColumn(
        makeData({
          type: isSigned ? new Int64() : new Uint64(),
          length,
          data: integers,
          nullBitmap: validityWhere(length, (at) => isSet[at] === 1),
        } as never),
      ),
  };
}
