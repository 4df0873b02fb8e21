import type { Table, TypeMap } from 'apache-arrow';
import { rowsOf } from '../../columns/row-runs.js';
import { needed, whole } from '../../model/arguments/checks.js';
import { checkOptions } from '../../model/arguments/option-keys.js';
import { MAX_SEED, seededRandom } from '../../model/seeded-random.js';
import { checkSortKeys, orderKeys, orderRows, type SortKeys } from '../groups/order-rows.js';
import { buildTable, tableColumns, takeColumns } from '../table/build-table.js';
import { derivedMetadata } from '../table/provenance.js';

/**
 * The rows of a table in the order of columns: the first, then the next among equal values. Null is last; texts are in the
 * order of JavaScript, of their UTF-16 units; equal rows keep their order. Units, sources and report are kept.
 * @throws ArgumentError when a column does not exist, or has no order, such as one of lists
 */
export function sortBy<T extends TypeMap>(table: Table<T>, by: SortKeys): Table<T> {
  needed(checkSortKeys)(by, 'by');
  return takeTable(table, orderRows(table.numRows, orderKeys(table, by)), `sortBy(${JSON.stringify(by)})`);
}

const checkCount = needed(whole({ min: 0 }));

/** The first rows of a table; five by default. */
export function head<T extends TypeMap>(table: Table<T>, rows = 5): Table<T> {
  checkCount(rows, 'rows');
  const first = rowsOf([{ from: 0, to: Math.min(rows, table.numRows) }]);
  return takeTable(table, first, `head(${rows})`);
}

/** The last rows of a table; five by default. */
export function tail<T extends TypeMap>(table: Table<T>, rows = 5): Table<T> {
  checkCount(rows, 'rows');
  const last = rowsOf([{ from: Math.max(0, table.numRows - rows), to: table.numRows }]);
  return takeTable(table, last, `tail(${rows})`);
}

/**
 * Rows of a table at random, each at most once, in their order; all where it has no more. The same seed takes the same rows.
 */
export function sample<T extends TypeMap>(
  table: Table<T>,
  rows: number,
  options: {
    /** A whole number; default 1. */
    seed?: number | undefined;
  } = {},
): Table<T> {
  checkCount(rows, 'rows');
  checkOptions(options, { seed: whole({ min: 0, max: MAX_SEED }) }, 'sample');
  const { seed = 1 } = options;
  const random = seededRandom(seed);
  const all = rowsOf([{ from: 0, to: table.numRows }]);
  const count = Math.min(rows, all.length);
  for (let at = 0; at < count; at++) {
    const other = at + Math.floor(random() * (all.length - at));
    [all[at], all[other]] = [all[other]!, all[at]!];
  }
  return takeTable(table, all.subarray(0, count).sort(), `sample(${rows}, ${JSON.stringify({ seed })})`);
}

function takeTable<T extends TypeMap>(table: Table<T>, rows: Int32Array, step: string): Table<T> {
  return buildTable(takeColumns(tableColumns(table), rows), derivedMetadata(table, step));
}
