import type { DuckDBConnection } from '@duckdb/node-api';
import { DOUBLE, VARCHAR } from '../engine/library.js';
import { CHECKSUM_TABLE, type TableChecksum } from './checksums.js';

/** The checksums that a backup holds. */
export interface RecordedChecksums {
  /** When the backup was made, UTC milliseconds. */
  readonly takenMs: number;
  readonly checksums: readonly TableChecksum[];
  /** Whether this version of the engine computes the same sums; each version may have hash functions of its own. */
  readonly hasSameHash: boolean;
}

/** What the checksums are true of: a store that has not been written since. */
const STATE = `SELECT concat_ws(' ', store_id, imports, schema_version) FROM`;

/** Writes the checksums of a backup into it. */
export async function recordChecksums(
  connection: DuckDBConnection,
  schema: string,
  { takenMs, checksums }: Pick<RecordedChecksums, 'takenMs' | 'checksums'>,
): Promise<void> {
  const table = `${schema}.main.${CHECKSUM_TABLE}`;
  await connection.run(
    `CREATE TABLE ${table} (state VARCHAR, engine VARCHAR, taken DOUBLE, name VARCHAR, rows DOUBLE, sum VARCHAR)`,
  );
  for (const { table: name, rows, sum } of checksums) {
    await connection.run(
      `INSERT INTO ${table} VALUES ((${STATE} ${schema}.main.meta), version(), $1, $2, $3, $4)`,
      [takenMs, name, rows, sum],
      [DOUBLE, VARCHAR, DOUBLE, VARCHAR],
    );
  }
}

/** The checksums of a backup; null for a store that is none, or was written since. */
export async function readRecorded(
  connection: DuckDBConnection,
  schema: string,
): Promise<RecordedChecksums | null> {
  const isThere = await connection.runAndReadAll(
    `SELECT 1 FROM duckdb_tables() WHERE database_name = '${schema}' AND table_name = '${CHECKSUM_TABLE}'`,
  );
  if (isThere.currentRowCount === 0) return null;
  const read = await connection.runAndReadAll(
    `SELECT taken, engine = version(), name, rows, sum FROM ${schema}.main.${CHECKSUM_TABLE}
    WHERE state = (${STATE} ${schema}.main.meta) ORDER BY name`,
  );
  const rows = read.getRows() as [number, boolean, string, number, string | null][];
  const [first] = rows;
  if (first === undefined) return null;
  const checksums = rows.map(([, , table, count, sum]) => ({ table, rows: count, sum }));
  return { takenMs: first[0], hasSameHash: first[1], checksums };
}
