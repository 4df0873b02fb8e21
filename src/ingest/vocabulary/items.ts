import type { NewEntity } from '../../store/store.js';
import items from './items.json' with { type: 'json' };
import { requiredId } from './required-id.js';

/** The items that importers share, so that corn is the same item in every source. Their ids never change. */
export const ITEMS: readonly NewEntity<'items'>[] = items;

const ID_BY_NAME: ReadonlyMap<string, number> = new Map(
  ITEMS.flatMap((item) =>
    [item.name, ...(item.aliases ?? [])].map((name) => [name.toLowerCase(), item.id] as const),
  ),
);

/**
 * Returns a function that maps a data set's names to the ids of shared items, ignoring case. A shared item is found by
 * its own name unless `own` has other names for it. Aliases are ignored, because they could merge two of the data set's
 * items into one series.
 * @param own the data set's own names, each mapped to the name of a shared item, or to `-` if it must not match any
 * @throws RangeError if a name maps to two items, which is an error in the code rather than in the data
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

/** Finds a shared item's id by name or alias, ignoring case. */
export function findItemId(name: string): number | undefined {
  return ID_BY_NAME.get(name.trim().toLowerCase());
}

/** Returns a shared item's id by name or alias. Throws if there is no such item. */
export const itemId = requiredId(findItemId, 'item');
