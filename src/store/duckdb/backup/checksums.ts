import type { DuckDBConnection } from '@duckdb/node-api';
import type { LongOperation } from '../../../model/progress.js';

/** The rows of a table in a form that does not depend on their order. */
export interface TableChecksum {
  readonly table: string;
  readonly rows: number;
  /** Sum of the hashes of the rows, in decimal; null without rows. */
  readonly sum: string | null;
}

/** The table of a backup that holds its checksums, with what they are true of. */
export const CHECKSUM_TABLE = 'backup_checksum';

interface SchemaTables {
  /** Name of the attached database. */
  readonly schema: string;
  /** What is done with the tables, for people. */
  readonly label: string;
}

/** Names of the tables of an attached database, without that of the checksums. */
export async function tableNames(connection: DuckDBConnection, schema: string): Promise<string[]> {
  const read = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables() WHERE database_name = '${schema}' ORDER BY ALL`,
  );
  return read.getRows().flatMap(([name]) => (name === CHECKSUM_TABLE ? [] : [String(name)]));
}

/** Reads every value of every table. DuckDB compares each block that it reads with the block's own checksum. */
export async function readChecksums(
  connection: DuckDBConnection,
  { schema, label }: SchemaTables,
  { signal, onProgress }: LongOperation,
): Promise<TableChecksum[]> {
  const names = await tableNames(connection, schema);
  const checksums: TableChecksum[] = [];
  for (const [done, table] of names.entries()) {
    signal?.throwIfAborted();
    onProgress?.({ label, done, total: names.length, unit: 'tables' });
    const read = await connection.runAndReadAll(
      `SELECT count(*)::DOUBLE, sum(hash(one)::HUGEINT)::VARCHAR FROM ${schema}.main."${table}" AS one`,
    );
    const [rows, sum] = read.getRows()[0] as [number, string | null];
    checksums.push({ table, rows, sum });
  }
  onProgress?.({ label, done: names.length, total: names.length, unit: 'tables' });
  return checksums;
}

/** Where the tables differ from what was recorded of them, in words. */
export function compareChecksums(
  { checksums: recorded, hasSameHash }: { checksums: readonly TableChecksum[]; hasSameHash: boolean },
  found: readonly TableChecksum[],
): string[] {
  const foundOf = new Map(found.map((one) => [one.table, one]));
  const changed = recorded.flatMap((one) => {
    const now = foundOf.get(one.table);
    foundOf.delete(one.table);
    if (now === undefined) return [`the table ${one.table} of the backup is missing`];
    if (now.rows !== one.rows)
      return [`the table ${one.table} had ${count(one.rows)} when it was backed up, and has ${now.rows}`];
    return now.sum === one.sum || !hasSameHash
      ? []
      : [`the table ${one.table} does not have the checksum of the backup`];
  });
  return [...changed, ...[...foundOf.keys()].map((table) => `the table ${table} is not of the backup`)];
}

function count(rows: number): string {
  return rows === 1 ? '1 row' : `${rows} rows`;
}
