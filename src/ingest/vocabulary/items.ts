import type { NewEntity } from '../../store/store.js';
import items from './items.json' with { type: 'json' };

/** The items that importers share, so that corn of every source is one item; ids never change. */
export const ITEMS: readonly NewEntity<'items'>[] = items;

const ID_BY_NAME: ReadonlyMap<string, number> = new Map(
  ITEMS.flatMap((item) =>
    [item.name, ...(item.aliases ?? [])].map((name) => [name.toLowerCase(), item.id] as const),
  ),
);

/**
 * The shared items by the names of one data set, in lower case: an item's own name, unless the data set has other names for
 * it. An alias is no name of a data set: two of its names would become one series.
 * @param own the data set's names by item; several where the data set has renamed it
 * @throws RangeError when a name means two items, which is an error in the code and not in the data
 */
export function itemsByName(
  own: Readonly<Record<string, readonly string[]>>,
): (name: string) => number | undefined {
  const ids = new Map<string, number>();
  for (const { id, name } of ITEMS) {
    for (const text of Object.hasOwn(own, name) ? own[name]! : [name]) {
      const key = text.toLowerCase();
      if (ids.has(key)) throw new RangeError(`"${text}" means two items`);
      ids.set(key, id);
    }
  }
  return (name) => ids.get(name.trim().toLowerCase());
}

/** The id of a shared item by its name or an alias, in any case; undefined when there is none. */
export function findItemId(name: string): number | undefined {
  return ID_BY_NAME.get(name.trim().toLowerCase());
}

/**
 * The id of a shared item by its name or an alias.
 * @throws RangeError when there is none, which is an error in the code and not in the data
 */
export function itemId(name: string): number {
  const id = findItemId(name);
  if (id === undefined) throw new RangeError(`there is no item "${name}"`);
  return id;
}
