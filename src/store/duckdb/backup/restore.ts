import { randomUUID } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fileFailure } from '../../../model/arguments/file-failure.js';
import { StoreError } from '../../../model/errors.js';
import type { LongOperation } from '../../../model/progress.js';
import type { StoreBackup } from '../../store.js';
import { isInUse, StoreInUseError, toStoreError } from '../engine/errors.js';
import { canonicalPath, claimFile, logOf, removeStoreFiles, requireRoom, syncFile } from '../engine/files.js';
import { quoted } from '../engine/sql-values.js';
import { requireOwnObjects } from '../own-objects.js';
import { DDL } from '../schema.js';
import { checkBackup, SEAL_BYTES, withAttached } from './checksum.js';

interface RestoreOptions extends LongOperation {
  /** Whether a store that exists is replaced; otherwise that is an error. */
  readonly replace?: boolean | undefined;
}

/**
 * Copies a backup, checks the copy, and renames it into place. Processes that read the store keep the file that they
 * opened.
 * @throws StoreError when the store exists or is in use, or the backup is damaged; the store is unchanged then
 */
export async function restoreStore(
  backup: string,
  location: string,
  { replace = false, ...operation }: RestoreOptions = {},
): Promise<StoreBackup> {
  if (!existsSync(backup)) throw new StoreError(`there is no backup at ${backup}`);
  const path = canonicalPath(location);
  if (existsSync(path) && !replace) {
    throw new StoreError(`${location} exists already; name another file, or replace it with --replace`);
  }
  const copy = `${path}.${randomUUID()}.restore`;
  try {
    await copyFile({ from: backup, to: copy, location }, operation);
    const content = await checkBackup(copy, { ...operation, name: backup });
    await renewIdentity(copy, { location, backup });
    syncFile(copy);
    operation.signal?.throwIfAborted();
    await whileNobodyWrites(path, location, () => putInPlace(copy, path));
    return content;
  } finally {
    removeStoreFiles(copy);
  }
}

async function copyFile(
  { from, to, location }: { from: string; to: string; location: string },
  { signal, onProgress }: LongOperation,
): Promise<void> {
  const total = statSync(from).size;
  requireRoom(to, { bytes: total, what: `${location}: the backup`, remedy: 'name a store on another disk' });
  let done = 0;
  const source = createReadStream(from, { highWaterMark: 1 << 20 });
  source.on('data', (chunk) => {
    done += chunk.length;
    onProgress?.({ label: 'copying the backup', done, total, unit: 'bytes' });
  });
  await pipeline(source, createWriteStream(to, { flags: 'wx' }), { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw fileFailure(error, { path: location, argument: 'store', to: 'write' });
  });
}

/**
 * Gives a restored store its own id: data that clients keep of the store before, and of imports after this backup, must
 * not count as its content. It is no backup any more then.
 * @throws StoreError when it holds what a store does not
 */
async function renewIdentity(
  copy: string,
  { location, backup }: { location: string; backup: string },
): Promise<void> {
  truncateSync(copy, statSync(copy).size - SEAL_BYTES);
  try {
    await withAttached(copy, { readOnly: true }, async (connection) => {
      await connection.run('SET enable_external_access = false; SET lock_configuration = true');
      await requireOwnObjects(connection, { location: backup, ddl: DDL });
    });
    await withAttached(copy, { readOnly: false }, async (connection) => {
      await connection.run(`UPDATE store.main.meta SET store_id = ${quoted(randomUUID())}`);
      await connection.run('CHECKPOINT store');
    });
  } catch (error) {
    throw toStoreError(error, location, 'restoring the backup');
  }
}

/**
 * Runs a step while no process writes a store's file: opening the file for reading keeps the others from writing it. A file
 * that cannot be opened, because it is damaged, has no writer either.
 * @throws StoreError when a process has it open for writing
 */
async function whileNobodyWrites(path: string, location: string, step: () => void): Promise<void> {
  if (!existsSync(path)) return step();
  const release = claimFile(path, true);
  let hasBegun = false;
  try {
    await withAttached(path, { readOnly: true }, async () => {
      hasBegun = true;
      step();
    });
  } catch (error) {
    if (hasBegun) throw error;
    if (isInUse(error))
      throw new StoreInUseError(location, { cause: error, remedy: 'stop it, then restore' });
    step();
  } finally {
    release();
  }
}

/** Renames the copy to the store's name. The log of the earlier store must not become its log. */
function putInPlace(copy: string, path: string): void {
  const [log, old] = [logOf(path), `${copy}.old-log`];
  const hasLog = existsSync(log);
  if (hasLog) renameSync(log, old);
  try {
    renameSync(copy, path);
  } catch (error) {
    if (hasLog) renameSync(old, log);
    throw error;
  }
  rmSync(old, { force: true });
}
