import type { NewEntity } from '../../store/store.js';
import items from './items.json' with { type: 'json' };
import { requiredId } from './required-id.js';

/** The items that importers share, so that corn of every source is one item. Their ids never change. */
export const ITEMS: readonly NewEntity<'items'>[] = items;

const ID_BY_NAME: ReadonlyMap<string, number> = new Map(
  ITEMS.flatMap((item) =>
    [item.name, ...(item.aliases ?? [])].map((name) => [name.toLowerCase(), item.id] as const),
  ),
);

/**
 * Returns a function that maps the names of one data set to shared items, ignoring case. An item has its own name
 * unless the data set has other names for it. Aliases are ignored, because two names of a data set would become one
 * series.
 * @param own the data set's names with their items: several names for an item that the data set renamed, and `-` for an
 * item that it does not have
 * @throws RangeError when a name means two items, which is an error in the code and not in the data
 */
export function itemsByName(own: Readonly<Record<string, string>>): (name: string) => number | undefined {
  const renamed = new Map(Object.entries(own));
  const others = new Set(renamed.values());
  const same = ITEMS.filter(({ name }) => !others.has(name)).map(({ name }) => [name, name] as const);
  const ids = new Map<string, number>();
  for (const [text, item] of [...renamed, ...same]) {
    const name = text.toLowerCase();
    if (ids.has(name)) throw new RangeError(`"${text}" means two items`);
    if (name !== '-') ids.set(name, itemId(item));
  }
  return (name) => ids.get(name.trim().toLowerCase());
}

/** Finds the id of a shared item by its name or an alias, ignoring case. */
export function findItemId(name: string): number | undefined {
  return ID_BY_NAME.get(name.trim().toLowerCase());
}

/** Returns the id of a shared item by its name or an alias. */
export const itemId = requiredId(findItemId, 'item');
