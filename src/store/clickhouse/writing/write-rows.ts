import type { DuckDBConnection } from '@duckdb/node-api';
import { quoted } from '../../duckdb/engine/sql-values.js';
import { readNumbers, rowsInTurns } from '../../duckdb/writing/ranges.js';
import type { ReadOptions } from '../../store.js';
import type { Expected, Writing } from '../committing/commit.js';
import { type Cluster, together } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { NOT_GONE, visible } from '../engine/snapshot.js';
import { createFolder, keyOf, STORED, type StoredTable } from '../workspace/workspace.js';

/** Keys of a statement: numbers, and texts, which may be long. */
const MAX_NUMBERS = 5_000;
const MAX_TEXTS = 100;

/** The changes of an import in a table. */
interface Change {
  readonly table: StoredTable;
  /** Rows that are new. */
  readonly added: number;
  /** Rows that are no longer true. */
  readonly ended: number;
  /** The keys of those among them that no other row replaces. */
  readonly removed: readonly (number | string)[];
}

/**
 * Writes the rows of tables that the workspace has and the cluster has not, and ends those that it no longer has.
 * @returns the rows that the first server must have by then
 */
export async function writeDifferences(
  connection: DuckDBConnection,
  first: Shard,
  { tables, writing }: { tables: readonly StoredTable[]; writing: Writing },
): Promise<Expected[]> {
  const changes: Change[] = [];
  for (const table of tables) {
    const change = await readChange(connection, first, { table, writing });
    if (change.added + change.ended > 0) changes.push(change);
  }
  return together(
    changes,
    async (change, { signal }) => {
      const { table, added, ended } = change;
      await endRows(first, change, { ...writing, signal });
      return { table: table.name, written: added, ended };
    },
    writing,
  );
}

const rowsHere = ({ name, columns }: StoredTable) => `SELECT ${columns.join(', ')} FROM main.${name}`;
const rowsStored = ({ name, columns }: StoredTable) => `SELECT ${columns.join(', ')} FROM ${STORED}.${name}`;
const newRows = (table: StoredTable) => `(${rowsHere(table)}) EXCEPT (${rowsStored(table)})`;
const endedRows = (table: StoredTable) => `(${rowsStored(table)}) EXCEPT (${rowsHere(table)})`;

/** Writes the new rows of a table. */
async function readChange(
  connection: DuckDBConnection,
  shard: Shard,
  { table, writing }: { table: StoredTable; writing: Writing },
): Promise<Change> {
  const { name } = table;
  const { import: number, signal } = writing;
  const sql = newRows(table);
  const written = { sql, position: '0', table: name, import: number, signal };
  const [added = 0] = await writeToShards(connection, [shard], written);
  const [ended = 0] = await readNumbers(connection, `SELECT count(*)::DOUBLE FROM (${endedRows(table)})`);
  if (ended === 0) return { table, added, ended, removed: [] };
  const key = keyOf(table).here;
  const removed: (number | string)[] = [];
  const lost = `SELECT ${key} FROM (${endedRows(table)}) WHERE ${key} NOT IN (SELECT ${key} FROM main.${name})`;
  for await (const rows of rowsInTurns<[number | string]>(connection, lost))
    removed.push(...rows.map(([one]) => one));
  return { table, added, ended, removed };
}

/** Ends the rows that new ones replace, and those that are removed. */
async function endRows(
  first: Shard,
  { table, ended, removed }: Change,
  { before, import: number, signal }: Writing,
): Promise<void> {
  const { name } = table;
  const { there, type } = keyOf(table);
  const end = (keys: string, parameters = {}) =>
    first.run(
      `UPDATE ${name} SET gone = ${number} WHERE ${visible(before)} AND ${there} IN ${keys}`,
      parameters,
      { signal },
    );
  if (ended > removed.length) await end(`(SELECT ${there} FROM ${name} WHERE import = ${number})`);
  const maxKeys = type === 'Int32' ? MAX_NUMBERS : MAX_TEXTS;
  for (let i = 0; i < removed.length; i += maxKeys)
    await end(`{keys:Array(${type})}`, { keys: removed.slice(i, i + maxKeys) });
}

interface Written {
  readonly table: string;
  /** The import that brings the rows, and the one by which they are gone. */
  readonly import: number;
  readonly gone?: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Points of a query with `POINT_COLUMNS`, with the values that mean no value, no date and no remark. */
const pointsOf = (
  sql: string,
) => `SELECT series, start_date, end_date, coalesce(value, 'nan'::DOUBLE) AS value,
  unit_id, coalesce(epoch_ms(reporting_date), -9223372036854775808) AS reporting_date, available_date,
  coalesce(metadata, '') AS metadata FROM (${sql})`;

/**
 * Writes the points of a query, which has `POINT_COLUMNS`, to the shards of their series. The shards have them when it
 * resolves. @returns the rows of each shard
 */
export function writePoints(
  connection: DuckDBConnection,
  { shards }: Cluster,
  { sql, ...written }: Omit<Written, 'table'> & { readonly sql: string },
): Promise<number[]> {
  const position = `series % ${shards.length}`;
  return writeToShards(connection, shards, { sql: pointsOf(sql), position, table: 'point', ...written });
}

/** Writes each row as Parquet for the shard of its position, which reads the files. @returns the rows of each shard */
async function writeToShards(
  connection: DuckDBConnection,
  shards: readonly Shard[],
  {
    sql,
    position,
    table,
    import: number,
    gone = NOT_GONE,
    signal,
  }: Written & { readonly sql: string; readonly position: string },
): Promise<number[]> {
  const described = await connection.runAndReadAll(`DESCRIBE FROM (${sql})`);
  const columns = described.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
  const values = columns.map(({ name, type }) =>
    type === 'TIMESTAMP_MS' ? `epoch_ms(${name}) AS ${name}` : name,
  );
  const names = [...columns.map(({ name }) => name), 'import', 'gone'];
  const folder = await createFolder();
  try {
    const copied = await connection.runAndReadAll(
      `COPY (SELECT ${values.join(', ')}, ${number}::UINTEGER AS import, ${gone}::UINTEGER AS gone, ${position} AS shard
       FROM (${sql})) TO ${quoted(folder.path)} (FORMAT parquet, PARTITION_BY (shard), OVERWRITE_OR_IGNORE, RETURN_STATS)`,
    );
    const counts = shards.map(() => 0);
    const write = async ([path, rows]: unknown[], options: ReadOptions) => {
      const i = Number(/shard=(\d+)/.exec(String(path))![1]);
      counts[i]! += Number(rows);
      await shards[i]!.insertFile({ table, columns: names }, String(path), options);
    };
    await together(copied.getRows(), write, { signal });
    return counts;
  } finally {
    await folder.remove();
  }
}
