import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import type { LongOperation } from '../../../model/progress.js';
import type { StoreBackup } from '../../store.js';
import { toStoreError } from '../engine/errors.js';
import { interruptOnAbort } from '../engine/interrupts.js';
import { DOUBLE, DuckDBInstance, VARCHAR } from '../engine/library.js';
import { attach } from '../engine/open-database.js';
import { requireOwnObjects } from '../own-objects.js';
import { FIRST_TABLE, HISTORY_TABLE } from '../point-tables.js';
import { DDL } from '../schema.js';

/** The content of a store in a form that does not depend on the order of rows. */
interface ContentChecksum {
  /** Rows of all tables. */
  readonly rows: number;
  /** Points, with those that were replaced. */
  readonly points: number;
  /** A digest of the names of the tables and of all values. */
  readonly digest: string;
}

/** The checksum that a backup holds. */
interface RecordedChecksum extends ContentChecksum {
  /** When the backup was made, UTC milliseconds. */
  readonly takenMs: number;
  /** Whether this version of the engine computes the same digest; each version may have hash functions of its own. */
  readonly hasSameHash: boolean;
}

/** The table of a backup that holds its checksum, in one row. */
export const CHECKSUM_TABLE = 'backup_checksum';

const POINT_TABLES = new RegExp(`^(${HISTORY_TABLE}|${FIRST_TABLE.name}(_[0-9]+)?)$`);

/** Names of the tables of an attached database, without that of the checksum. */
export async function tableNames(connection: DuckDBConnection, schema: string): Promise<string[]> {
  const read = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables() WHERE database_name = '${schema}' ORDER BY ALL`,
  );
  return read.getRows().flatMap(([name]) => (name === CHECKSUM_TABLE ? [] : [String(name)]));
}

/**
 * Reads every value of every table of the database that is attached as `store`. DuckDB compares each block that it reads with
 * the block's own checksum.
 * @param label what is done with the tables, for people
 */
export async function readChecksum(
  connection: DuckDBConnection,
  label: string,
  { signal, onProgress }: LongOperation,
): Promise<ContentChecksum> {
  const names = await tableNames(connection, 'store');
  const hash = createHash('sha256');
  let [allRows, points] = [0, 0];
  for (const [done, table] of names.entries()) {
    signal?.throwIfAborted();
    onProgress?.({ label, done, total: names.length, unit: 'tables' });
    const read = await connection.runAndReadAll(
      `SELECT count(*)::DOUBLE, sum(hash(row)::HUGEINT)::VARCHAR FROM store.main."${table}" AS row`,
    );
    const [rows, sum] = read.getRows()[0] as [number, string | null];
    hash.update(`${table} ${rows} ${sum}\n`);
    allRows += rows;
    if (POINT_TABLES.test(table)) points += rows;
  }
  onProgress?.({ label, done: names.length, total: names.length, unit: 'tables' });
  return { rows: allRows, points, digest: hash.digest('hex') };
}

/** A checksum is true of a store until that is written. */
const STATE = `SELECT concat_ws(' ', store_id, imports, schema_version) FROM`;

/** Writes the checksum of a backup that is attached as `backup` into it. */
export async function recordChecksum(
  connection: DuckDBConnection,
  { rows, points, digest }: ContentChecksum,
): Promise<void> {
  await connection.run(
    `CREATE TABLE backup.main.${CHECKSUM_TABLE} AS SELECT (${STATE} backup.main.meta) AS state, version() AS engine,
      $1 AS taken, $2 AS rows, $3 AS points, $4 AS digest`,
    [Date.now(), rows, points, digest],
    [DOUBLE, DOUBLE, DOUBLE, VARCHAR],
  );
}

/** The checksum that is true of the database attached as `store`; null for one that is no backup, or was written since. */
export async function readRecorded(connection: DuckDBConnection): Promise<RecordedChecksum | null> {
  const isThere = await connection.runAndReadAll(
    `SELECT 1 FROM duckdb_tables() WHERE database_name = 'store' AND table_name = '${CHECKSUM_TABLE}'`,
  );
  if (isThere.currentRowCount === 0) return null;
  const read = await connection.runAndReadAll(
    `SELECT taken, engine = version(), rows, points, digest FROM store.main.${CHECKSUM_TABLE}
    WHERE state = (${STATE} store.main.meta)`,
  );
  const [row] = read.getRows() as [number, boolean, number, number, string][];
  if (row === undefined) return null;
  const [takenMs, hasSameHash, rows, points, digest] = row;
  return { takenMs, hasSameHash, rows, points, digest };
}

/** How the content of a backup differs from what was recorded of it, in words; null when it does not. */
export function differenceOf(recorded: RecordedChecksum, found: ContentChecksum): string | null {
  if (recorded.rows !== found.rows || recorded.points !== found.points)
    return `the backup had ${recorded.rows} rows with ${recorded.points} points when it was made, and has ${found.rows} with ${found.points}`;
  if (!recorded.hasSameHash || recorded.digest === found.digest) return null;
  return 'the content of the backup does not have its checksum';
}

/** The name that the file is called by in messages, where it is another one. */
interface CheckOptions extends LongOperation {
  readonly name?: string | undefined;
}

/**
 * Reads all of a backup, and compares it with the checksum that it holds.
 * @throws StoreError that says what is wrong: it is no backup, is damaged, or was written since
 */
export async function checkBackup(
  path: string,
  { name = path, ...operation }: CheckOptions = {},
): Promise<StoreBackup> {
  const { signal } = operation;
  try {
    return await withAttached(path, { readOnly: true, signal }, async (connection) => {
      const recorded = await readRecorded(connection);
      if (recorded === null) {
        throw new StoreError(
          `${name} was not made by "cropframe store backup", or was written since: there is nothing to check it by`,
        );
      }
      await connection.run('SET enable_external_access = false; SET lock_configuration = true');
      await requireOwnObjects(connection, { location: name, ddl: DDL });
      const found = await readChecksum(connection, 'checking the backup', operation);
      const difference = differenceOf(recorded, found);
      if (difference !== null) throw new StoreError(`${name} is damaged: ${difference}; use another backup`);
      return { takenMs: recorded.takenMs, points: found.points };
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw toStoreError(error, name, 'checking the backup');
  }
}

/** Runs a step on a file that is attached as `store`, whatever it holds. */
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
