import type { PointSet } from '../../columns/point-columns.js';
import {
  arrayOf,
  type Check,
  checkArray,
  checkFunction,
  checkMap,
  checkThat,
  fieldsOf,
  listOf,
  needed,
  orNull,
  whole,
} from '../../model/arguments/checks.js';
import { ArgumentError } from '../../model/errors.js';
import { SERIES_KEY_FIELDS, type SeriesKey } from '../../model/series.js';
import { checkSchema } from '../table/check-table.js';

/** Series by their ids. The ids are checked in place, because a frame may have many thousands of series. */
export const checkSeries: Check = (value, argument) => {
  checkArray(value, argument);
  const wrong = (value as readonly unknown[]).findIndex((series) => !isKey(series));
  if (wrong === -1) return;
  throw new ArgumentError(
    argument,
    `${argument}[${wrong}]: it lacks an id; a series has ${SERIES_KEY_FIELDS.join(', ')}`,
  );
};

function isKey(series: unknown): boolean {
  if (typeof series !== 'object' || series === null) return false;
  return SERIES_KEY_FIELDS.every((field) => Number.isInteger((series as SeriesKey)[field]));
}

const dates = arrayOf(BigInt64Array);
const bits = needed(orNull(arrayOf(Uint8Array)));
const COLUMNS = {
  series: needed(arrayOf(Uint32Array)),
  start_date: needed(dates),
  end_date: needed(dates),
  value: needed(arrayOf(Float64Array)),
  unit_id: needed(arrayOf(Int32Array)),
  reporting_date: needed(dates),
};
const checkFields = fieldsOf({
  ...COLUMNS,
  length: needed(whole()),
  value_valid: bits,
  reporting_valid: bits,
  available_date: dates,
  metadata: checkArray,
});

const checkBatch: Check = (value, argument) => {
  checkFields(value, argument);
  const batch = value as Record<keyof typeof COLUMNS, { length: number }> & { length: number };
  for (const column of Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]) {
    if (batch[column].length >= batch.length) continue;
    throw new ArgumentError(
      argument,
      `${argument}.${column}: it has ${batch[column].length} rows of ${batch.length}`,
    );
  }
};

const checkParts = needed(fieldsOf({ series: needed(checkSeries), batches: needed(listOf(checkBatch)) }));

/** Points by columns. */
export const checkPoints: Check = (value, argument) => {
  checkParts(value, argument);
  const { series, batches } = value as PointSet;
  const beyond = batches.findIndex(({ series: positions, length }) => {
    return positions[length - 1]! >= series.length;
  });
  if (beyond === -1) return;
  throw new ArgumentError(
    argument,
    `${argument}.batches[${beyond}]: it has points of series that are not among the ${series.length} of series`,
  );
};

const map = needed(checkMap);
/** Names of entities by id. */
export const checkNames = fieldsOf({
  metrics: map,
  items: map,
  regions: map,
  frequencies: map,
  sources: map,
  units: map,
  unit_abbreviations: checkMap,
});

export const checkAsyncIterable = checkThat(
  (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
  'an async iterable',
);

/** A frame that arrives batch by batch. */
export const checkStream = needed(
  fieldsOf({
    schema: needed(checkSchema),
    batches: needed(checkAsyncIterable),
    lastProvenance: checkFunction,
  }),
);
