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

/**
 * Writes the entities and containment that differ from the store. Of several entities with one id, the last is used. They are
 * compared here: most imports change none, and to read the stored ones takes less time than to stage others.
 */
export async function putEntities<Type extends EntityType>(
  connection: DuckDBConnection,
  type: Type,
  entities: readonly NewEntity<Type>[],
): Promise<Written> {
  const { table, columns, toRow } = ENTITY_TABLES[type];
  const latest = new Map(entities.map((entity) => [entity.id, entity]));
  const rows = await changedRows(connection, table, await mapInTurns([...latest.values()], toRow));
  let hasReplaced = false;
  if (rows.length > 0) {
    await stageRows(connection, 'put_entity', { columns, rows });
    const deleted = await connection.run(`DELETE FROM ${table} WHERE id IN (SELECT id FROM temp.put_entity)`);
    await connection.run(`INSERT INTO ${table} FROM temp.put_entity ORDER BY id`);
    hasReplaced = deleted.rowsChanged > 0;
  }
  const edges = await newEdges(connection, type, entities);
  if (edges.length > 0) {
    await stageRows(connection, 'put_edge', { columns: EDGE_COLUMNS, rows: edges });
    await connection.run('INSERT INTO containment FROM temp.put_edge ORDER BY ALL');
  }
  const ids = [...rows.map(([id]) => id as number), ...edges.map(([, , child]) => child)];
  return { ids, hasReplaced };
}

/** The rows without those that the store has. */
async function changedRows(
  connection: DuckDBConnection,
  table: string,
  rows: readonly EntityRow[],
): Promise<readonly EntityRow[]> {
  if (rows.length === 0) return rows;
  const stored = new Map<DuckDBValue, EntityRow>();
  const sql = `FROM ${table} WHERE id IN (${rows.map(([id]) => id).join(', ')})`;
  for await (const some of rowsInTurns<EntityRow>(connection, sql))
    for (const row of some) stored.set(row[0]!, row);
  const isChanged = await mapInTurns(rows, (row) => {
    const before = stored.get(row[0]!);
    return before === undefined || row.some((value, column) => !Object.is(value, before[column]));
  });
  return rows.filter((_, i) => isChanged[i]);
}

/** The containment of entities that the store does not have, each pair once. */
async function newEdges<Type extends EntityType>(
  connection: DuckDBConnection,
  type: Type,
  entities: readonly NewEntity<Type>[],
): Promise<Edge[]> {
  const contained = entities.filter((entity) => parentsOf(entity).length > 0);
  if (contained.length === 0) return [];
  const known = new Set<string>();
  const sql = `SELECT parent || ' ' || child FROM containment
    WHERE entity_type = '${type}' AND child IN (${contained.map(({ id }) => id).join(', ')})`;
  for await (const rows of rowsInTurns<[string]>(connection, sql)) for (const [pair] of rows) known.add(pair);
  const edges = await mapInTurns(contained, (entity) =>
    parentsOf(entity).flatMap((parent): Edge[] => {
      const pair = `${parent} ${entity.id}`;
      if (known.has(pair)) return [];
      known.add(pair);
      return [[type, parent, entity.id]];
    }),
  );
  return edges.flat();
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
