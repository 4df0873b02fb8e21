import type { DuckDBConnection } from '@duckdb/node-api';
import { KNOWN_BATCH, STORED_TABLES } from '../clickhouse/workspace/stored-tables.js';

/** A table and the query of what is copied of it. */
export interface CopiedTable {
  readonly name: string;
  readonly sql: string;
}

/** The tables of a store besides its points; some come into being when they are first written. */
export async function copiedTables(connection: DuckDBConnection): Promise<CopiedTable[]> {
  const read = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables() WHERE database_name = 'store' AND schema_name = 'main'`,
  );
  const present = new Set(read.getRows().map(([name]) => String(name)));
  return STORED_TABLES.filter(({ name }) => present.has(name)).map(({ name, columns }) => ({
    name,
    sql:
      name === KNOWN_BATCH.name
        ? 'SELECT digest, kinds FROM store.main.known_batch, store.main.meta WHERE known_batch.imports = meta.imports'
        : `SELECT ${columns.join(', ')} FROM store.main.${name}`,
  }));
}
