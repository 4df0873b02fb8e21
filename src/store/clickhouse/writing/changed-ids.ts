import type { EntityType } from '../../../model/entity.js';
import { type IdChange, SERIES_FIELDS_BY_TYPE } from '../../id-change.js';
import type { Cluster } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { imported, NOT_GONE, visible } from '../engine/snapshot.js';
import { columnsOf } from '../tables.js';
import type { Writing } from './difference.js';

/** What the stored ids of each type become in the end. */
export class ChangedIds {
  readonly #byType = new Map<EntityType, Map<number, number>>();

  add({ type, from, to }: IdChange): void {
    const ids = this.#byType.get(type) ?? new Map<number, number>();
    this.#byType.set(type, ids);
    const stored = [...ids].find(([, now]) => now === from)?.[0];
    if (stored !== undefined) ids.set(stored, to);
    else if (!ids.has(from)) ids.set(from, to);
  }

  get isEmpty(): boolean {
    return this.#byType.size === 0;
  }

  /** The old and the new ids of a type, where they differ. */
  of(type: EntityType): { from: number[]; to: number[] } {
    const changed = [...(this.#byType.get(type) ?? [])].filter(([from, to]) => from !== to);
    return { from: changed.map(([from]) => from), to: changed.map(([, to]) => to) };
  }
}

/** A column that holds ids of a type. */
interface IdColumn {
  readonly column: string;
  readonly type: EntityType;
}

const SERIES_IDS: readonly IdColumn[] = [
  ...Object.entries(SERIES_FIELDS_BY_TYPE).flatMap(([type, fields]) =>
    fields.map((column) => ({ column, type: type as EntityType })),
  ),
  { column: 'unit_id', type: 'units' },
];

const UNIT_ID: readonly IdColumn[] = [{ column: 'unit_id', type: 'units' }];

/**
 * Gives stored series and points their new ids, under a number of their own: the points of the import that changes the ids
 * are merged with what this leaves. What is small was changed in the workspace.
 */
export async function changeStoredIds(
  { first, shards }: Cluster,
  changed: ChangedIds,
  writing: Writing,
): Promise<void> {
  await changeTable(first, 'series', { ids: SERIES_IDS, changed, writing });
  await changeTable(first, 'series_unit', { ids: UNIT_ID, changed, writing });
  await Promise.all(shards.map((shard) => changeTable(shard, 'point', { ids: UNIT_ID, changed, writing })));
}

const DATES = 'series, start_date, end_date, reporting_date, available_date';

async function changeTable(
  shard: Shard,
  name: string,
  { ids, changed, writing }: { ids: readonly IdColumn[]; changed: ChangedIds; writing: Writing },
): Promise<void> {
  const { import: number, before, signal } = writing;
  const found = ids
    .map(({ column, type }) => ({ column, ...changed.of(type) }))
    .filter(({ from }) => from.length > 0);
  if (found.length === 0) return;
  const seen = visible(before);
  const parameters = {
    ...seen.parameters,
    number,
    ...Object.fromEntries(
      found.flatMap(({ column, from, to }) => [
        [`from_${column}`, from],
        [`to_${column}`, to],
      ]),
    ),
  };
  const isChanged = `(${found.map(({ column }) => `${column} IN {from_${column}:Array(Int32)}`).join(' OR ')})`;
  const columns = columnsOf(name);
  const values = columns.map((column) =>
    found.some((one) => one.column === column)
      ? `transform(t.${column}, {from_${column}:Array(Int32)}, {to_${column}:Array(Int32)}, t.${column})`
      : `t.${column}`,
  );
  // A point that was superseded gets its new unit too; of those with the same dates the last is true.
  const rows =
    name === 'point'
      ? `(SELECT * FROM point WHERE ${imported(before).where} ORDER BY ${DATES}, import DESC LIMIT 1 BY ${DATES})`
      : name;
  const kept = name === 'point' ? 'true' : seen.where;
  await shard.run(
    `INSERT INTO ${name} (${columns.join(', ')}, import, gone)
     SELECT ${values.join(', ')}, {number:UInt32}, if(${seen.where}, ${NOT_GONE}, {number:UInt32})
     FROM ${rows} AS t WHERE ${isChanged} AND ${kept}`,
    parameters,
    { signal },
  );
  const end = `UPDATE ${name} SET gone = {number:UInt32} WHERE ${seen.where} AND ${isChanged}`;
  await shard.run(end, parameters, { signal });
}
