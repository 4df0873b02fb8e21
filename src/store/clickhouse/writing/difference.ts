import type { DuckDBConnection } from '@duckdb/node-api';
import type { Expected } from '../committing/verify.js';
import type { Shard } from '../engine/shard.js';
import { type Snapshot, visible } from '../engine/snapshot.js';
import { together } from '../engine/together.js';
import { STORED } from '../workspace/load-tables.js';
import { keyOf, type StoredTable } from '../workspace/stored-tables.js';
import { writeRows } from './write-rows.js';

/** An import that writes. */
export interface Writing {
  /** Its number. */
  readonly import: number;
  /** The state before it. */
  readonly before: Snapshot;
  readonly signal: AbortSignal | undefined;
}

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
  for (const changed of await changedTables(connection, tables))
    changes.push(await readChange(connection, first, { ...changed, writing }));
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

/** The tables that the import changes, with how many rows of each it ends. */
async function changedTables(
  connection: DuckDBConnection,
  tables: readonly StoredTable[],
): Promise<{ table: StoredTable; ended: number }[]> {
  const counts = tables.map(
    (table) => `SELECT (SELECT count(*) FROM (${newRows(table)}))::DOUBLE AS added,
      (SELECT count(*) FROM (${endedRows(table)}))::DOUBLE AS ended`,
  );
  const read = await connection.runAndReadAll(counts.join(' UNION ALL '));
  const rows = read.getRows() as [added: number, ended: number][];
  return tables.flatMap((table, i) => {
    const [added, ended] = rows[i]!;
    return added + ended > 0 ? [{ table, ended }] : [];
  });
}

async function readChange(
  connection: DuckDBConnection,
  shard: Shard,
  { table, ended, writing }: { table: StoredTable; ended: number; writing: Writing },
): Promise<Change> {
  const { name } = table;
  const { import: number, signal } = writing;
  const sql = newRows(table);
  const added = await writeRows(connection, { shard, table: name, sql, import: number, signal });
  if (ended === 0) return { table, added, ended, removed: [] };
  const key = keyOf(table).here;
  const read = await connection.runAndReadAll(
    `SELECT ${key} FROM (${endedRows(table)}) WHERE ${key} NOT IN (SELECT ${key} FROM main.${name})`,
  );
  const removed = read.getRows().map(([one]) => one as number | string);
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
  const { where, parameters } = visible(before);
  const end = (keys: string, values = {}) =>
    first.run(
      `UPDATE ${name} SET gone = {number:UInt32} WHERE ${where} AND ${there} IN ${keys}`,
      { ...parameters, ...values, number },
      { signal },
    );
  if (ended > removed.length) await end(`(SELECT ${there} FROM ${name} WHERE import = {number:UInt32})`);
  const maxKeys = type === 'Int32' ? MAX_NUMBERS : MAX_TEXTS;
  for (let i = 0; i < removed.length; i += maxKeys)
    await end(`{keys:Array(${type})}`, { keys: removed.slice(i, i + maxKeys) });
}
