import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import { fileFailure } from '../../../model/file-failure.js';
import type { LongOperation } from '../../../model/progress.js';
import type { Row } from '../../queries/engine-tables.js';
import type { StoreBackup } from '../../store.js';
import { type Database, interruptOnAbort } from '../engine/database.js';
import { holdPlace, putInPlace, withDraft, writeNewFile } from '../engine/drafts.js';
import { isInUse, StoreInUseError, toStoreError } from '../engine/errors.js';
import { canonicalPath, claimFile } from '../engine/files.js';
import { DuckDBInstance } from '../engine/library.js';
import { openDatabase } from '../engine/open-database.js';
import { HISTORY_TABLE, LATEST_TABLE } from '../point-tables.js';
import { RENEW_STORE_ID, TABLES } from '../schema.js';

/**
 * Writes the committed content and a checksum to a new file, and reads the file back. Reads and imports can go on.
 * @throws StoreError if the file already exists, the disk is full, or the store is damaged; nothing is left behind
 */
export async function writeBackup(
  database: Database,
  to: string,
  operation: LongOperation,
): Promise<StoreBackup> {
  const takenMs = Date.now();
  try {
    const like = database.location === ':memory:' ? undefined : database.location;
    return await writeNewFile({ to, name: 'the backup', like }, async (draft) => {
      const rows = await withConnection(database, operation, (from) =>
        withCopy({ draft, to, readOnly: false }, operation, (copy) => copyRows(from, copy, operation)),
      );
      // The copy is opened again, so that it is read from the disk.
      const found = await withCopy({ draft, to, readOnly: true }, operation, (copy) =>
        readAll(async (sql) => (await copy.runAndReadAll(sql)).getRowObjects(), {
          ...operation,
          label: 'reading the backup',
        }),
      );
      if (found.rows === rows) return sealBackup(draft, { takenMs, points: found.points }, operation);
      throw new StoreError(
        `${to} had only ${found.rows} of the store's ${rows} rows, so it was removed; check the disk that it was on, and try again`,
      );
    });
  } catch (error) {
    operation.signal?.throwIfAborted();
    throw toStoreError(error, to, 'writing the backup');
  }
}

async function withConnection<Result>(
  database: Database,
  { signal }: LongOperation,
  use: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await database.connectToRead();
  const stopWatching = interruptOnAbort(connection, signal);
  return use(connection).finally(async () => {
    stopWatching();
    await connection.run('ROLLBACK').catch(() => {});
    connection.disconnectSync();
  });
}

/** Opens the copy in a separate engine, because the store's engine may be allowed to read only its own files. */
async function withCopy<Result>(
  { draft, to, readOnly }: { draft: string; to: string; readOnly: boolean },
  operation: LongOperation,
  use: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(draft, { readOnly, name: to });
  return withConnection(database, operation, use).finally(() => database.close());
}

/** Copies the rows of all tables to a new store. @returns the number of rows */
async function copyRows(
  from: DuckDBConnection,
  to: DuckDBConnection,
  operation: LongOperation,
): Promise<number> {
  let rows = 0;
  // Within a transaction, all tables are read as of its start.
  await from.run('BEGIN TRANSACTION READ ONLY');
  await to.run('BEGIN TRANSACTION');
  await eachTable({ ...operation, label: 'copying the store' }, async (name) => {
    await to.run(`DELETE FROM main."${name}"`);
    const appender = await to.createAppender(name, 'main', 'store');
    const result = await from.stream(`FROM main."${name}"`);
    for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; ) {
      operation.signal?.throwIfAborted();
      appender.appendDataChunk(chunk);
      rows += chunk.rowCount;
      chunk = await result.fetchChunk();
    }
    appender.closeSync();
  });
  await to.run('COMMIT');
  return rows;
}

/** The record at the end of a backup. It follows the store's data, where the engine does not read it. */
interface Seal extends StoreBackup {
  /** SHA-256 of all bytes before this record. */
  readonly sha256: string;
}

const MARK = 'cropframe backup ';
const SEAL_BYTES = 256;

export async function sealBackup(
  path: string,
  backup: StoreBackup,
  operation: LongOperation,
): Promise<StoreBackup> {
  const sha256 = await hashFile(path, statSync(path).size, operation);
  await appendFile(path, `${MARK}${JSON.stringify({ ...backup, sha256 })}`.padEnd(SEAL_BYTES));
  return backup;
}

/** Compares a backup with the checksum at its end. @throws StoreError if it is damaged, changed, or not a backup */
export async function checkBackup(
  path: string,
  { name = path, ...operation }: LongOperation & { readonly name?: string } = {},
): Promise<StoreBackup> {
  try {
    const { seal, bytes } = await readSeal(path);
    if (seal === null) {
      throw new StoreError(
        `${name} was not made by "cropframe store backup", is damaged, or has been changed since it was made, so it cannot be verified; use a different backup`,
      );
    }
    if ((await hashFile(path, bytes, operation)) !== seal.sha256) {
      throw new StoreError(
        `${name} is damaged, or has been changed since it was made: it does not match its checksum; use a different backup`,
      );
    }
    return { takenMs: seal.takenMs, points: seal.points };
  } catch (error) {
    operation.signal?.throwIfAborted();
    throw toStoreError(error, name, 'checking the backup');
  }
}

