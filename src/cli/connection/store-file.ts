import { existsSync } from 'node:fs';
import { makeFolderOf } from '../../model/make-folder.js';
import { isClickHouseAddress } from '../../store/clickhouse/engine/address.js';
import { LogKeptError, StoreInUseError } from '../../store/duckdb/engine/errors.js';
import { removeStoreFiles, requireFile } from '../../store/duckdb/engine/files.js';
import { openStore } from '../../store/open.js';
import type { Store } from '../../store/store.js';

interface StoreUse {
  /** `create` creates a missing file, and removes it if `step` fails. `read` and `write` require an existing file. */
  readonly to: 'create' | 'read' | 'write';
  /** The remedy that the error message suggests if another process is using the store. */
  readonly whenBusy: string;
  /** Called with a warning if `step` succeeds but part of the store remains in the write-ahead log. */
  readonly onLogKept?: ((text: string) => Promise<void>) | undefined;
}

/** Calls `step` with an open store. @throws StoreError if there is no store, or if another process is using it */
export async function withStore<Result>(
  file: string,
  { to, whenBusy, onLogKept }: StoreUse,
  step: (store: Store) => Promise<Result>,
): Promise<Result> {
  const isNew = !isOnServers(file) && !existsSync(file);
  if (isNew && to === 'create') await makeFolderOf(file, 'store');
  if (to !== 'create') requireStore(file);
  const store = await openStore(file, { read_only: to === 'read' }).catch(handleBusyStore(file, whenBusy));
  // In the meantime, another process may have created and filled the store.
  const isUnused = isNew && (await store.sourceImports()).length === 0;
  let result: Result;
  try {
    result = await step(store);
  } catch (error) {
    if (isUnused) removeStoreFiles(file);
    // The error from `step` is the one to report. Closing the store may fail for the same reason.
    await store.close().catch(() => {});
    throw error;
  }
  await store.close().catch(async (error: unknown) => {
    if (!(error instanceof LogKeptError) || onLogKept === undefined) throw error;
    await onLogKept(error.message);
  });
  return result;
}

/** Returns an error handler that rethrows every error, adding the remedy if the store is in use. */
export function handleBusyStore(file: string, remedy: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof StoreInUseError ? new StoreInUseError(file, error.cause, remedy) : error;
  };
}

export function isOnServers(location: string): boolean {
  return isClickHouseAddress(location);
}

/** Merges into the store any write-ahead log that a crash or a full disk left behind. */
export async function foldLog(file: string): Promise<void> {
  if (isOnServers(file) || !existsSync(`${file}.wal`)) return;
  await withStore(file, { to: 'write', whenBusy: 'stop that process, then try again' }, async () => {});
}

/** Checks that a store file exists. Stores on servers are not checked. @throws StoreError if there is no file */
export function requireStore(file: string): void {
  if (isOnServers(file)) return;
  requireFile(file, `To create one: "cropframe import demo --store ${file}"`);
}
