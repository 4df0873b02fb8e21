import {
  arrayOf,
  type Check,
  checkArray,
  checkMap,
  checkNumber,
  checkString,
  fieldsOf,
  listOf,
  needed,
  orNull,
} from '../../model/arguments/checks.js';
import { ArgumentError } from '../../model/errors.js';

const checkFields = needed(
  fieldsOf({
    region: needed(arrayOf(Uint32Array)),
    start_date: needed(arrayOf(BigInt64Array)),
    end_date: needed(arrayOf(BigInt64Array)),
    value: needed(arrayOf(Float64Array)),
    value_valid: needed(orNull(arrayOf(Uint8Array))),
  }),
);

/** Values of many regions, all columns of one length. */
export const checkColumns: Check = (value, argument) => {
  checkFields(value, argument);
  const columns = value as Record<'region' | 'start_date' | 'end_date' | 'value', { length: number }>;
  for (const name of ['start_date', 'end_date', 'value'] as const) {
    if (columns[name].length === columns.region.length) continue;
    throw new ArgumentError(
      argument,
      `${argument}.${name}: it has ${columns[name].length} rows, and region ${columns.region.length}`,
    );
  }
};

/** Regions by id and name. */
export const checkRegions = needed(listOf(fieldsOf({ id: needed(checkNumber), name: needed(checkString) })));

const checkShares = fieldsOf({ weights: needed(listOf(checkNumber)), without_data: checkArray });

/** Weights for all time, or by year. */
export const checkWeights: Check = needed((value, argument) => {
  if (!(value instanceof Map)) return checkShares(value, argument);
  checkMap(value, argument);
  for (const [year, shares] of value) needed(checkShares)(shares, `${argument} of ${String(year)}`);
});
