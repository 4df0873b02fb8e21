import { type DuckDBConnection, type DuckDBValue, INTEGER, VARCHAR } from '@duckdb/node-api';
import type { EntityType } from '../../../model/entity.js';
import type { IdRedirect, NewEntity, NewShape } from '../../store.js';
import { ENTITY_TABLES, parentsOf } from '../entity-tables.js';
import { type Columns, stageRows } from './stage-rows.js';

/**
 * Writes the entities and containment that differ from the store. Of several entities with one id, the last is used.
 * @returns the ids of new or changed entities
 */
export async function putEntities<Type extends EntityType>(
  connection: DuckDBConnection,
  type: Type,
  entities: readonly NewEntity<Type>[],
): Promise<number[]> {
  const { table, columns, toRow } = ENTITY_TABLES[type];
  const latest = [...new Map(entities.map((entity) => [entity.id, entity])).values()];
  await stageRows(connection, 'put_entity', { columns, rows: latest.map(toRow) });
  await connection.run(`CREATE OR REPLACE TEMP TABLE changed AS FROM temp.put_entity EXCEPT FROM ${table}`);
  const changed = await readIds(connection, 'SELECT id FROM temp.changed');
  if (changed.length > 0) {
    await connection.run(`DELETE FROM ${table} WHERE id IN (SELECT id FROM temp.changed)`);
    await connection.run(`INSERT INTO ${table} FROM temp.changed ORDER BY id`);
  }
  const edges = entities.flatMap((entity) => parentsOf(entity).map((parent) => [type, parent, entity.id]));
  return edges.length === 0 ? changed : [...new Set([...changed, ...(await putEdges(connection, edges))])];
}

/** Writes the containment that the store does not have. @returns the ids of the children, some repeatedly */
async function putEdges(
  connection: DuckDBConnection,
  edges: readonly (readonly DuckDBValue[])[],
): Promise<number[]> {
  await stageRows(connection, 'put_edge', { columns: EDGE_COLUMNS, rows: edges });
  await connection.run(`CREATE OR REPLACE TEMP TABLE new_edge AS FROM temp.put_edge EXCEPT FROM containment`);
  await connection.run('INSERT INTO containment FROM temp.new_edge ORDER BY ALL');
  return readIds(connection, 'SELECT child FROM temp.new_edge');
}

async function readIds(connection: DuckDBConnection, sql: string): Promise<number[]> {
  return (await connection.runAndReadAll(sql)).getRows().map(([id]) => id as number);
}

/** Replaces the shapes of these regions and details that differ from the store. */
export async function putShapes(connection: DuckDBConnection, shapes: readonly NewShape[]): Promise<void> {
  const latest = new Map(shapes.map((shape) => [`${shape.region_id} ${shape.detail}`, shape]));
  const rows = [...latest.values()].map(({ region_id, detail, geojson }) => [region_id, detail, geojson]);
  await stageRows(connection, 'put_shape', { columns: SHAPE_COLUMNS, rows });
  const changed = await connection.runAndReadAll(
    `CREATE OR REPLACE TEMP TABLE changed_shape AS
      FROM temp.put_shape ANTI JOIN shape USING (region_id, detail, geojson)`,
  );
  if (changed.getRows()[0]?.[0] === 0n) return;
  await connection.run(
    'DELETE FROM shape WHERE (region_id, detail) IN (SELECT (region_id, detail) FROM temp.changed_shape)',
  );
  await connection.run('INSERT INTO shape FROM temp.changed_shape ORDER BY region_id, detail');
}

/** Replaces the redirects of these old ids. */
export async function putIdRedirects(
  connection: DuckDBConnection,
  redirects: readonly IdRedirect[],
): Promise<void> {
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
