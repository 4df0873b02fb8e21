import type { Vector } from 'apache-arrow';
import { type Codes, encodeColumn, type NumberedCodes, numberCodes } from './encode-column.js';

/** The group of each row. Groups are numbered from 0 in order of first appearance. */
export interface Grouping {
  readonly groups: Int32Array;
  /** The first row of each group, or -1 for a group without rows. */
  readonly firsts: Int32Array;
}

/** Groups rows by the values of key columns. Rows with a null key form a group of their own, as in SQL. */
export function groupRows(keys: readonly Vector[]): Grouping {
  const [outer, inner, ...others] = keys.map((key): Codes => encodeColumn(key));
  const { codes, firsts } = others.reduce<NumberedCodes>(
    (pairs, key) => numberCodes(pairs, key),
    numberCodes(outer!, inner),
  );
  return { groups: codes, firsts };
}

/** Puts all rows in one group, which exists even if there are no rows. */
export function oneGroup(length: number): Grouping {
  return { groups: new Int32Array(length), firsts: Int32Array.of(length === 0 ? -1 : 0) };
}

export interface Arrangement {
  /** Row numbers, arranged by group. The rows of group `g` are at positions `starts[g]` to `starts[g + 1] - 1`. */
  readonly rows: Int32Array;
  readonly starts: Int32Array;
}

/** Arranges rows by group with a counting sort. Within a group, rows follow `order` or, by default, table order. */
export function arrangeRows(
  { groups, firsts }: Pick<Grouping, 'groups'> & { readonly firsts: { readonly length: number } },
  order?: Int32Array,
): Arrangement {
  const { length } = groups;
  const starts = new Int32Array(firsts.length + 1);
  for (let row = 0; row < length; row++) starts[groups[row]! + 1]!++;
  for (let group = 0; group < firsts.length; group++) starts[group + 1]! += starts[group]!;
  const next = starts.slice();
  const rows = new Int32Array(length);
  for (let at = 0; at < length; at++) {
    const row = order === undefined ? at : order[at]!;
    rows[next[groups[row]!]!++] = row;
  }
  return { rows, starts };
}
