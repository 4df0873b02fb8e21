import { tableOf } from '../../schema/clickhouse.js';
import type { ReadOptions } from '../../store.js';
import type { Shard } from './shard.js';

/** The state that a reader sees. */
export interface Snapshot {
  readonly storeId: string;
  /** The latest committed import, 0 for none. */
  readonly import: number;
  /**
   * When an import was last committed, 0 for none. A restored store may reuse import numbers for other imports, so the
   * time tells them apart.
   */
  readonly committedMs: number;
  /** Numbers up to `import` that never committed, ascending. */
  readonly abandoned: readonly number[];
}

/** Reads which imports are committed. A number below the latest committed one is never committed after that. */
export async function readSnapshot(shard: Shard, options: ReadOptions = {}): Promise<Snapshot> {
  const [row] = await shard.rows(
    `SELECT (SELECT argMin(store_id, (created_ms, store_id)) FROM shard_meta) AS store_id,
      max(at_ms) AS committed_ms, max(import) AS latest, ${abandonedSql('import_log')} AS abandoned
    FROM import_log`,
    {},
    options,
  );
  return {
    storeId: String(row!.store_id),
    import: Number(row!.latest),
    committedMs: Number(row!.committed_ms),
    abandoned: row!.abandoned as number[],
  };
}

/** Returns the numbers below the latest one of a log that it lacks, as an array. */
export const abandonedSql = (log: string): string => `(SELECT arraySort(groupArray(toUInt32(number)))
  FROM numbers(1, ifNull((SELECT toUInt64(max(import)) FROM ${log}), 0)) WHERE number NOT IN (SELECT import FROM ${log}))`;

/** Returns the state before an import with the rows of that import. */
export function withImport(before: Snapshot, number: number): Snapshot {
  const passed = Array.from({ length: number - 1 - before.import }, (_, i) => before.import + 1 + i);
  return { ...before, import: number, abandoned: [...before.abandoned, ...passed] };
}

/** Differs for stores and contents of a store. */
export function versionOf({ storeId, import: latest, committedMs }: Snapshot): string {
  return [storeId, latest, committedMs].join('-');
}

/** Returns the condition that selects the rows that a snapshot has, of any table that imports write. */
export function imported({ import: latest, abandoned }: Snapshot): string {
  const isOld = `import <= ${latest}`;
  return abandoned.length === 0 ? isOld : `${isOld} AND import NOT IN (${abandoned.join(', ')})`;
}

/** Returns the condition that selects the rows of a table that no later import of a snapshot has replaced. */
export function current(table: string, snapshot: Snapshot): string {
  return currentSql(table, imported(snapshot));
}

/**
 * @param has the condition that selects imported rows
 * @param from the table as the query names it
 */
export function currentSql(table: string, has: string, from = table): string {
  const { key } = tableOf(table);
  if (key === undefined) return has;
  const replaced = `SELECT ${key}, assumeNotNull(replaces) FROM ${from} WHERE replaces IS NOT NULL AND ${has}`;
  return `${has} AND (${key}, import) NOT IN (${replaced})`;
}
