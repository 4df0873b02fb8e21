import { StoreError } from '../../../model/errors.js';
import type { ReadOptions } from '../../store.js';
import type { Shard } from '../engine/shard.js';

/** A table of a server, and the work of an import on it. */
interface Counted {
  readonly table: string;
  /** Rows that the import brings. */
  readonly written: number;
  /** Rows that it ends. */
  readonly ended: number;
}

/** The rows of an import that a table of a server must have before the commit. */
export interface Expected extends Counted {
  /** Restricts where the ended rows are looked for. */
  readonly among?: string | undefined;
}

/** The rows of an import in the tables of a server. */
export async function countRows(
  shard: Shard,
  tables: readonly Pick<Expected, 'table' | 'among'>[],
  { import: number, signal }: { readonly import: number } & ReadOptions,
): Promise<Counted[]> {
  const counts = tables.map(
    ({ table, among = 'true' }) => `SELECT '${table}' AS table,
      (SELECT count() FROM ${table} WHERE import = {number:UInt32}) AS written,
      (SELECT count() FROM ${table} WHERE gone = {number:UInt32} AND import < {number:UInt32} AND ${among}) AS ended`,
  );
  const rows = await shard.rows(counts.join(' UNION ALL '), { number }, { signal });
  return rows.map(({ table, written, ended }) => ({
    table: String(table),
    written: Number(written),
    ended: Number(ended),
  }));
}

/** @throws StoreError when a table of a server lacks rows that were written into it */
export async function verify(
  shard: Shard,
  expected: readonly Expected[],
  writing: { readonly import: number } & ReadOptions,
): Promise<void> {
  const counted = new Map((await countRows(shard, expected, writing)).map((one) => [one.table, one]));
  for (const { table, written, ended } of expected) {
    const found = counted.get(table)!;
    if (found.written === written && found.ended === ended) continue;
    throw new StoreError(
      `the shard ${shard.name} has ${found.written} of ${written} rows that the import wrote into its table ${table}, ` +
        `and ${found.ended} of ${ended} that it replaced; nothing was committed: run the import again`,
    );
  }
}
