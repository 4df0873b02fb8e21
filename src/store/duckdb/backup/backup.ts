import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs';
import { appendFile, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import { fileFailure } from '../../../model/file-failure.js';
import type { LongOperation } from '../../../model/progress.js';
import type { Row } from '../../queries/engine-tables.js';
import type { StoreBackup } from '../../store.js';
import { type Database, interruptOnAbort } from '../engine/database.js';
import { holdPlace, replaceStore, withDraft, writeNewFile } from '../engine/drafts.js';
import { isInUse, StoreInUseError, toStoreError } from '../engine/errors.js';
import { canonicalPath, claimFile, requireRoom } from '../engine/files.js';
import { DuckDBInstance } from '../engine/library.js';
import { openDatabase } from '../engine/open-database.js';
import { HISTORY_TABLE, LATEST_TABLE } from '../point-tables.js';
import { RENEW_STORE_ID, TABLES } from '../schema.js';

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
  const takenMs = Date.now();
  try {
    const like = database.location === ':memory:' ? undefined : database.location;
    const file = { path: canonicalPath(to), to, name: 'the backup', like };
    return await writeNewFile(file, async (draft) => {
      const points = await copyTables(database, { draft, to }, operation);
      return sealBackup(draft, { takenMs, points }, operation);
    });
  } catch (error) {
    operation.signal?.throwIfAborted();
    throw toStoreError(error, to, 'writing the backup');
  }
}

/** Copies all tables, and reads the copy back. @returns how many points it has */
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
    const bytes = Number((await askOf(connection)(STORE_BYTES))[0]!.bytes) * MIN_SHARE_OF_STORE;
    requireRoom(to, { bytes, what: `${to}: a backup`, remedy: 'name a file on another disk' });
    // One transaction: everything is read as it is at its beginning.
    await connection.run('BEGIN TRANSACTION READ ONLY');
    const rows = await withCopy({ draft, to, readOnly: false }, operation, (copy) =>
      copyRows(connection, copy, operation),
    );
    // Opened again, it is read from its disk.
    const found = await withCopy({ draft, to, readOnly: true }, operation, (copy) =>
      readAll(askOf(copy), { ...operation, label: 'reading the backup' }),
    );
    if (found.rows !== rows) {
      throw new StoreError(
        `${to} has ${found.rows} of the ${rows} rows of the store, and was removed; look at its disk, and try again`,
      );
    }
    return found.points;
  } finally {
    stopWatching();
    await connection.run('ROLLBACK').catch(() => {});
    connection.disconnectSync();
  }
}

/** Opens the copy in a separate engine, because the engine of a store may be confined to the files of that store. */
async function withCopy<Result>(
  { draft, to, readOnly }: { draft: string; to: string; readOnly: boolean },
  { signal }: LongOperation,
  use: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(draft, { readOnly, name: to });
  try {
    const connection = await database.connectToRead();
    const stopWatching = interruptOnAbort(connection, signal);
    return await use(connection).finally(() => {
      stopWatching();
      connection.disconnectSync();
    });
  } finally {
    await database.close();
  }
}

/** Copies the rows of all tables into a new store. @returns the number of rows */
async function copyRows(
  from: DuckDBConnection,
  to: DuckDBConnection,
  operation: LongOperation,
): Promise<number> {
  let rows = 0;
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

const askOf =
  (connection: DuckDBConnection): Ask =>
  async (sql) =>
    (await connection.runAndReadAll(sql)).getRowObjects();

/** A copy is about as large as the store, and smaller where the store has gaps. */
const MIN_SHARE_OF_STORE = 0.7;

const STORE_BYTES = `SELECT (used_blocks * block_size)::DOUBLE AS bytes FROM pragma_database_size()
  WHERE database_name = 'store'`;

/** The end of a backup, behind the store: the engine does not read so far. */
interface Seal extends StoreBackup {
  /** SHA-256 of all that is before it. */
  readonly sha256: string;
}

const MARK = 'cropframe backup ';
/** Length of a seal: its mark, JSON and spaces. */
const SEAL_BYTES = 256;

/** Ends a file with the checksum of its content. */
export async function sealBackup(
  path: string,
  { takenMs, points }: StoreBackup,
  operation: LongOperation,
): Promise<StoreBackup> {
  const backup = { takenMs, points };
  const sha256 = await hashFile(path, statSync(path).size, operation);
  await appendFile(path, `${MARK}${JSON.stringify({ ...backup, sha256 })}`.padEnd(SEAL_BYTES));
  return backup;
}

/** The name that the file is called by in messages, where it is another one. */
interface CheckOptions extends LongOperation {
  readonly name?: string | undefined;
}

/**
 * Reads all of a backup, and compares it with the checksum that it ends with.
 * @throws StoreError that names the fault: it is no backup, is damaged, or was written since
 */
export async function checkBackup(
  path: string,
  { name = path, ...operation }: CheckOptions = {},
): Promise<StoreBackup> {
  try {
    const { seal, bytes } = await readSeal(path);
    if (seal === null) {
      throw new StoreError(
        `${name} was not made by "cropframe store backup", is damaged, or was written since: there is nothing to check it by`,
      );
    }
    if ((await hashFile(path, bytes, operation)) !== seal.sha256) {
      throw new StoreError(
        `${name} is damaged, or was written since it was made: it does not have its checksum; use another backup`,
      );
    }
    return { takenMs: seal.takenMs, points: seal.points };
  } catch (error) {
    operation.signal?.throwIfAborted();
    throw toStoreError(error, name, 'checking the backup');
  }
}

/** Reads the seal of a file and the number of bytes before it. The seal is null if there is none. */
async function readSeal(path: string): Promise<{ seal: Seal | null; bytes: number }> {
  const file = await open(path, 'r');
  try {
    const bytes = (await file.stat()).size - SEAL_BYTES;
    const end = Buffer.alloc(SEAL_BYTES);
    if (bytes > 0) await file.read(end, 0, SEAL_BYTES, bytes);
    const text = end.toString('utf8');
    return { seal: text.startsWith(MARK) ? parseSeal(text.slice(MARK.length)) : null, bytes };
  } finally {
    await file.close();
  }
}

function parseSeal(text: string): Seal | null {
  try {
    return JSON.parse(text) as Seal;
  } catch {
    return null;
  }
}

/** Computes the SHA-256 hash of the first bytes of a file. */
async function hashFile(path: string, bytes: number, operation: LongOperation): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of readPieces(path, { ...operation, bytes, label: 'checking the backup' }))
    hash.update(piece);
  return hash.digest('hex');
}

