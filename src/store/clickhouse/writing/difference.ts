import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import { readNumbers } from '../../duckdb/writing/ranges.js';
import type { Cluster } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { type Snapshot, visible } from '../engine/snapshot.js';
import { STORED } from '../workspace/load-tables.js';
import { keyOf, type StoredTable } from '../workspace/stored-tables.js';
import { writeRows } from './block-writer.js';

/** An import that writes. */
export interface Writing {
  /** Its number. */
  readonly import: number;
  /** What was true before it. */
  readonly before: Snapshot;
  readonly signal: AbortSignal | undefined;
}

/** Keys of a statement: numbers, and texts, which may be long. */
const NUMBERS_TOGETHER = 5_000;
const TEXTS_TOGETHER = 100;

/** Writes the rows of a table that the workspace has and the cluster has not, and ends those that it no longer has. */
export async function writeDifference(
  connection: DuckDBConnection,
  { first }: Cluster,
  { table, writing }: { table: StoredTable; writing: Writing },
): Promise<void> {
  const { name } = table;
  const columns = table.columns.join(', ');
  const [here, stored] = [`SELECT ${columns} FROM main.${name}`, `SELECT ${columns} FROM ${STORED}.${name}`];
  const key = keyOf(table);
  const written = await writeRows(connection, {
    shard: first,
    table: name,
    sql: `(${here}) EXCEPT (${stored})`,
    import: writing.import,
    signal: writing.signal,
  });
  await connection.run(`CREATE OR REPLACE TEMP TABLE ended AS
    SELECT ${key.here} AS key, ${key.here} IN (SELECT ${key.here} FROM main.${name}) AS is_replaced
    FROM ((${stored}) EXCEPT (${here}))`);
  const [ended, replaced] = await readNumbers(
    connection,
    'SELECT count(*)::DOUBLE, count(*) FILTER (is_replaced)::DOUBLE FROM temp.ended',
  );
  if (replaced! > 0) await endReplaced(first, { name, key: key.there, writing });
  if (ended! > replaced!) await endRemoved(connection, first, { name, key, writing });
  if (written + ended! > 0) await verify(first, name, { writing, written, ended: ended! });
}

async function endReplaced(
  first: Shard,
  { name, key, writing }: { name: string; key: string; writing: Writing },
): Promise<void> {
  const { where, parameters } = visible(writing.before);
  const sql = `UPDATE ${name} SET gone = {number:UInt32}
    WHERE ${where} AND ${key} IN (SELECT ${key} FROM ${name} WHERE import = {number:UInt32})`;
  await first.run(sql, { ...parameters, number: writing.import }, { signal: writing.signal });
}

async function endRemoved(
  connection: DuckDBConnection,
  first: Shard,
  { name, key, writing }: { name: string; key: ReturnType<typeof keyOf>; writing: Writing },
): Promise<void> {
  const { where, parameters } = visible(writing.before);
  const read = await connection.runAndReadAll('SELECT key FROM temp.ended WHERE NOT is_replaced');
  const keys = read.getRows().map(([one]) => one as number | string);
  const together = key.type === 'Int32' ? NUMBERS_TOGETHER : TEXTS_TOGETHER;
  for (let i = 0; i < keys.length; i += together) {
    const sql = `UPDATE ${name} SET gone = {number:UInt32} WHERE ${where} AND ${key.there} IN {keys:Array(${key.type})}`;
    const values = { ...parameters, number: writing.import, keys: keys.slice(i, i + together) };
    await first.run(sql, values, { signal: writing.signal });
  }
}

interface Expected {
  readonly writing: Pick<Writing, 'import' | 'signal'>;
  /** Rows that the import brings. */
  readonly written: number;
  /** Rows that it ends. */
  readonly ended: number;
  /** Restricts where the ended rows are looked for. */
  readonly among?: string | undefined;
}

/** @throws StoreError when a table of a server does not have what was written into it */
export async function verify(
  shard: Shard,
  name: string,
  { writing, written, ended, among = 'true' }: Expected,
): Promise<void> {
  const [row] = await shard.rows(
    `SELECT (SELECT count() FROM ${name} WHERE import = {number:UInt32}) AS written,
      (SELECT count() FROM ${name} WHERE gone = {number:UInt32} AND import < {number:UInt32} AND ${among}) AS ended`,
    { number: writing.import },
    { signal: writing.signal },
  );
  if (row!.written === written && row!.ended === ended) return;
  throw new StoreError(
    `the shard ${shard.name} has ${row!.written} of ${written} rows that the import wrote into its table ${name}, and ` +
      `${row!.ended} of ${ended} that it replaced; nothing was committed: run the import again`,
  );
}
