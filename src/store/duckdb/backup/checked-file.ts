import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import type { LongOperation } from '../../../model/progress.js';
import type { StoreBackup } from '../../store.js';
import { toStoreError } from '../engine/errors.js';
import { DuckDBInstance } from '../engine/library.js';
import { quoted } from '../engine/sql-values.js';
import { FIRST_TABLE, HISTORY_TABLE } from '../point-tables.js';
import { compareChecksums, readChecksums } from './checksums.js';
import { readRecorded } from './recorded.js';

/** The tables of points. */
const POINT_TABLES = new RegExp(`^(${HISTORY_TABLE}|${FIRST_TABLE.name}(_[0-9]+)?)$`);

/** The name that the file is called by in messages, where it is another one. */
interface CheckOptions extends LongOperation {
  readonly name?: string | undefined;
}

/**
 * Reads all of a backup, and compares it with the checksums that it holds.
 * @throws StoreError that says what is wrong: it is no backup, is damaged, or was written since
 */
export async function checkBackupFile(
  path: string,
  { name = path, ...operation }: CheckOptions = {},
): Promise<StoreBackup> {
  const instance = await DuckDBInstance.create(':memory:');
  let connection: DuckDBConnection | null = null;
  const interrupt = () => connection?.interrupt();
  operation.signal?.addEventListener('abort', interrupt, { once: true });
  try {
    connection = await instance.connect();
    await connection.run(`ATTACH ${quoted(path)} AS backup (TYPE duckdb, READ_ONLY)`);
    return await compareAll(connection, name, operation);
  } catch (error) {
    operation.signal?.throwIfAborted();
    throw toStoreError(error, name, 'checking the backup');
  } finally {
    operation.signal?.removeEventListener('abort', interrupt);
    await connection?.run('DETACH backup').catch(() => {});
    connection?.disconnectSync();
    instance.closeSync();
  }
}

async function compareAll(
  connection: DuckDBConnection,
  name: string,
  operation: LongOperation,
): Promise<StoreBackup> {
  const recorded = await readRecorded(connection, 'backup');
  if (recorded === null) {
    throw new StoreError(
      `${name} was not made by "cropframe store backup", or was written since: there is nothing to check it by`,
    );
  }
  const found = await readChecksums(
    connection,
    { schema: 'backup', label: 'checking the backup' },
    operation,
  );
  const [difference] = compareChecksums(recorded, found);
  if (difference !== undefined) throw new StoreError(`${name} is damaged: ${difference}; use another backup`);
  const points = found.reduce((sum, { table, rows }) => sum + (POINT_TABLES.test(table) ? rows : 0), 0);
  return { takenMs: recorded.takenMs, points };
}
