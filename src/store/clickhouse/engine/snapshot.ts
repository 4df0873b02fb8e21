import type { ReadOptions } from '../../store.js';
import type { Shard } from './shard.js';

/** The import that a row is superseded by while none does. */
export const NOT_GONE = 4_294_967_295;

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
  /** Numbers up to `import` that began and never committed, ascending. */
  readonly abandoned: readonly number[];
}

/**
 * Reads which imports are committed. One that was given up is never committed after that.
 * @param before an import that has begun, and sees the imports before it: also the uncommitted numbers after the latest committed one
 */
export async function readSnapshot(
  shard: Shard,
  { before, ...options }: ReadOptions & { readonly before?: number } = {},
): Promise<Snapshot> {
  const [row] = await shard.rows(
    `SELECT (SELECT argMin(store_id, (created_ms, store_id)) FROM shard_meta) AS store_id,
      (SELECT max(at_ms) FROM import_log WHERE state = 'committed') AS committed_ms, maxIf(import, is_committed) AS committed, arraySort(groupArrayIf(import, NOT is_committed)) AS open
    FROM ${begunImports('import_log')}`,
    {},
    options,
  );
  const committed = Number(row!.committed);
  const abandoned = (row!.open as number[]).filter((number) => number < (before ?? committed));
  const committedMs = Number(row!.committed_ms);
  return { storeId: String(row!.store_id), import: committed, committedMs, abandoned };
}

/** The imports that have begun, and whether they are committed. */
export const begunImports = (
  log: string,
): string => `(SELECT import, countIf(state = 'committed') > 0 AS is_committed
  FROM ${log} WHERE state IN ('begun', 'committed') GROUP BY import)`;

/** Differs for stores and contents of a store. */
export function versionOf({ storeId, import: latest, committedMs, abandoned }: Snapshot): string {
  return [storeId, latest, committedMs, ...abandoned].join('-');
}

/** The condition that selects the rows of a table with the columns `import` and `gone` that are true for a snapshot. */
export function visible(snapshot: Snapshot): string {
  const { import: seen, abandoned } = snapshot;
  const stays = abandoned.length === 0 ? '' : ` OR gone IN (${abandoned.join(', ')})`;
  return `${imported(snapshot)} AND (gone > ${seen}${stays})`;
}

/** The condition that selects the rows that were imported by a snapshot, also those that are gone. */
export function imported({ import: seen, abandoned }: Snapshot): string {
  const isOld = `import <= ${seen}`;
  return abandoned.length === 0 ? isOld : `${isOld} AND import NOT IN (${abandoned.join(', ')})`;
}
