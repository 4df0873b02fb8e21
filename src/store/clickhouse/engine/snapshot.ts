import type { ReadOptions } from '../../store.js';
import type { Shard } from './shard.js';

/** The import that a row is superseded by while none does. */
export const NOT_GONE = 4_294_967_295;

/** The state that a reader sees. */
export interface Snapshot {
  readonly storeId: string;
  /** The latest committed import, 0 for none. */
  readonly import: number;
  /** Numbers up to `import` that began and never committed, ascending. */
  readonly abandoned: readonly number[];
}

/** The numbers of imports in the log of a store. */
export interface ImportNumbers {
  /** The id of the store: of two that prepared the same one at once, the first. */
  readonly storeId: string;
  /** The last that has begun, 0 for none. */
  readonly last: number;
  /** The latest that is committed, 0 for none. */
  readonly committed: number;
  /** The uncommitted ones, ascending, and whether all that was written under them is removed. */
  readonly open: readonly { readonly number: number; readonly isCleaned: boolean }[];
}

export async function readImportNumbers(shard: Shard, options?: ReadOptions): Promise<ImportNumbers> {
  const [row] = await shard.rows(
    `SELECT (SELECT argMin(store_id, (created_ms, store_id)) FROM shard_meta) AS store_id,
      max(import) AS last, maxIf(import, is_committed) AS committed,
      arraySort(groupArrayIf((import, is_cleaned), NOT is_committed)) AS open
    FROM (
      SELECT import, countIf(state = 'committed') > 0 AS is_committed, countIf(state = 'cleaned') > 0 AS is_cleaned
      FROM import_log GROUP BY import)`,
    {},
    options,
  );
  const open = row!.open as [number, number][];
  return {
    storeId: String(row!.store_id),
    last: Number(row!.last),
    committed: Number(row!.committed),
    open: open.map(([number, cleaned]) => ({ number, isCleaned: cleaned > 0 })),
  };
}

/** Reads which imports are committed. One that was given up is never committed after that. */
export async function readSnapshot(shard: Shard, options?: ReadOptions): Promise<Snapshot> {
  const { storeId, committed, open } = await readImportNumbers(shard, options);
  const abandoned = open.map(({ number }) => number).filter((number) => number < committed);
  return { storeId, import: committed, abandoned };
}

/** Differs for stores and contents of a store. */
export function versionOf({ storeId, import: latest, abandoned }: Snapshot): string {
  return [storeId, latest, ...abandoned].join('-');
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
