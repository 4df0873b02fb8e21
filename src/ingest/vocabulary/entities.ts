import type { NewEntity } from '../../store/store.js';
import items from './items.json' with { type: 'json' };
import metrics from './metrics.json' with { type: 'json' };
import sources from './sources.json' with { type: 'json' };

/** Returns a function that finds ids for names that occur in code, and throws a RangeError for unknown names. */
export function requiredId(find: (name: string) => number | undefined, what: string) {
  return (name: string): number => {
    const id = find(name);
    if (id === undefined) throw new RangeError(`there is no ${what} "${name}"`);
    return id;
  };
}

/** The sources of the data sets that the package can import. Their ids never change. */
export const SOURCES = sources satisfies Readonly<Record<string, NewEntity<'sources'>>>;

/** The metrics that importers share. Their ids never change. Importers add the metrics that only their data set has. */
export const METRICS: readonly NewEntity<'metrics'>[] = metrics;

const METRIC_IDS: ReadonlyMap<string, number> = new Map(METRICS.map((metric) => [metric.name, metric.id]));

export const metricId = requiredId((name) => METRIC_IDS.get(name), 'metric');

/** The items that importers share, so that corn is the same item in every source. Their ids never change. */
export const ITEMS: readonly NewEntity<'items'>[] = items;

const ITEM_IDS: ReadonlyMap<string, number> = new Map(
  ITEMS.flatMap((item) =>
    [item.name, ...(item.aliases ?? [])].map((name) => [name.toLowerCase(), item.id] as const),
  ),
);

/** Creates a lookup of items by name, not alias, as aliases could merge items. `own` overrides names (`-`: no name). */
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
  return ITEM_IDS.get(name.trim().toLowerCase());
}

export const itemId = requiredId(findItemId, 'item');
