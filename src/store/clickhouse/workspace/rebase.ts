import type { DuckDBConnection } from '@duckdb/node-api';
import { ENTITY_TABLES } from '../../duckdb/entity-tables.js';
import type { BatchKind } from '../../duckdb/writing/known-batches.js';
import { readNumber, runAll } from '../../duckdb/writing/ranges.js';
import type { Cluster } from '../engine/cluster.js';
import type { Snapshot } from '../engine/snapshot.js';
import { createTables, loadShapes, loadTables, STORED } from './load-tables.js';
import { KNOWN_BATCH, keyOf, SHAPE, SMALL_TABLES, type StoredTable } from './stored-tables.js';

/** The schema of the workspace with the rows of the cluster as other imports have left them. */
const LATER = 'later';

/** What other imports and this one did to the same kinds of rows. */
export interface Overlap {
  /** Kinds of which others have replaced or removed rows that this import began with. */
  readonly changedByOthers: ReadonlySet<BatchKind>;
  /** Kinds of which this import replaces or removes rows that others have added or changed. */
  readonly overridden: ReadonlySet<BatchKind>;
}

interface RebaseOptions {
  readonly snapshot: Snapshot;
  /** Regions whose shapes are loaded. */
  readonly shapeIds: readonly number[];
  readonly signal: AbortSignal | undefined;
}

/**
 * Brings what other imports have committed since this one began into the workspace. A row is as they left it, unless this
 * import changes it.
 */
export async function rebase(
  connection: DuckDBConnection,
  cluster: Cluster,
  { snapshot, shapeIds, signal }: RebaseOptions,
): Promise<Overlap> {
  await runAll(connection, createTables(LATER));
  const tables = [...SMALL_TABLES, KNOWN_BATCH];
  await loadTables(connection, cluster, { tables, snapshot, schema: LATER, signal });
  await loadShapes(connection, cluster, { ids: shapeIds, snapshot, schema: LATER, signal });
  const changedByOthers = new Set<BatchKind>();
  const overridden = new Set<BatchKind>();
  for (const table of [...SMALL_TABLES, SHAPE]) {
    const kind = KINDS.get(table.name);
    const changed = await mergeTable(connection, table);
    if (kind !== undefined && changed.byOthers > 0) changedByOthers.add(kind);
    if (kind !== undefined && changed.overridden > 0) overridden.add(kind);
  }
  await replaceStored(connection, KNOWN_BATCH);
  return { changedByOthers, overridden };
}

const KINDS = new Map<string, BatchKind>([
  ...Object.entries(ENTITY_TABLES).map(([type, { table }]) => [table, type as BatchKind] as const),
  ['shape', 'shapes'],
]);

async function mergeTable(
  connection: DuckDBConnection,
  table: StoredTable,
): Promise<{ byOthers: number; overridden: number }> {
  const { name } = table;
  const columns = table.columns.join(', ');
  const { here } = keyOf(table);
  const byOthers = await countExcept(connection, `${STORED}.${name}`, `${LATER}.${name}`);
  await runAll(connection, [
    `CREATE OR REPLACE TEMP TABLE mine AS SELECT ${columns} FROM main.${name} EXCEPT FROM ${STORED}.${name}`,
    `CREATE OR REPLACE TEMP TABLE mine_key AS SELECT ${here} AS key FROM temp.mine
     UNION (SELECT ${here} FROM ${STORED}.${name} EXCEPT SELECT ${here} FROM main.${name})`,
    `DELETE FROM main.${name}`,
    `INSERT INTO main.${name} FROM temp.mine
     UNION ALL SELECT ${columns} FROM ${LATER}.${name} WHERE ${here} NOT IN (SELECT key FROM temp.mine_key)`,
  ]);
  const overridden = await countExcept(connection, `${LATER}.${name}`, `main.${name}`);
  await replaceStored(connection, table);
  return { byOthers, overridden };
}

async function replaceStored(connection: DuckDBConnection, { name }: StoredTable): Promise<void> {
  await runAll(connection, [
    `DELETE FROM ${STORED}.${name}`,
    `INSERT INTO ${STORED}.${name} FROM ${LATER}.${name}`,
  ]);
}

function countExcept(connection: DuckDBConnection, a: string, b: string): Promise<number> {
  return readNumber(connection, `SELECT count(*)::DOUBLE FROM (FROM ${a} EXCEPT FROM ${b})`);
}

/**
 * Merges the batches that this import knows, which are in `known_batch`, with those of the cluster. A batch is true only of
 * rows that are as it put them: it is forgotten where this import and others touch the same kind.
 * @param begun the digests with which this import began
 */
export async function mergeKnownBatches(
  connection: DuckDBConnection,
  { begun, overlap }: { begun: ReadonlySet<string>; overlap: Overlap },
): Promise<void> {
  const read = async (table: string) =>
    (await connection.runAndReadAll(`SELECT digest, kinds FROM ${table}`)).getRows() as [string, string][];
  const [mine, theirs] = [await read('main.known_batch'), await read(`${STORED}.known_batch`)];
  const touches = (kinds: string, touched: ReadonlySet<BatchKind>) =>
    kinds.split(' ').some((kind) => touched.has(kind as BatchKind));
  const known = new Set(mine.map(([digest]) => digest));
  const merged = new Map([
    ...theirs.filter(
      ([digest, kinds]) => (known.has(digest) || !begun.has(digest)) && !touches(kinds, overlap.overridden),
    ),
    ...mine.filter(([digest, kinds]) => !begun.has(digest) && !touches(kinds, overlap.changedByOthers)),
  ]);
  await connection.run('DELETE FROM main.known_batch');
  for (const [digest, kinds] of merged)
    await connection.run('INSERT INTO main.known_batch VALUES (?, ?)', [digest, kinds]);
}
