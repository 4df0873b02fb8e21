import type { PointSet } from '../../columns/packed-points.js';
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
  whole,
} from '../../model/arguments/checks.js';
import { ArgumentError } from '../../model/errors.js';
import { SERIES_KEY_FIELDS, type SeriesKey } from '../../model/series.js';
import { checkSchema } from '../table/check-table.js';

/** Series by their ids. The ids are checked in place, because a frame may have many thousands of series. */
export const checkSeries: Check<never> = (value, argument) => {
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

const checkRun: Check = fieldsOf({
  series: needed(whole()),
  length: needed(whole()),
  value: needed(arrayOf(Float64Array)),
});
const checkParts = needed(fieldsOf({ series: needed(checkSeries), runs: needed(listOf(checkRun)) }));

/** Points as runs, each of one of the listed series. */
export const checkPoints: Check = (value, argument) => {
  checkParts(value, argument);
  const { series, runs } = value as PointSet;
  const beyond = runs.findIndex((run) => run.series >= series.length);
  if (beyond === -1) return;
  throw new ArgumentError(
    argument,
    `${argument}.runs[${beyond}]: its series is not among the ${series.length} of series`,
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
