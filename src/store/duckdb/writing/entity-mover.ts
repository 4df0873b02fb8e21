import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import { type EntityMove, SERIES_FIELDS_OF } from '../../entity-move.js';
import { ENTITY_TABLES } from '../entity-tables.js';
import { putIdRedirects } from './entity-writer.js';

interface Reference {
  readonly table: string;
  readonly column: string;
  readonly where?: string | undefined;
}

/**
 * Gives an entity its new id wherever the tables name it. Older moves to the old id lead to the new one from then on, and
 * where the old id `wasKnown` outside, it becomes a moved id itself.
 * @throws StoreError when the new id is taken
 */
export async function moveEntity(
  connection: DuckDBConnection,
  move: EntityMove,
  { wasKnown }: { wasKnown: boolean },
): Promise<void> {
  const { type, from, to } = move;
  const { table } = ENTITY_TABLES[type];
  const taken = await connection.runAndReadAll(`SELECT name FROM ${table} WHERE id = ?`, [to]);
  if (taken.currentRowCount > 0) {
    throw new StoreError(`${table} ${from} cannot move to ${to}, which is "${taken.getRows()[0]![0]}"`);
  }
  for (const reference of referencesTo(move)) {
    const { column, where = 'true' } = reference;
    const sql = `UPDATE ${reference.table} SET ${column} = ? WHERE ${column} = ? AND ${where}`;
    await connection.run(sql, [to, from]);
  }
  if (!wasKnown) return;
  const fields = SERIES_FIELDS_OF[type];
  await putIdRedirects(
    connection,
    fields.map((field) => ({ field, oldId: from, newId: to, sourceId: null })),
  );
}

function referencesTo({ type }: EntityMove): Reference[] {
  const fields = SERIES_FIELDS_OF[type];
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

const OTHER_REFERENCES: { readonly [Type in EntityMove['type']]: readonly Reference[] } = {
  metrics: [],
  items: [],
  frequencies: [],
  regions: [{ table: 'shape', column: 'region_id' }],
  sources: [{ table: 'moved_id', column: 'source_id' }],
  units: ['series', 'series_unit', 'point', 'point_history'].map((table) => ({ table, column: 'unit_id' })),
};
