import type { Table, TypeMap } from 'apache-arrow';
import { rowsOf } from '../../columns/row-runs.js';
import { checkFlag, checkText, listOf, needed, whole } from '../../model/arguments/checks.js';
import { checkOptions, type OptionKeys, optionsOf } from '../../model/arguments/option-keys.js';
import { badArgument } from '../../model/errors.js';
import { MAX_SEED, seededRandom } from '../../model/seeded-random.js';
import { buildTable, tableColumns, takeColumns } from '../table/build-table.js';
import { findColumn } from '../table/columns.js';
import { compareValues, orderedColumn } from '../table/ordered.js';
import { derivedMetadata } from '../table/provenance.js';

/** A column to sort by. */
export interface SortKey<Name extends string = string> {
  /** Its name. */
  column: Name;
  /** The highest first; default false. */
  descending?: boolean | undefined;
}

const SORT_KEYS: OptionKeys<SortKey> = { column: needed(checkText), descending: checkFlag };
const checkKey = optionsOf(SORT_KEYS);
const checkKeys = needed(
  listOf((key, argument) => (typeof key === 'string' ? checkText : checkKey)(key, argument)),
);

/**
 * The rows of a table in the order of columns: the first, then the next among equal values. Null is last; texts are in the
 * order of JavaScript, of their UTF-16 units; equal rows keep their order. Units, sources and report are kept.
 * @throws ArgumentError when a column does not exist, or has no order, such as one of lists
 */
export function sortBy<T extends TypeMap>(
  table: Table<T>,
  by: string | SortKey | readonly (string | SortKey)[],
): Table<T> {
  const order = Array.isArray(by) ? by : [by];
  checkKeys(order, 'by');
  const keys = order.map((key: string | SortKey) => {
    const { column, descending = false } = typeof key === 'string' ? { column: key } : key;
    const { kind, at } = orderedColumn(findColumn(table, column, 'by'), true);
    if (kind === 'none')
      throw badArgument('by', `column "${column}" has no order; sort by a column of numbers, dates or texts`);
    return { values: Array.from({ length: table.numRows }, (_, row) => at(row)), sign: descending ? -1 : 1 };
  });
  const rows = rowsOf([{ from: 0, to: table.numRows }]).sort((a, b) => {
    for (const { values, sign } of keys) {
      const [first, second] = [values[a]!, values[b]!];
      const isNull = first === null || second === null;
      const order = compareValues(first, second);
      if (order !== 0) return isNull ? order : sign * order;
    }
    return a - b;
  });
  return takeTable(table, rows, `sortBy(${JSON.stringify(by)})`);
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
