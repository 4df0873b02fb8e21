import { addByKey } from '../../compute/sums.js';
import type { Sum } from '../plan.js';

/**
 * The sum of the values whose binary exponents fall into one bin. The sum is divided by a power of two, and `addParts`
 * multiplies by that power again. `high` is the rounded sum, and `low` is the rounding error.
 */
export type SumPart = Omit<Sum, 'value'> & {
  readonly bin: number;
  readonly high: number;
  readonly low: number;
};

/** Values are summed by bin, a range of this many binary exponents. Values below the lowest bin lose digits. */
const BIN_BITS = 32;
const LOWEST_BIN = -30;
/** SQL for the bin of a value. Bin 0 has most values, and is tested first, because logarithms and powers are slow. */
const BIN = `CASE WHEN value = 0 OR abs(value) BETWEEN 1 AND ${2 ** BIN_BITS - 1} THEN 0
  ELSE greatest(floor(log2(abs(value)) / ${BIN_BITS}), ${LOWEST_BIN}) END`;
/** The number of fraction bits in a double, plus two because the logarithm is rounded. */
const FRACTION_BITS = 54;

/**
 * Returns the SQL that sums the column `value`, which must not be null. Values are summed exactly, as integers, so that
 * every engine and every order of rows yields the same total. A value is an integer of at most 86 bits, times a power
 * of two, so the sum of 2^40 values fits into 128 bits.
 */
export function sumParts(keys: string, from: string): string {
  const integer = `CAST(CASE WHEN bin = 0 THEN value * ${2 ** FRACTION_BITS}
    ELSE value / pow(2, ${BIN_BITS} * bin - ${FRACTION_BITS}) END AS Int128)`;
  const high = 'CAST(total AS DOUBLE)';
  return `SELECT ${keys}, CAST(bin AS DOUBLE) AS bin, ${high} AS high,
      CAST(total - CAST(${high} AS Int128) AS DOUBLE) AS low
    FROM (SELECT ${keys}, bin, sum(${integer}) AS total FROM (SELECT ${keys}, value, ${BIN} AS bin FROM ${from})
      GROUP BY ${keys}, bin)`;
}

export function addParts(parts: readonly SumPart[]): Sum[] {
  return addByKey(
    parts.flatMap(({ bin, high, low, ...sum }) => {
      const unit = 2 ** (BIN_BITS * bin - FRACTION_BITS);
      return [
        { ...sum, value: high * unit },
        { ...sum, value: low * unit },
      ];
    }),
  );
}
