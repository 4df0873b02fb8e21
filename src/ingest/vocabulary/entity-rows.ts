import type { NewEntity } from '../../store/store.js';

/** A row of a metric or an item; aliases are separated by `|`. */
export type EntityRow = readonly [
  id: number,
  name: string,
  belongsTo: number | null,
  definition: string,
  aliases?: string,
];

/** The entities of a table's rows. */
export function toEntities(rows: readonly EntityRow[]): readonly NewEntity<'metrics' | 'items'>[] {
  return rows.map(([id, name, belongsTo, definition, aliases]) => ({
    id,
    name,
    definition,
    belongsTo: belongsTo === null ? [] : [belongsTo],
    aliases: aliases?.split('|') ?? [],
  }));
}
