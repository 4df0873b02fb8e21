import type { EntityType } from '../model/entity.js';
import type { Store } from '../store/store.js';

const KEPT_NAMES = 200_000;

/** Names by id, and which regions are historical, read from the store as needed and forgotten when it changes. */
export class NameCache {
  #version = '';
  readonly #byType = new Map<EntityType, Map<number, string>>();
  readonly #historicalIds = new Set<number>();

  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** A map that holds the name of every one of `ids` that exists. */
  async of(type: EntityType, ids: Iterable<number>): Promise<ReadonlyMap<number, string>> {
    await this.#forgetWhenChanged();
    const names = this.#namesOf(type);
    const missing = [...new Set(ids)].filter((id) => !names.has(id));
    if (missing.length === 0) return names;
    for (const entity of await this.#store.lookup(type, missing)) {
      names.set(entity.id, entity.name);
      if ('historical' in entity && entity.historical) this.#historicalIds.add(entity.id);
    }
    return names;
  }

  /** A set that holds those of these regions that exist only in historical data. */
  async historicalRegions(ids: Iterable<number>): Promise<ReadonlySet<number>> {
    await this.of('regions', ids);
    return this.#historicalIds;
  }

  #namesOf(type: EntityType): Map<number, string> {
    const known = this.#byType.get(type);
    if (known !== undefined && known.size < KEPT_NAMES) return known;
    const names = new Map<number, string>();
    this.#byType.set(type, names);
    return names;
  }

  async #forgetWhenChanged(): Promise<void> {
    const version = await this.#store.version();
    if (version === this.#version) return;
    this.#byType.clear();
    this.#historicalIds.clear();
    this.#version = version;
  }
}
