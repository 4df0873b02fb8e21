import type { DuckDBConnection } from '@duckdb/node-api';
import type { Table } from 'apache-arrow';
import * as v from 'valibot';
import { mergedMetadata } from '../frame/table/provenance.js';
import { LONG_OPERATION, type LongOperation } from '../model/progress.js';
import { checkOptions, type OptionsOf } from '../model/schema/check.js';
import { integer } from '../model/schema/schemas.js';
import { DuckDBInstance } from '../store/duckdb/engine/library.js';
import { confine, spillFolder } from '../store/duckdb/engine/open-database.js';
import { askConnection, questionOf, type SqlQuery, stepOf } from './ask.js';
import { checkTables, loadTable } from './load-table.js';

const ENGINE = {
  /** The engine's maximum memory in megabytes; default 2,000. */
  memory_mb: integer({ min: 16 }),
  /** If true, queries can read files and web addresses, and load extensions. Default false. */
  external_access: v.boolean(),
};

/** Options for SQL queries. */
export interface SqlOptions extends LongOperation, OptionsOf<typeof ENGINE> {}

/**
 * Returns a template tag that runs DuckDB SQL over frames and other Arrow tables, each named by its key in `tables`. A
 * query returns a frame that lists the sources of all tables. In a query, a frame's dates have the type TIMESTAMP in
 * UTC, and its names have the type ENUM. The first query loads the tables. They stay loaded until ten seconds after the
 * last query, or until a query over other tables ends. If you change a table in place, call `sql` again.
 * @throws ArgumentError if the query is not a single SELECT, or if the engine rejects it
 * @example
 * ```ts
 * const byState = await sql({ yields })`
 *   SELECT region_name, avg(value) AS mean FROM yields WHERE end_date >= ${'2010-01-01'} GROUP BY ALL`;
 * ```
 */
export function sql(tables: Readonly<Record<string, Table>>, options: SqlOptions = {}): SqlQuery {
  checkTables(tables);
  checkOptions(options, { ...LONG_OPERATION, ...ENGINE }, 'sql');
  const engine = new Engine(tables, options);
  return async (text, ...values) => {
    const question = questionOf(text, values);
    const metadata = mergedMetadata(Object.values(tables), stepOf(question));
    return engine.use((connection) => askConnection(connection, question, { ...options, metadata }));
  };
}

/** How long tables stay loaded after a query, in milliseconds. */
const IDLE_MS = 10_000;

class Engine {
  /** The idle engine whose tables stay loaded for the next query. There is at most one. */
  static #idle: Engine | null = null;

  readonly #tables: Readonly<Record<string, Table>>;
  readonly #options: SqlOptions;
  #instance: Promise<DuckDBInstance> | null = null;
  #questions = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(tables: Readonly<Record<string, Table>>, options: SqlOptions) {
    this.#tables = tables;
    this.#options = options;
  }

  async use<Result>(ask: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    this.#options.signal?.throwIfAborted();
    this.#questions++;
    clearTimeout(this.#timer);
    if (Engine.#idle === this) Engine.#idle = null;
    try {
      this.#instance ??= openTables(this.#tables, this.#options).catch((error: unknown) => {
        this.#instance = null;
        throw error;
      });
      const connection = await (await this.#instance).connect();
      try {
        return await ask(connection);
      } finally {
        connection.closeSync();
      }
    } finally {
      if (--this.#questions === 0) await this.#rest();
    }
  }

  async #rest(): Promise<void> {
    if (Engine.#idle !== null) await Engine.#idle.#close();
    if (this.#questions > 0) return;
    Engine.#idle = this;
    this.#timer = setTimeout(() => void this.#close(), IDLE_MS).unref();
  }

  async #close(): Promise<void> {
    clearTimeout(this.#timer);
    if (Engine.#idle === this) Engine.#idle = null;
    if (this.#questions > 0) return;
    const closing = this.#instance;
    this.#instance = null;
    (await closing)?.closeSync();
  }
}

async function openTables(
  tables: Readonly<Record<string, Table>>,
  { memory_mb: memoryMb = 2000, external_access = false }: SqlOptions,
): Promise<DuckDBInstance> {
  const extensions = String(external_access);
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${memoryMb}MB`,
    temp_directory: spillFolder(':memory:'),
    autoinstall_known_extensions: extensions,
    autoload_known_extensions: extensions,
  });
  const connection = await instance.connect();
  try {
    for (const [name, table] of Object.entries(tables))
      await loadTable(connection, { name, table, into: 'memory' });
    await connection.run(`SET GLOBAL TimeZone = 'UTC'`);
    if (!external_access) await confine(connection);
    return instance;
  } catch (error) {
    instance.closeSync();
    throw error;
  } finally {
    connection.closeSync();
  }
}
