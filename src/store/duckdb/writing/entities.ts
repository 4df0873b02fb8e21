import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { EntityType } from '../../../model/entity.js';
import type { IdRedirect, ImportRecords, NewEntity, NewShape } from '../../store.js';
import { mapInTurns } from '../../turns.js';
import { INTEGER, VARCHAR } from '../engine/library.js';
import { ENTITY_TABLES, parentsOf } from '../entity-tables.js';
import { type Columns, stageRows } from '../staging/stage-rows.js';
import { rowsInTurns } from './ranges.js';

/** The changes of a batch. */
interface Written {
  /** The ids of new or changed entities. */
  readonly ids: readonly number[];
  /** Whether stored entities were replaced by different ones. */
  readonly hasReplaced: boolean;
}

type EntityRow = readonly DuckDBValue[];
type Edge = readonly [type: EntityType, parent: number, child: number];

/** Writes the entities and containment that differ from the store. Of several entities with one id, the last is used. */
export async function putEntities<Type extends EntityType>(
  connection: DuckDBConnection,
  type: Type,
  entities: readonly NewEntity<Type>[],
): Promise<Written> {
  const { toRow } = ENTITY_TABLES[type];
  const latest = new Map(entities.map((entity) => [entity.id, entity]));
  const rows = await mapInTurns([...latest.values()], toRow);
  const ofEach = (entity: NewEntity<Type>) =>
    parentsOf(entity).map((parent): Edge => [type, parent, entity.id]);
  const edges = (await mapInTurns(entities, ofEach)).flat();
  const isSmall = latest.size <= MAX_COMPARED_HERE;
  const written = await putRows(connection, type, isSmall ? await newRows(connection, type, rows) : rows);
  const children = await putEdges(connection, isSmall ? await newEdges(connection, edges) : edges);
  return { ...written, ids: [...new Set([...written.ids, ...children])] };
}

/**
 * Rows of as many entities are compared here, because each statement takes longer than that; more by the engine: 34,000 stations
 * take twice the processor time here.
 */
const MAX_COMPARED_HERE = 256;

/** The rows without those that the store has; some that it has may be left. */
async function newRows(
  connection: DuckDBConnection,
  type: EntityType,
  rows: readonly EntityRow[],
): Promise<readonly EntityRow[]> {
  if (rows.length === 0) return rows;
  const ids = rows.map(([id]) => id).join(', ');
  const sql = `FROM ${ENTITY_TABLES[type].table} WHERE id IN (${ids})`;
  const stored = (await connection.runAndReadAll(sql)).getRows();
  const byId = new Map(stored.map((row) => [row[0], row]));
  return rows.filter((row) => {
    const storedRow = byId.get(row[0]!);
    return storedRow === undefined || row.some((value, column) => value !== storedRow[column]);
  });
}

/** The edges without those that the store has. */
async function newEdges(connection: DuckDBConnection, edges: readonly Edge[]): Promise<readonly Edge[]> {
  if (edges.length === 0) return edges;
  const children = [...new Set(edges.map(([, , child]) => child))].join(', ');
  const sql = `SELECT parent || ' ' || child FROM containment
    WHERE entity_type = '${edges[0]![0]}' AND child IN (${children})`;
  const stored = new Set((await connection.runAndReadAll(sql)).getRows().map(([pair]) => pair));
  return edges.filter(([, parent, child]) => !stored.has(`${parent} ${child}`));
}

async function putRows(
  connection: DuckDBConnection,
  type: EntityType,
  rows: readonly EntityRow[],
): Promise<Written> {
  if (rows.length === 0) return { ids: [], hasReplaced: false };
  const { table, columns } = ENTITY_TABLES[type];
  await stageRows(connection, 'put_entity', { columns, rows });
  await connection.run(`CREATE OR REPLACE TEMP TABLE changed AS
    FROM temp.put_entity EXCEPT FROM ${table} WHERE id IN (SELECT id FROM temp.put_entity)`);
  const ids = await readIds(connection, 'SELECT id FROM temp.changed');
  if (ids.length === 0) return { ids, hasReplaced: false };
  const deleted = await connection.run(`DELETE FROM ${table} WHERE id IN (SELECT id FROM temp.changed)`);
  await connection.run(`INSERT INTO ${table} FROM temp.changed ORDER BY id`);
  return { ids, hasReplaced: deleted.rowsChanged > 0 };
}

