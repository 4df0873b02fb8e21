import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import { type IdChange, SERIES_FIELDS_BY_TYPE } from '../../id-change.js';
import { ENTITY_TABLES } from '../entity-tables.js';
import { HISTORY_TABLE } from '../point-tables.js';
import { readPointTables } from '../tables/divided-points.js';
import { putIdRedirects } from './entities.js';

interface Reference {
  readonly table: string;
  readonly column: string;
  readonly where?: string | undefined;
}

/**
 * Replaces an entity's id in every table. Redirects to the old id then point to the new one. When `addRedirect` is set,
 * the old id redirects too.
 * @throws StoreError when the new id is taken
 */
export async function changeEntityId(
  connection: DuckDBConnection,
  change: IdChange,
  { addRedirect }: { addRedirect: boolean },
): Promise<void> {
  const { type, from, to } = change;
  const { table } = ENTITY_TABLES[type];
  const taken = await connection.runAndReadAll(`SELECT name FROM ${table} WHERE id = ?`, [to]);
  if (taken.currentRowCount > 0) {
    throw new StoreError(`${table} ${from} cannot get the id ${to}: "${taken.getRows()[0]![0]}" has it`);
  }
  const points = type === 'units' ? [HISTORY_TABLE, ...(await namesOfPointTables(connection))] : [];
  const ofPoints: Reference[] = points.map((table) => ({ table, column: 'unit_id' }));
  for (const reference of [...referencesTo(change), ...ofPoints]) {
    const { column, where = 'true' } = reference;
    const sql = `UPDATE ${reference.table} SET ${column} = ? WHERE ${column} = ? AND ${where}`;
    await connection.run(sql, [to, from]);
  }
  if (!addRedirect) return;
  const fields = SERIES_FIELDS_BY_TYPE[type];
  await putIdRedirects(
    connection,
    fields.map((field) => ({ field, oldId: from, newId: to, sourceId: null })),
  );
}

async function namesOfPointTables(connection: DuckDBConnection): Promise<string[]> {
  return (await readPointTables(connection)).map(({ name }) => name);
}

function referencesTo({ type }: IdChange): Reference[] {
  const fields = SERIES_FIELDS_BY_TYPE[type];
  const ofType = `entity_type = '${type}'`;
  return [
    { table: ENTITY_TABLES[type].table, column: 'id' },
    { table: 'containment', column: 'parent', where: ofType },
    { table: 'containment', column: 'child', where: ofType },
    ...fields.flatMap((field) => [
      { table: 'series', column: field },
      { table: 'moved_id', column: 'new_id', where: `field = '${field}'` },
    ]),
    ...OTHER_REFERENCES[type],
  ];
}

const OTHER_REFERENCES: { readonly [Type in IdChange['type']]: readonly Reference[] } = {
  metrics: [],
  items: [],
  frequencies: [],
  regions: [{ table: 'shape', column: 'region_id' }],
  sources: [{ table: 'moved_id', column: 'source_id' }],
  units: ['series', 'series_unit'].map((table) => ({
    table,
    column: 'unit_id',
  })),
};
