import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, open } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import type { LongOperation } from '../../../model/progress.js';
import type { StoreBackup } from '../../store.js';
import { toStoreError } from '../engine/errors.js';
import { interruptOnAbort } from '../engine/interrupts.js';
import { DuckDBInstance } from '../engine/library.js';
import { attach } from '../engine/open-database.js';
import type { Row } from '../entity-tables.js';
import { FIRST_TABLE, HISTORY_TABLE } from '../point-tables.js';

/** The end of a backup, behind the store: the engine does not read so far. */
interface Seal extends StoreBackup {
  /** SHA-256 of all that is before it. */
  readonly sha256: string;
}

const MARK = 'cropframe backup ';
/** Length of a seal: its mark, JSON and spaces. */
export const SEAL_BYTES = 256;

/** Ends a file with the checksum of its content. */
export async function sealBackup(
  path: string,
  { takenMs, points }: StoreBackup,
  operation: LongOperation,
): Promise<StoreBackup> {
  const backup = { takenMs, points };
  const sha256 = await hashFile(path, Number.POSITIVE_INFINITY, operation);
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
    const { seal, size } = await readSeal(path);
    if (seal === null) {
      throw new StoreError(
        `${name} was not made by "cropframe store backup", is damaged, or was written since: there is nothing to check it by`,
      );
    }
    if ((await hashFile(path, size - SEAL_BYTES, operation)) !== seal.sha256) {
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

async function readSeal(path: string): Promise<{ seal: Seal | null; size: number }> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const end = Buffer.alloc(SEAL_BYTES);
    await file.read(end, 0, SEAL_BYTES, Math.max(0, size - SEAL_BYTES));
    const text = end.toString('utf8');
    return { seal: text.startsWith(MARK) ? parseSeal(text.slice(MARK.length)) : null, size };
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

/** SHA-256 of the first bytes of a file. */
async function hashFile(path: string, bytes: number, { signal, onProgress }: LongOperation): Promise<string> {
  const hash = createHash('sha256');
  if (bytes <= 0) return hash.digest('hex');
  let done = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, end: bytes - 1 })) {
    signal?.throwIfAborted();
    hash.update(chunk as Buffer);
    done += (chunk as Buffer).length;
    onProgress?.({ label: 'checking the backup', done, total: Math.max(done, bytes), unit: 'bytes' });
  }
  return hash.digest('hex');
}

const POINT_TABLES = new RegExp(`^(${HISTORY_TABLE}|${FIRST_TABLE.name}(_[0-9]+)?)$`);

/** Reads the rows of a query of the database that is attached as `store`. */
export type Ask = (sql: string) => Promise<readonly Row[]>;

export const askBy =
  (connection: DuckDBConnection): Ask =>
  async (sql) =>
    (await connection.runAndReadAll(sql)).getRowObjects();

/** Does some work on each table of the database that is attached as `store`. @param label the work, for people */
export async function eachTable(
  ask: Ask,
  { label, signal, onProgress }: LongOperation & { readonly label: string },
  work: (table: string) => Promise<void>,
): Promise<void> {
  const tables = await ask(
    `SELECT table_name AS name FROM duckdb_tables() WHERE database_name = 'store' ORDER BY ALL`,
  );
  for (const [done, { name }] of tables.entries()) {
    signal?.throwIfAborted();
    onProgress?.({ label, done, total: tables.length, unit: 'tables' });
    await work(String(name));
  }
  onProgress?.({ label, done: tables.length, total: tables.length, unit: 'tables' });
}

/**
 * Reads every value of every table of the database that is attached as `store`: DuckDB compares each block with its
 * checksum.
 * @returns how many rows there are, and how many of them are points, with those that were replaced
 */
export async function readAll(
  ask: Ask,
  operation: LongOperation & { readonly label: string },
): Promise<{ rows: number; points: number }> {
  const read = { rows: 0, points: 0 };
  await eachTable(ask, operation, async (table) => {
    // Hashing a row reads all of its values.
    const sql = `SELECT count(*)::DOUBLE AS rows, sum(hash(row)::HUGEINT)::VARCHAR AS hash FROM store.main."${table}" AS row`;
    const rows = Number((await ask(sql))[0]!.rows);
    read.rows += rows;
    if (POINT_TABLES.test(table)) read.points += rows;
  });
  return read;
}

/** Runs a step on any file that is attached as `store`. */
export async function withAttached<Result>(
  path: string,
  { readOnly, signal }: { readOnly: boolean; signal?: AbortSignal | undefined },
  step: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const stopWatching = interruptOnAbort(connection, signal);
  try {
    await attach(connection, path, { as: 'store', readOnly });
    return await step(connection);
  } finally {
    stopWatching();
    await connection.run('USE memory').catch(() => {});
    await connection.run('DETACH store').catch(() => {});
    connection.disconnectSync();
    instance.closeSync();
  }
}
