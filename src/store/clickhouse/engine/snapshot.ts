import { tableOf } from '../../schema/clickhouse.js';
import type { ReadOptions } from '../../store.js';
import type { Shard } from './shard.js';

export interface Snapshot {
  readonly storeId: string;
  /** The number of the latest committed import; 0 if there is none. */
  readonly import: number;
  /** Time of the last commit in UTC ms, or 0 if none. A restored store may reuse import numbers, but not times. */
  readonly committedMs: number;
  /** Import numbers below `import` that were never committed, in ascending order. */
  readonly abandoned: readonly number[];
}

/** Reads which imports are committed. Once an import is committed, imports with lower numbers can no longer be. */
export async function readSnapshot(shard: Shard, options: ReadOptions = {}): Promise<Snapshot> {
  const [row] = await shard.rows(
    `SELECT (SELECT argMin(store_id, (created_ms, store_id)) FROM shard_meta) AS store_id,
      max(at_ms) AS committed_ms, max(import) AS latest, ${abandonedSql('import_log')} AS abandoned
    FROM import_log`,
    options,
  );
  return {
    storeId: String(row!.store_id),
    import: Number(row!.latest),
    committedMs: Number(row!.committed_ms),
    abandoned: row!.abandoned as number[],
  };
}

/** Returns the SQL that lists the numbers that are missing from an import log, up to the latest, in ascending order. */
export const abandonedSql = (log: string): string => `(SELECT arraySort(groupArray(toUInt32(number)))
  FROM numbers(1, ifNull((SELECT toUInt64(max(import)) FROM ${log}), 0)) WHERE number NOT IN (SELECT import FROM ${log}))`;

export function withImport(before: Snapshot, number: number): Snapshot {
  const passed = Array.from({ length: number - 1 - before.import }, (_, i) => before.import + 1 + i);
  return { ...before, import: number, abandoned: [...before.abandoned, ...passed] };
}

export function versionOf({ storeId, import: latest, committedMs }: Snapshot): string {
  return [storeId, latest, committedMs].join('-');
}

/** Returns the SQL condition that selects the rows of an imported table that are part of a snapshot. */
export function importedCondition({ import: latest, abandoned }: Snapshot): string {
  const isOld = `import <= ${latest}`;
  return abandoned.length === 0 ? isOld : `${isOld} AND import NOT IN (${abandoned.join(', ')})`;
}

/** Returns the SQL condition that selects a snapshot's rows that no later import in the snapshot has replaced. */
export function currentCondition(table: string, snapshot: Snapshot): string {
  return currentSql(table, importedCondition(snapshot));
}

/** Returns the SQL condition that selects rows that meet the condition `has` and that no other such row replaces. */
export function currentSql(table: string, has: string, from = table): string {
  const { key } = tableOf(table);
  if (key === undefined) return has;
  return `${has} AND (${key}, import) NOT IN (${replacedSql(from, key, has)})`;
}

/** Returns the SQL query for the keys and import numbers of rows that are replaced by rows with the condition `by`. */
export function replacedSql(table: string, key: string, by: string): string {
  return `SELECT ${key}, assumeNotNull(replaces) FROM ${table} WHERE replaces IS NOT NULL AND ${by}`;
}