/** Writes the containment that the store does not have. @returns the ids of the children, some repeatedly */
async function putEdges(connection: DuckDBConnection, edges: readonly Edge[]): Promise<number[]> {
  if (edges.length === 0) return [];
  await stageRows(connection, 'put_edge', { columns: EDGE_COLUMNS, rows: edges });
  await connection.run(`CREATE OR REPLACE TEMP TABLE new_edge AS
    FROM temp.put_edge EXCEPT FROM containment WHERE entity_type = '${edges[0]![0]}'`);
  await connection.run('INSERT INTO containment FROM temp.new_edge ORDER BY ALL');
  return readIds(connection, 'SELECT child FROM temp.new_edge');
}

async function readIds(connection: DuckDBConnection, sql: string): Promise<number[]> {
  const ids: number[] = [];
  for await (const rows of rowsInTurns<[number]>(connection, sql)) for (const [id] of rows) ids.push(id);
  return ids;
}

/** Replaces the shapes of these regions and details that differ from the store. @returns whether it replaced any */
export async function putShapes(connection: DuckDBConnection, shapes: readonly NewShape[]): Promise<boolean> {
  const latest = new Map(shapes.map((shape) => [`${shape.region_id} ${shape.detail}`, shape]));
  const rows = [...latest.values()].map(({ region_id, detail, geojson }) => [region_id, detail, geojson]);
  await stageRows(connection, 'put_shape', { columns: SHAPE_COLUMNS, rows });
  const changed = await connection.runAndReadAll(
    `CREATE OR REPLACE TEMP TABLE changed_shape AS
      FROM temp.put_shape ANTI JOIN shape USING (region_id, detail, geojson)`,
  );
  if (changed.getRows()[0]?.[0] === 0n) return false;
  const deleted = await connection.run(
    'DELETE FROM shape WHERE (region_id, detail) IN (SELECT (region_id, detail) FROM temp.changed_shape)',
  );
  await connection.run('INSERT INTO shape FROM temp.changed_shape ORDER BY region_id, detail');
  return deleted.rowsChanged > 0;
}

/** Replaces the redirects of these old ids. */
async function putIdRedirects(connection: DuckDBConnection, redirects: readonly IdRedirect[]): Promise<void> {
  const latest = new Map(redirects.map((one) => [`${one.field} ${one.oldId} ${one.sourceId}`, one]));
  const rows = [...latest.values()].map(({ field, oldId, newId, sourceId }) => [
    field,
    oldId,
    newId,
    sourceId,
  ]);
  await stageRows(connection, 'put_redirect', { columns: REDIRECT_COLUMNS, rows });
  await connection.run(`DELETE FROM moved_id USING temp.put_redirect AS put WHERE moved_id.field = put.field
    AND moved_id.old_id = put.old_id AND moved_id.source_id IS NOT DISTINCT FROM put.source_id`);
  await connection.run('INSERT INTO moved_id FROM temp.put_redirect');
}

const EDGE_COLUMNS: Columns = [
  ['entity_type', VARCHAR],
  ['parent', INTEGER],
  ['child', INTEGER],
];

const SHAPE_COLUMNS: Columns = [
  ['region_id', INTEGER],
  ['detail', VARCHAR],
  ['geojson', VARCHAR],
];

const REDIRECT_COLUMNS: Columns = [
  ['field', VARCHAR],
  ['old_id', INTEGER],
  ['new_id', INTEGER],
  ['source_id', INTEGER],
];

/** Records the facts of an import. */
export async function putRecords(
  connection: DuckDBConnection,
  { redirects = [], imported, fetched, forgotten = fetched }: ImportRecords,
): Promise<void> {
  if (redirects.length > 0) await putIdRedirects(connection, redirects);
  for (const id of imported?.sourceIds ?? []) {
    const { dataset, importedMs } = imported!;
    await connection.run('DELETE FROM source_import WHERE source_id = $1', [id]);
    await connection.run('INSERT INTO source_import VALUES ($1, $2, $3)', [id, dataset, importedMs]);
  }
  if (forgotten !== undefined) {
    const { dataset, request } = forgotten;
    await connection.run('DELETE FROM stored_fetch WHERE dataset = ? AND request = ?', [dataset, request]);
  }
  if (fetched === undefined) return;
  const { dataset, request, settings, files, fetchedMs } = fetched;
  const row = [dataset, request, settings, JSON.stringify(files), fetchedMs];
  await connection.run('INSERT INTO stored_fetch VALUES (?, ?, ?, ?, ?)', row);
}
