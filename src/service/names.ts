import type { EntityType } from '../model/entity.js';
import type { Store } from '../store/store.js';

const KEPT_NAMES = 200_000;

/** Names by id, read from the store as they are needed and forgotten when the store changes. */
export class NameCache {
  private version = '';
  private readonly byType = new Map<EntityType, Map<number, string>>();

  constructor(private readonly store: Store) {}

  /** A map that holds the name of every one of `ids` that exists. */
  async of(type: EntityType, ids: Iterable<number>): Promise<ReadonlyMap<number, string>> {
    await this.forgetWhenChanged();
    const names = this.namesOf(type);
    const missing = [...new Set(ids)].filter((id) => !names.has(id));
    if (missing.length > 0) {
      for (const entity of await this.store.lookup(type, missing)) names.set(entity.id, entity.name);
    }
    return names;
  }

  private namesOf(type: EntityType): Map<number, string> {
    const known = this.byType.get(type);
    if (known !== undefined && known.size < KEPT_NAMES) return known;
    const names = new Map<number, string>();
    this.byType.set(type, names);
    return names;
  }

  private async forgetWhenChanged(): Promise<void> {
    const version = await this.store.version();
    if (version !== this.version) this.byType.clear();
    this.version = version;
  }
}
