import { existsSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import type { LongOperation } from '../../../model/progress.js';
import type { StoreBackup } from '../../store.js';
import { type Database, interruptOnAbort } from '../engine/database.js';
import { writeNewFile } from '../engine/drafts.js';
import { LogKeptError, StoreInUseError, toStoreError } from '../engine/errors.js';
import { openDatabase } from '../engine/open-database.js';
import { HISTORY_TABLE, LATEST_TABLE } from '../point-tables.js';
import { TABLES } from '../schema.js';

interface RestoreOptions extends LongOperation {
  /** Whether to replace a store that no process has open for writing. */
  readonly replace?: boolean | undefined;
}

/**
 * Writes the committed content to a new file, and reads it back to check it. Reads and imports can continue meanwhile.
 * @throws StoreError if the file already exists (without `replace`) or is in use, the disk is full, or the store is
 *   damaged; nothing is left behind
 */
export async function writeBackup(
  database: Database,
  to: string,
  { replace = false, name = 'the backup', ...operation }: RestoreOptions & { readonly name?: string },
): Promise<StoreBackup> {
  const takenMs = Date.now();
  const like = database.location === ':memory:' ? undefined : database.location;
  const points = await writeNewFile({ to, name, like, replace }, async (draft) => {
    try {
      // The copy is opened in a separate engine, because the store's engine may be allowed to read only its own files.
      const copy = await openDatabase(draft, { readOnly: false, name: to });
      const rows = await copyRows(database, copy, operation).finally(() => copy.close());
      const found = await checkBackup(draft, to, operation);
      if (found.rows !== rows)
        throw new StoreError(
          `${to} had only ${found.rows} of the ${rows} rows, so it was removed; check the disk that it was on, and try again`,
        );
      operation.signal?.throwIfAborted();
      if (replace) await refuseInUse(to);
      return found.points;
    } catch (error) {
      operation.signal?.throwIfAborted();
      throw toStoreError(error instanceof LogKeptError ? error.cause : error, to, 'writing');
    }
  });
  return { takenMs, points };
}

/** Throws if the store to replace is in use. A store that cannot be opened for another reason may be replaced. */
async function refuseInUse(location: string): Promise<void> {
  const opening = openDatabase(location, { readOnly: true });
  const old = await opening.catch((error: unknown) => {
    if (error instanceof StoreInUseError) throw error;
  });
  await old?.close();
}

/** Copies the rows of all tables to a new store. @returns the number of rows */
async function copyRows(from: Database, to: Database, operation: LongOperation): Promise<number> {
  const [reader, writer] = await Promise.all([from.connect(), to.connect()]);
  const stopWatching = interruptOnAbort(writer, operation.signal);
  let rows = 0;
  try {
    // Within a transaction, all tables are read as of its start.
    await reader.run('BEGIN TRANSACTION READ ONLY');
    await writer.run('BEGIN TRANSACTION');
    await eachTable({ ...operation, label: 'copying the store' }, async (name) => {
      await writer.run(`DELETE FROM main."${name}"`);
      const appender = await writer.createAppender(name, 'main', 'store');
      for await (const chunk of readChunks(reader, name, from.location)) {
        operation.signal?.throwIfAborted();
        appender.appendDataChunk(chunk);
        rows += chunk.rowCount;
      }
      appender.closeSync();
    });
    await writer.run('COMMIT');
    return rows;
  } finally {
    stopWatching();
    await reader.run('ROLLBACK').catch(() => {});
    for (const connection of [reader, writer]) connection.disconnectSync();
  }
}

async function* readChunks(reader: DuckDBConnection, table: string, location: string) {
  try {
    yield* await reader.stream(`FROM main."${table}"`);
  } catch (error) {
    throw toStoreError(error, location, 'reading');
  }
}

/** Reads the whole file of a store to detect damage. @throws StoreError if the file is damaged or is not a store */
export async function checkBackup(path: string, name: string, operation: LongOperation) {
  const database = await openDatabase(path, { readOnly: true, name });
  return readAll(database, { ...operation, label: 'reading the copy' }).finally(() => database.close());
}

async function eachTable(
  { label, signal, onProgress }: LongOperation & { readonly label: string },
  work: (table: string) => Promise<void>,
): Promise<void> {
  for (const [done, table] of TABLES.entries()) {
    signal?.throwIfAborted();
    onProgress?.({ label, done, total: TABLES.length, unit: 'tables' });
    await work(table);
  }
  onProgress?.({ label, done: TABLES.length, total: TABLES.length, unit: 'tables' });
}

/** Counts all rows and points, including superseded ones. Reading all data lets DuckDB verify each block's checksum. */
export async function readAll(
  database: Database,
  operation: LongOperation & { readonly label: string },
): Promise<{ rows: number; points: number }> {
  const read = { rows: 0, points: 0 };
  await eachTable(operation, async (table) => {
    // Hashing a row reads all of its values.
    const sql = `SELECT count(*)::DOUBLE AS rows, sum(hash(row)::HUGEINT)::VARCHAR AS hash FROM store.main."${table}" AS row`;
    const rows = Number((await database.rows(sql, operation))[0]!.rows);
    read.rows += rows;
    if (table === LATEST_TABLE || table === HISTORY_TABLE) read.points += rows;
  });
  return read;
}

/**
 * Copies a backup, and replaces the store with the copy. A backup may be any store that is not being written to.
 * Processes that have the old store open continue to read the old file.
 * @returns the number of points, including superseded ones
 * @throws StoreError if the store exists (without `replace`) or is in use or being updated, or the backup is damaged
 */
export async function restoreStore(
  backup: string,
  location: string,
  options: RestoreOptions = {},
): Promise<number> {
  if (!existsSync(backup)) throw new StoreError(`there is no backup at ${backup}`);
  const database = await openDatabase(backup, { readOnly: true, name: backup });
  const target = { ...options, name: 'the store, or replace it with --replace' };
  return (await writeBackup(database, location, target).finally(() => database.close())).points;
}
