import type { LongOperation } from '../model/progress.js';
import type { StoreBackup } from './store.js';

/** How a backup is restored. */
interface RestoreOptions extends LongOperation {
  /** Replaces a store that exists; otherwise that is an error. */
  readonly replace?: boolean | undefined;
}

/**
 * Puts a backup in the place of a store, once a copy of it was checked. Processes that read the store go on with what they
 * opened. Users and tokens stay as they are.
 * @throws StoreError when the store exists or is in use, or the backup is damaged; the store is unchanged then
 */
export async function restoreStore(
  backup: string,
  location: string,
  options: RestoreOptions = {},
): Promise<StoreBackup> {
  const { restoreBackup } = await import('./duckdb/backup/restore.js');
  return restoreBackup(backup, location, options);
}

/**
 * Reads all of a backup, and compares it with its checksum.
 * @param options `name` is what the file is called in messages
 * @throws StoreError when it is no backup, is damaged, or was written since
 */
export async function checkBackup(
  path: string,
  options: LongOperation & { readonly name?: string | undefined } = {},
): Promise<StoreBackup> {
  const { checkBackupFile } = await import('./duckdb/backup/checksum.js');
  return checkBackupFile(path, options);
}
