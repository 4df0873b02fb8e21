import type { DuckDBConnection } from '@duckdb/node-api';
import type { Entity, EntityType } from '../../../model/entity.js';
import { ENTITY_TABLES, IMPORT_TABLES, KEYS, type RowValue } from '../../schema/tables.js';
import type { ImportRecords, NewEntity, NewShape } from '../../store.js';
import { mapInTurns } from '../../turns.js';
import { engineColumns } from '../engine/library.js';
import { stageRows } from '../staging/stage-rows.js';
import { rowsInTurns } from './ranges.js';

export interface Written {
  /** The ids of new or changed entities, which may be repeated. */
  readonly ids: readonly number[];
  readonly hasReplaced: boolean;
}

type Edge = readonly [type: EntityType, parent: number, child: number];

export async function putEntities<Type extends EntityType>(
  connection: DuckDBConnection,
  type: Type,
  entities: readonly NewEntity<Type>[],
): Promise<Written> {
  const { table, toRow } = ENTITY_TABLES[type];
  const latest = new Map(entities.map((entity) => [entity.id, entity]));
  const rows = await mapInTurns([...latest.values()], toRow);
  const ofEach = (entity: NewEntity<Type>) =>
    parentsOf(entity).map((parent): Edge => [type, parent, entity.id]);
  const edges = (await mapInTurns(entities, ofEach)).flat();
  const written = await putRows(connection, table, rows);
  if (edges.length === 0) return written;
  await stageRows(connection, 'put_edge', {
    columns: engineColumns(IMPORT_TABLES.containment!),
    rows: edges,
  });
  return withChildren(written, await mergeEdges(connection, 'FROM temp.put_edge'));
}

const withChildren = ({ ids, hasReplaced }: Written, children: readonly number[]): Written => ({
  ids: [...ids, ...children],
  hasReplaced,
});

async function putRows(
  connection: DuckDBConnection,
  table: string,
  rows: readonly RowValue[][],
): Promise<Written> {
  if (rows.length === 0) return { ids: [], hasReplaced: false };
  await stageRows(connection, 'put', { columns: engineColumns(IMPORT_TABLES[table]!), rows });
  return mergeRows(connection, table, 'FROM temp.put');
}

/** Adds the rows of a query, which has one row per key, and replaces stored rows that differ. */
async function mergeRows(connection: DuckDBConnection, table: string, rows: string): Promise<Written> {
  const [columns, key] = [IMPORT_TABLES[table]!, KEYS[table]!];
  const differs = Object.keys(columns).map((name) => `${table}.${name} IS DISTINCT FROM put.${name}`);
  const isSame = key.map((name) => `${table}.${name} = put.${name}`);
  const deleting = `DELETE FROM ${table} USING (${rows}) AS put
    WHERE ${isSame.join(' AND ')} AND (${differs.join(' OR ')})`;
  const [first] = (await connection.runAndReadAll(`SELECT 1 FROM ${table} LIMIT 1`)).getRows();
  const deleted = first === undefined ? 0 : (await connection.run(deleting)).rowsChanged;
  const ids = await readIds(
    connection,
    `INSERT INTO ${table} FROM (${rows}) ANTI JOIN ${table} USING (${key}) ORDER BY ${key} RETURNING ${key[0]}`,
  );
  return { ids, hasReplaced: deleted > 0 };
}

/** Adds the parent–child pairs that the store lacks. @returns the children's ids, which may be repeated */
function mergeEdges(connection: DuckDBConnection, edges: string): Promise<number[]> {
  return readIds(
    connection,
    `INSERT INTO containment SELECT DISTINCT * FROM (${edges}) ANTI JOIN containment
      USING (entity_type, parent, child) ORDER BY ALL RETURNING child`,
  );
}

async function readIds(connection: DuckDBConnection, sql: string): Promise<number[]> {
  const ids: number[] = [];
  for await (const rows of rowsInTurns<[number]>(connection, sql)) for (const [id] of rows) ids.push(id);
  return ids;
}

export async function putShapes(connection: DuckDBConnection, shapes: readonly NewShape[]): Promise<Written> {
  const latest = new Map(shapes.map((shape) => [`${shape.region_id} ${shape.detail}`, shape]));
  const rows = [...latest.values()].map(({ region_id, detail, geojson }) => [region_id, detail, geojson]);
  return putRows(connection, 'shape', rows);
}

/** Reads regions and their containment relations from a file, and stores them as `putEntities` does. */
export async function putFileRegions(connection: DuckDBConnection, file: string): Promise<Written> {
  const made: Record<string, string> = {
    aliases: 'to_json(aliases)::VARCHAR AS aliases',
    identity: 'NULL AS identity',
  };
  const columns = Object.keys(ENTITY_TABLES.regions.columns).map((name) => made[name] ?? name);
  const written = await mergeRows(connection, 'region', `SELECT ${columns.join(', ')} FROM ${file}`);
  const edges = `SELECT 'regions' AS entity_type, unnest(belongs_to) AS parent, id AS child FROM ${file}`;
  return withChildren(written, await mergeEdges(connection, edges));
}

export function putFileShapes(connection: DuckDBConnection, file: string): Promise<Written> {
  const details = ['simple', 'full'].map(
    (detail) => `SELECT id AS region_id, '${detail}' AS detail, ${detail}_shape AS geojson FROM ${file}
      WHERE ${detail}_shape IS NOT NULL`,
  );
  return mergeRows(connection, 'shape', details.join(' UNION ALL '));
}

export async function putRecords(
  connection: DuckDBConnection,
  { imported, fetched, forgotten }: ImportRecords,
): Promise<void> {
  if (imported !== undefined) {
    const { dataset, importedMs } = imported;
    const sources = [...new Set(imported.sourceIds)].map((id) => [id, dataset, importedMs]);
    await putRows(connection, 'source_import', sources);
  }
  // A record without a date is the tombstone of a removed download.
  const removed = forgotten && { ...forgotten, settings: '', files: [], fetchedMs: null };
  for (const record of [removed, fetched]) {
    if (record === undefined) continue;
    const { dataset, request, settings, files, fetchedMs } = record;
    await putRows(connection, 'stored_fetch', [
      [dataset, request, settings, JSON.stringify(files), fetchedMs],
    ]);
  }
}

function parentsOf(entity: Omit<Entity, 'contains'>): readonly number[] {
  return 'belongsTo' in entity ? (entity.belongsTo as readonly number[]) : [];
}
