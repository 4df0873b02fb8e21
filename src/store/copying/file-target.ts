import { existsSync, renameSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { STORED_TABLES } from '../clickhouse/workspace/stored-tables.js';
import type { Database } from '../duckdb/engine/database.js';
import { canonicalPath, removeStoreFiles, requireNoStore, syncFile } from '../duckdb/engine/files.js';
import { attach, openDatabase } from '../duckdb/engine/open-database.js';
import { quoted } from '../duckdb/engine/sql-values.js';
import { FIRST_TABLE, HISTORY_TABLE, PACK_POINT, PACKED_PERIOD } from '../duckdb/point-tables.js';
import { divideLargeTables } from '../duckdb/tables/rewrite-points.js';
import { inRange, runAll } from '../duckdb/writing/ranges.js';
import { type CopySource, type CopyTarget, nameOf, readerOfFile } from './copy-source.js';

const TABLES = 'tables';

/**
 * Opens a new file for a copy of a source. It has another name until it is whole; what a copy of the same content has
 * written there before is kept. Its table `copied_part` names that content, and the parts that are whole.
 * @throws StoreError when the file exists
 */
export async function openFileTarget(to: string, source: CopySource): Promise<CopyTarget> {
  const path = canonicalPath(to);
  requireNoStore(path, { to, name: 'the copy' });
  const draft = `${path}.copying`;
  if (existsSync(draft) && !(await isCopyOf(draft, source))) removeStoreFiles(draft);
  if (!existsSync(draft))
    await change(draft, (connection) =>
      runAll(connection, [
        'DELETE FROM frequency',
        `CREATE TABLE copied_part AS SELECT ${quoted(source.version)} AS part`,
        'UPDATE meta SET imports = 1',
      ]),
    );
  const { connection } = source;
  await attach(connection, draft, { as: 'target' });
  const read = await connection.runAndReadAll('SELECT part FROM target.main.copied_part');
  const copied = new Set(read.getRows().map(([part]) => part));
  let reading: Database | null = null;

  /** A part and its name are there together or not at all. */
  async function write(name: string, statements: readonly string[]): Promise<void> {
    await connection.run('BEGIN TRANSACTION');
    try {
      await runAll(connection, [
        ...statements,
        `INSERT INTO target.main.copied_part VALUES (${quoted(name)})`,
      ]);
      await connection.run('COMMIT');
    } catch (error) {
      await connection.run('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  return {
    hasPart: (part) => copied.has(nameOf(part)),
    async copyTables() {
      const insert = ({ name }: { name: string }) =>
        `INSERT INTO target.main.${name} FROM store.main.${name} ORDER BY ALL`;
      if (!copied.has(TABLES)) await write(TABLES, STORED_TABLES.map(insert));
    },
    async copyPart(part) {
      const insert = (table: string, view: string, order: string) =>
        `INSERT INTO target.main.${table} SELECT ${PACK_POINT} FROM store.main.${view}
        WHERE ${inRange('series', part)} ORDER BY ${order}`;
      await write(nameOf(part), [
        insert(FIRST_TABLE.name, 'point', PACKED_PERIOD),
        insert(HISTORY_TABLE, 'point_history', `${PACKED_PERIOD}, reporting_date, available_date`),
      ]);
    },
    async open() {
      await connection.run('DETACH target');
      await change(draft, divideLargeTables);
      reading = await openDatabase(draft, true);
      return readerOfFile(reading);
    },
    async finish() {
      await reading?.close();
      await change(draft, (last) => runAll(last, ['DROP TABLE copied_part']));
      syncFile(draft);
      requireNoStore(path, { to, name: 'the copy' });
      renameSync(draft, path);
    },
    async close() {
      await reading?.close();
      await connection.run('DETACH DATABASE IF EXISTS target');
    },
  };
}

async function isCopyOf(draft: string, { version }: CopySource): Promise<boolean> {
  const database = await openDatabase(draft, false);
  try {
    const [table] = await database.rows(
      `SELECT 1 FROM duckdb_tables() WHERE database_name = 'store' AND table_name = 'copied_part'`,
    );
    if (table === undefined) return false;
    return (await database.rows(`SELECT 1 FROM copied_part WHERE part = ${quoted(version)}`)).length > 0;
  } finally {
    await database.close();
  }
}

/** Changes a file by one transaction. */
async function change(path: string, by: (connection: DuckDBConnection) => Promise<void>): Promise<void> {
  const database = await openDatabase(path, false);
  const connection = await database.connect();
  try {
    await connection.run('BEGIN TRANSACTION');
    await by(connection);
    await database.commit(connection);
  } finally {
    connection.disconnectSync();
    await database.close();
  }
}
