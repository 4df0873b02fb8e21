import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import type { LongOperation } from '../../../model/progress.js';
import type { StoreBackup } from '../../store.js';
import type { Database } from '../engine/database.js';
import { toStoreError } from '../engine/errors.js';
import { canonicalPath, removeStoreFiles, requireNoStore, requireRoom, syncFile } from '../engine/files.js';
import { interruptOnAbort } from '../engine/interrupts.js';
import { attach } from '../engine/open-database.js';
import { askBy, eachTable, readAll, sealBackup, withAttached } from './checksum.js';

/**
 * Writes a copy of the store as it is now into a new file, with a checksum, and reads it back. Readers go on, and so does
 * an import, which is not part of it unless it was committed before.
 * @throws StoreError when the file exists, the disk has no room, or the store is damaged; nothing is left behind then
 */
export async function writeBackup(
  database: Database,
  to: string,
  operation: LongOperation,
): Promise<StoreBackup> {
  const path = canonicalPath(to);
  requireNoStore(path, { to, name: 'the backup' });
  const draft = `${path}.${randomUUID()}.backup`;
  const takenMs = Date.now();
  try {
    const rows = await copyTables(database, { draft, to }, operation);
    const found = await withAttached(draft, { readOnly: true, signal: operation.signal }, (connection) =>
      readAll(askBy(connection), { ...operation, label: 'reading the backup' }),
    );
    if (found.rows !== rows) {
      throw new StoreError(
        `${to} has ${found.rows} of the ${rows} rows of the store, and was removed; look at its disk, and try again`,
      );
    }
    const backup = await sealBackup(draft, { takenMs, points: found.points }, operation);
    syncFile(draft);
    requireNoStore(path, { to, name: 'the backup' });
    renameSync(draft, path);
    return backup;
  } catch (error) {
    operation.signal?.throwIfAborted();
    throw toStoreError(error, to, 'writing the backup');
  } finally {
    removeStoreFiles(draft);
  }
}

async function copyTables(
  database: Database,
  { draft, to }: { draft: string; to: string },
  operation: LongOperation,
): Promise<number> {
  const { signal } = operation;
  const connection = await database.connectToRead();
  const stopWatching = interruptOnAbort(connection, signal);
  try {
    signal?.throwIfAborted();
    const read = await connection.runAndReadAll(STORE_BYTES);
    const bytes = Number(read.getRows()[0]?.[0] ?? 0) * MIN_SHARE_OF_STORE;
    requireRoom(to, { bytes, what: `${to}: a backup`, remedy: 'name a file on another disk' });
    await attach(connection, draft, { as: 'backup' });
    // One transaction: everything is read as it is at its beginning.
    await connection.run('BEGIN TRANSACTION');
    const rows = await copyAll(connection, operation);
    await connection.run('COMMIT');
    await connection.run('CHECKPOINT backup');
    return rows;
  } finally {
    stopWatching();
    await connection.run('ROLLBACK').catch(() => {});
    await connection.run('DETACH backup').catch(() => {});
    connection.disconnectSync();
  }
}

/** @returns how many rows were copied */
async function copyAll(connection: DuckDBConnection, operation: LongOperation): Promise<number> {
  await connection.run('COPY FROM DATABASE store TO backup (SCHEMA)');
  let rows = 0;
  await eachTable(askBy(connection), { ...operation, label: 'copying the store' }, async (name) => {
    const copied = await connection.run(`INSERT INTO backup.main."${name}" FROM store.main."${name}"`);
    rows += copied.rowsChanged;
  });
  return rows;
}

/** A copy is about as large as the store, and smaller where the store has gaps. */
const MIN_SHARE_OF_STORE = 0.7;

const STORE_BYTES = `SELECT (used_blocks * block_size)::DOUBLE FROM pragma_database_size() WHERE database_name = 'store'`;
