import type { EntityType } from '../../model/entity.js';
import type { StoreReader } from '../../store/store.js';
import { perVersion } from './per-version.js';

const MAX_NAMES = 200_000;

interface CachedNames {
  readonly byType: Map<EntityType, Map<number, string>>;
  readonly historicalRegions: Set<number>;
}

/** Names by id, and which regions are historical, read from the store on demand. */
export class NameCache {
  readonly #store: StoreReader;
  readonly #cached: () => Promise<CachedNames>;

  constructor(store: StoreReader) {
    this.#store = store;
    this.#cached = perVersion(store, async () => ({ byType: new Map(), historicalRegions: new Set() }));
  }

  /** A map that contains the names of all existing entities of `ids`, and possibly others. */
  async of(type: EntityType, ids: Iterable<number>): Promise<ReadonlyMap<number, string>> {
    return (await this.#load(type, ids)).names;
  }

  /** A set that contains all historical regions of `ids`, and possibly others. */
  async historicalRegions(ids: Iterable<number>): Promise<ReadonlySet<number>> {
    return (await this.#load('regions', ids)).historicalRegions;
  }

  async #load(type: EntityType, ids: Iterable<number>) {
    const { byType, historicalRegions } = await this.#cached();
    const names = namesOfType(byType, type);
    const missing = [...new Set(ids)].filter((id) => !names.has(id));
    const entities = missing.length === 0 ? [] : await this.#store.lookup(type, missing);
    for (const entity of entities) {
      names.set(entity.id, entity.name);
      if ('historical' in entity && entity.historical) historicalRegions.add(entity.id);
    }
    return { names, historicalRegions };
  }
}

function namesOfType(byType: CachedNames['byType'], type: EntityType): Map<number, string> {
  const cached = byType.get(type);
  if (cached !== undefined && cached.size < MAX_NAMES) return cached;
  const names = new Map<number, string>();
  byType.set(type, names);
  return names;
}
