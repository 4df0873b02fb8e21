import { existsSync, renameSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../model/errors.js';
import { STORED_TABLES } from '../clickhouse/workspace/stored-tables.js';
import type { Database } from '../duckdb/engine/database.js';
import { canonicalPath, logOf, removeStoreFiles, syncFile } from '../duckdb/engine/files.js';
import { openDatabase } from '../duckdb/engine/open-database.js';
import { quoted } from '../duckdb/engine/sql-values.js';
import { FIRST_TABLE, HISTORY_TABLE, PACK_POINT, PACKED_PERIOD } from '../duckdb/point-tables.js';
import { ROW_GROUP_SIZE } from '../duckdb/schema.js';
import { divideLargeTables } from '../duckdb/tables/rewrite-points.js';
import { runAll } from '../duckdb/writing/ranges.js';
import type { CopyTarget } from './copy-source.js';
import { type CopyPart, type CopySource, nameOf, readerOfFile } from './copy-source.js';

const TABLES = 'tables';

/**
 * Opens a new file for a copy of a source. It has another name until it is whole; what a copy of the same content has
 * written there before is kept.
 * @throws StoreError when the file exists
 */
export async function openFileTarget(to: string, source: CopySource): Promise<CopyTarget> {
  const path = canonicalPath(to);
  requireNoFile(path, to);
  const draft = `${path}.copying`;
  if (existsSync(draft) && (await versionOfDraft(draft)) !== source.version) removeStoreFiles(draft);
  if (!existsSync(draft)) await createDraft(draft, source.version);
  const { connection } = source;
  await connection.run(`ATTACH ${quoted(draft)} AS target (TYPE duckdb, ROW_GROUP_SIZE ${ROW_GROUP_SIZE})`);
  const read = await connection.runAndReadAll('SELECT part FROM target.main.copied_part');
  const copied = new Set(read.getRows().map(([part]) => String(part)));
  return new FileTarget({ to, path, draft, connection, copied });
}

function requireNoFile(path: string, to: string): void {
  const taken = [path, logOf(path)].find((file) => existsSync(file));
  if (taken !== undefined)
    throw new StoreError(`${taken} exists already; name a new file for the copy, not ${to}`);
}

async function versionOfDraft(draft: string): Promise<string | null> {
  const database = await openDatabase(draft, false);
  try {
    if (!(await database.hasTable('copied_of'))) return null;
    const [row] = await database.rows('SELECT version FROM copied_of');
    return row === undefined ? null : String(row.version);
  } finally {
    await database.close();
  }
}

async function createDraft(draft: string, version: string): Promise<void> {
  await withDatabase(draft, async (connection) => {
    await runAll(connection, [
      'DELETE FROM frequency',
      'CREATE TABLE copied_part (part VARCHAR)',
      `CREATE TABLE copied_of AS SELECT ${quoted(version)} AS version`,
      'UPDATE meta SET imports = 1',
    ]);
  });
}

async function withDatabase(
  path: string,
  change: (connection: DuckDBConnection) => Promise<void>,
): Promise<void> {
  const database = await openDatabase(path, false);
  const connection = await database.connect();
  try {
    await connection.run('BEGIN TRANSACTION');
    await change(connection);
    await database.commit(connection);
  } finally {
    connection.disconnectSync();
    await database.close();
  }
}

interface Draft {
  /** The file as the user named it, its path, and that of the copy until it is whole. */
  readonly to: string;
  readonly path: string;
  readonly draft: string;
  readonly connection: DuckDBConnection;
  /** Names of the parts that were copied before. */
  readonly copied: Set<string>;
}

class FileTarget implements CopyTarget {
  #reading: Database | null = null;
  #isAttached = true;

  readonly #draft: Draft;

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  get location(): string {
    return this.#draft.to;
  }

  hasPart(part: CopyPart): boolean {
    return this.#draft.copied.has(nameOf(part));
  }

  async copyTables(): Promise<void> {
    if (this.#draft.copied.has(TABLES)) return;
    await this.#write(
      TABLES,
      STORED_TABLES.map(({ name }) => `INSERT INTO target.main.${name} FROM store.main.${name} ORDER BY ALL`),
    );
  }

  async copyPart(_source: CopySource, part: CopyPart): Promise<void> {
    const where = `WHERE series BETWEEN ${part.first} AND ${part.last}`;
    const insert = (table: string, view: string, order: string) =>
      `INSERT INTO target.main.${table} SELECT ${PACK_POINT} FROM store.main.${view} ${where} ORDER BY ${order}`;
    await this.#write(nameOf(part), [
      insert(FIRST_TABLE.name, 'point', PACKED_PERIOD),
      insert(HISTORY_TABLE, 'point_history', `${PACKED_PERIOD}, reporting_date, available_date`),
    ]);
  }

  async open() {
    await this.#detach();
    const { draft } = this.#draft;
    await withDatabase(draft, divideLargeTables);
    this.#reading = await openDatabase(draft, true);
    return readerOfFile(this.#reading);
  }

  async finish(): Promise<void> {
    const { draft, path, to } = this.#draft;
    await this.#reading?.close();
    this.#reading = null;
    await withDatabase(draft, (connection) =>
      runAll(connection, ['DROP TABLE copied_part', 'DROP TABLE copied_of']),
    );
    syncFile(draft);
    requireNoFile(path, to);
    renameSync(draft, path);
  }

  async close(): Promise<void> {
    await this.#reading?.close();
    await this.#detach();
  }

  async #detach(): Promise<void> {
    if (!this.#isAttached) return;
    this.#isAttached = false;
    await this.#draft.connection.run('DETACH target');
  }

  /** A part and its name are there together or not at all. */
  async #write(name: string, statements: readonly string[]): Promise<void> {
    const { connection } = this.#draft;
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
}
