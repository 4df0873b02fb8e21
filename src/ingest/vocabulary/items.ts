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

/** Finds shared items by their name in `own` (`-`: none) or else their name, not by alias, which could merge items. */
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

export const itemId = requiredId(findItemId, 'item');