/** Streams the first bytes of a file. */
async function* readPieces(
  path: string,
  { bytes, label, signal, onProgress }: LongOperation & { readonly bytes: number; readonly label: string },
): AsyncGenerator<Buffer, void, void> {
  let done = 0;
  const pieces: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 1 << 20, end: bytes - 1 });
  for await (const piece of pieces) {
    signal?.throwIfAborted();
    done += piece.length;
    onProgress?.({ label, done, total: bytes, unit: 'bytes' });
    yield piece;
  }
}

/** Reads the rows of a query of an attached database. */
type Ask = (sql: string) => Promise<readonly Row[]>;

/** Does some work on each table of the store. @param label the work, for people */
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

/**
 * Reads every value of every table in the store; DuckDB verifies the checksum of each block.
 * @returns the number of rows, and of points including superseded ones
 */
export async function readAll(
  ask: Ask,
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

/** How long a restore waits for an update of the store to end. The restore replaces the result of the update. */
const MAX_WAIT_MS = 30 * 60_000;

interface RestoreOptions extends LongOperation {
  /** Whether a store that exists is replaced; otherwise that is an error. */
  readonly replace?: boolean | undefined;
}

/**
 * Copies a backup, verifies the copy, and renames it into place after any update of the store has ended. Processes that
 * read the store keep the file that they opened.
 * @throws StoreError when the store exists or is in use, or the backup is damaged; the store is then unchanged
 */
export async function restoreStore(
  backup: string,
  location: string,
  { replace = false, ...operation }: RestoreOptions = {},
): Promise<StoreBackup> {
  if (!existsSync(backup)) throw new StoreError(`there is no backup at ${backup}`);
  const path = canonicalPath(location);
  const place = { path, name: location };
  return holdPlace({ ...place, maxWaitMs: MAX_WAIT_MS, ...operation }, async () => {
    if (existsSync(path) && !replace) {
      throw new StoreError(`${location} exists already; name another file, or replace it with --replace`);
    }
    return withDraft(place, async (copy) => {
      await copyFile({ from: backup, to: copy, location }, operation);
      const content = await checkBackup(copy, { ...operation, name: backup });
      await renewIdentity(copy, { location, backup });
      operation.signal?.throwIfAborted();
      await whileNobodyWrites(path, location, () =>
        // A store that appeared meanwhile belongs to another process.
        replaceStore(copy, place, { like: backup, replaces: existsSync(path) }),
      );
      return content;
    });
  });
}

async function copyFile(
  { from, to, location }: { from: string; to: string; location: string },
  operation: LongOperation,
): Promise<void> {
  const bytes = statSync(from).size;
  requireRoom(to, { bytes, what: `${location}: the backup`, remedy: 'name a store on another disk' });
  const pieces = readPieces(from, { ...operation, bytes, label: 'copying the backup' });
  await pipeline(pieces, createWriteStream(to, { flags: 'wx' })).catch((error: unknown) => {
    operation.signal?.throwIfAborted();
    throw fileFailure(error, { path: location, argument: 'store', to: 'write' });
  });
}

/**
 * Gives a restored store its own id: data that clients keep of the store before, and of imports after this backup, must
 * not count as its content. It does not have the checksum of the backup any more then.
 * @throws StoreError when it has views or macros that a store does not have, or is of another version
 */
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
    await database.discard();
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
  try {
    const reader = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' }).catch((cause) => {
      if (isInUse(cause)) throw new StoreInUseError(location, { cause, remedy: 'stop it, then restore' });
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
