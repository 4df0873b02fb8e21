import type { DuckDBConnection } from '@duckdb/node-api';
import { SERIES_KEY_FIELDS } from '../../../model/series.js';
import { readNumber, runAll } from '../../duckdb/writing/ranges.js';
import type { Cluster } from '../engine/cluster.js';
import { type Snapshot, visible } from '../engine/snapshot.js';
import { loadTables, STORED } from './load-tables.js';
import { SERIES } from './stored-tables.js';

/** A longer list of ids selects nothing: it takes longer to send than what it leaves out. */
const MAX_IDS = 10_000;

interface LoadOptions {
  readonly snapshot: Snapshot;
  readonly signal: AbortSignal | undefined;
}

/** Loads the stored series of the points of an import, which are settled. New ones get handles after the highest one. */
export async function loadSeries(
  connection: DuckDBConnection,
  cluster: Cluster,
  { snapshot, signal }: LoadOptions,
): Promise<void> {
  const where = await selectionOf(connection);
  await loadTables(connection, cluster, { tables: [SERIES], snapshot, schema: STORED, where, signal });
  const keys = SERIES_KEY_FIELDS.join(', ');
  await runAll(connection, [
    `CREATE OR REPLACE TABLE ${STORED}.series AS FROM ${STORED}.series SEMI JOIN temp.staged_series USING (${keys})`,
    `INSERT INTO series BY NAME FROM ${STORED}.series ORDER BY handle`,
  ]);
  await reserveHandles(connection, cluster, { snapshot, signal });
}

/** Series with the ids that the staged ones have: some more than those. */
async function selectionOf(connection: DuckDBConnection) {
  const parameters: Record<string, number[]> = {};
  const conditions: string[] = [];
  for (const field of SERIES_KEY_FIELDS) {
    const read = await connection.runAndReadAll(`SELECT DISTINCT ${field} FROM temp.staged_series`);
    if (read.currentRowCount > MAX_IDS) continue;
    parameters[field] = read.getRows().map(([id]) => id as number);
    conditions.push(`${field} IN {${field}:Array(Int32)}`);
  }
  return { sql: conditions.join(' AND ') || 'true', parameters };
}

/** A row without ids stands for the highest handle of the cluster, so that new ones come after it. */
async function reserveHandles(
  connection: DuckDBConnection,
  { first }: Cluster,
  { snapshot, signal }: LoadOptions,
): Promise<void> {
  const { where, parameters } = visible(snapshot);
  const sql = `SELECT count() AS series, max(handle) AS last FROM series WHERE ${where}`;
  const [row] = await first.rows(sql, parameters, { signal });
  if (Number(row!.series) === 0) return;
  const known = await readNumber(connection, 'SELECT coalesce(max(handle), -1) FROM series');
  if (known < Number(row!.last))
    await connection.run(`INSERT INTO series (handle) VALUES (${Number(row!.last)})`);
}

/** Removes the row that stands for handles of the cluster. */
export const FREE_HANDLES = 'DELETE FROM series WHERE metric_id IS NULL';

/** Sources that have series in the cluster. */
export async function readSources({ first }: Cluster, { snapshot, signal }: LoadOptions): Promise<number[]> {
  const { where, parameters } = visible(snapshot);
  const sql = `SELECT DISTINCT source_id FROM series WHERE ${where}`;
  return (await first.rows(sql, parameters, { signal })).map(({ source_id }) => Number(source_id));
}
