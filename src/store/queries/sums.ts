import { addByKey } from '../../compute/sums.js';
import type { Sum } from '../plan.js';

/**
 * The part of a sum in one bin: `high` is the sum rounded to a double, and `low` the rest. Both are multiples of a
 * power of two that depends on the bin.
 */
export type SumPart = Omit<Sum, 'value'> & {
  readonly bin: number;
  readonly high: number;
  readonly low: number;
};

/** Each bin spans this many binary exponents. Values below those of the lowest bin lose digits. */
const BIN_BITS = 32;
const LOWEST_BIN = -30;
/** The first case avoids slow logarithms and powers, because most values are in bin 0. */
const BIN = `CASE WHEN value = 0 OR abs(value) BETWEEN 1 AND ${2 ** BIN_BITS - 1} THEN 0
  ELSE greatest(floor(log2(abs(value)) / ${BIN_BITS}), ${LOWEST_BIN}) END`;
/** The bits of a value below its exponent, plus two for the rounding of the logarithm. */
const FRACTION_BITS = 54;

/**
 * Writes the query that sums the column `value` exactly, as integers. So every engine, and every order of rows, gives
 * the same total. A value is an integer of at most 86 bits times a power of two, so that 2^40 values fit into 128
 * bits.
 * @param from the source of the columns `keys` and `value`, which is not null
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
