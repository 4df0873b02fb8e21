import { tableOf } from '../../schema/clickhouse.js';
import type { Shard } from './shard.js';

export interface Snapshot {
  readonly storeId: string;
  /** The number of the latest committed import; 0 if there is none. */
  readonly import: number;
  /** The last commit's time in UTC milliseconds; 0 if there is none. A restored store may reuse import numbers. */
  readonly committedMs: number;
  /** Import numbers that were never committed, in ascending order. */
  readonly abandoned: readonly number[];
}

/** Determines which imports were committed. An import begins only after all imports with lower numbers have ended. */
export async function readSnapshot(shard: Shard): Promise<Snapshot> {
  const [row] = await shard.rows(
    `SELECT (SELECT argMin(store_id, (created_ms, store_id)) FROM shard_meta) AS store_id,
      maxIf(at_ms, state = 'committed') AS committed_ms, ${LATEST} AS latest, ${ABANDONED} AS abandoned
    FROM import_log`,
  );
  return {
    storeId: String(row!.store_id),
    import: Number(row!.latest),
    committedMs: Number(row!.committed_ms),
    abandoned: row!.abandoned as number[],
  };
}

const LATEST = `maxIf(import, state = 'committed')`;
const ABANDONED = `arraySort(groupArrayIf(import, state = 'abandoned'))`;

/** Returns the SQL condition for committed rows. The log is read once, on the first server. */
export const committedSql = (log: string): string =>
  `import <= (SELECT ${LATEST} FROM ${log}) AND NOT has((SELECT ${ABANDONED} FROM ${log}), import)`;

export function versionOf({ storeId, import: latest, committedMs }: Snapshot): string {
  return [storeId, latest, committedMs].join('-');
}

/** Returns the SQL condition for the rows of an imported table that belong to a snapshot. */
export function importedCondition({ import: latest, abandoned }: Snapshot): string {
  const isOld = `import <= ${latest}`;
  return abandoned.length === 0 ? isOld : `${isOld} AND import NOT IN (${abandoned.join(', ')})`;
}

/** Returns the SQL condition for a snapshot's rows that no later import in the snapshot has replaced. */
export function currentCondition(table: string, snapshot: Snapshot): string {
  return currentSql(table, importedCondition(snapshot));
}

/** Returns the SQL condition for rows that meet `has`, except rows that another such row has replaced. */
export function currentSql(table: string, has: string, from = table): string {
  const { key } = tableOf(table);
  if (key === undefined) return has;
  return `${has} AND (${key}, import) NOT IN (${replacedSql(from, key, has)})`;
}

/** Returns SQL for the keys and import numbers of replaced rows. The rows that replace them meet the condition `by`. */
export function replacedSql(table: string, key: string, by: string): string {
  return `SELECT ${key}, assumeNotNull(replaces) FROM ${table} WHERE replaces IS NOT NULL AND ${by}`;
}