/** Returns the record at the end of a backup, or null if there is none, and the number of bytes before it. */
async function readSeal(path: string): Promise<{ seal: Seal | null; bytes: number }> {
  const bytes = Math.max(0, statSync(path).size - SEAL_BYTES);
  const text = await textOf(createReadStream(path, { start: bytes }));
  try {
    return { seal: text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as Seal) : null, bytes };
  } catch {
    return { seal: null, bytes };
  }
}

async function hashFile(path: string, bytes: number, operation: LongOperation): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of readPieces(path, { ...operation, bytes, label: 'checking the backup' }))
    hash.update(piece);
  return hash.digest('hex');
}

async function* readPieces(
  path: string,
  { bytes, label, signal, onProgress }: LongOperation & { readonly bytes: number; readonly label: string },
): AsyncGenerator<Buffer, void, void> {
  let done = 0;
  const end = Math.max(0, bytes - 1);
  const pieces: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 1 << 20, end });
  for await (const piece of pieces) {
    signal?.throwIfAborted();
    done += piece.length;
    onProgress?.({ label, done, total: bytes, unit: 'bytes' });
    yield piece;
  }
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
  ask: (sql: string) => Promise<readonly Row[]>,
  operation: LongOperation & { readonly label: string },
): Promise<{ rows: number; points: number }> {
  const read = { rows: 0, points: 0 };
  await eachTable(operation, async (table) => {
    // Hashing a row reads all of its values.
    const sql = `SELECT count(*)::DOUBLE AS rows, sum(hash(row)::HUGEINT)::VARCHAR AS hash FROM store.main."${table}" AS row`;
    const rows = Number((await ask(sql))[0]!.rows);
    read.rows += rows;
    if (table === LATEST_TABLE || table === HISTORY_TABLE) read.points += rows;
  });
  return read;
}

/** Maximum time that a restore waits for a running update of the store to end before it replaces the store. */
const MAX_WAIT_MS = 30 * 60_000;

/**
 * Copies a backup, verifies the copy, and replaces the store with it once no update of the store is running. Processes
 * that have the old store open continue to read the old file.
 * @throws StoreError if the store exists (without `replace`) or is in use, or the backup is damaged
 */
export async function restoreStore(
  backup: string,
  location: string,
  { replace = false, ...operation }: LongOperation & { readonly replace?: boolean | undefined } = {},
): Promise<StoreBackup> {
  if (!existsSync(backup)) throw new StoreError(`there is no backup at ${backup}`);
  const path = canonicalPath(location);
  const place = { path, name: location };
  return holdPlace({ ...place, maxWaitMs: MAX_WAIT_MS, ...operation }, async () => {
    if (existsSync(path) && !replace) {
      throw new StoreError(
        `${location} already exists; specify a different file, or replace it with --replace`,
      );
    }
    return withDraft(place, async (copy) => {
      await copyFile({ from: backup, to: copy, location }, operation);
      const content = await checkBackup(copy, { ...operation, name: backup });
      await renewIdentity(copy, { location, backup });
      operation.signal?.throwIfAborted();
      await runWithoutWriters(path, location, () =>
        // If a store has appeared meanwhile, another process created it.
        putInPlace(copy, place, { like: backup, replaces: existsSync(path) }),
      );
      return content;
    });
  });
}

async function copyFile(
  { from, to, location }: { from: string; to: string; location: string },
  operation: LongOperation,
): Promise<void> {
  const pieces = readPieces(from, { ...operation, bytes: statSync(from).size, label: 'copying the backup' });
  await pipeline(pieces, createWriteStream(to, { flags: 'wx' })).catch((error: unknown) => {
    operation.signal?.throwIfAborted();
    throw fileFailure(error, { path: location, argument: 'store', to: 'write' });
  });
}

/** Gives a restored store a new id, so that clients do not use cached data. The backup's checksum no longer applies. */
async function renewIdentity(
  copy: string,
  { location, backup }: { location: string; backup: string },
): Promise<void> {
  const database = await openDatabase(copy, { readOnly: false, name: backup });
  try {
    const connection = await database.connect();
    await connection.run(`${RENEW_STORE_ID}; CHECKPOINT store`);
    connection.disconnectSync();
  } catch (error) {
    throw toStoreError(error, location, 'restoring the backup');
  } finally {
    await database.close({ isDiscarded: true });
  }
}

/**
 * Runs a step while this process reads the store, so that no other process can write to it. If the file is damaged, the
 * step runs without this protection, because no process can have the file open.
 * @throws StoreError if a process has the file open for writing
 */
async function runWithoutWriters(path: string, location: string, step: () => void): Promise<void> {
  if (!existsSync(path)) return step();
  const release = claimFile(path, true);
  try {
    const reader = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' }).catch((cause) => {
      if (isInUse(cause)) throw new StoreInUseError(location, cause, 'stop it, then restore');
    });
    try {
      step();
    } finally {
      reader?.closeSync();
    }
  } finally {
    release();
  }
}
