import type { EntityType } from '../../model/entity.js';
import { SERIES_KEY_TYPES, type SeriesKey } from '../../model/series.js';
import type { StoreReader } from '../../store/store.js';
import { perVersion } from './per-version.js';

const MAX_NAMES = 200_000;

type CachedNames = Map<EntityType, Map<number, string>>;

/** Names by id, and which regions are historical, read from the store on demand. */
export class NameCache {
  readonly #store: StoreReader;
  readonly #cached: () => Promise<CachedNames>;
  /** All historical regions. */
  readonly historicalRegions: () => Promise<ReadonlySet<number>>;

  constructor(store: StoreReader) {
    this.#store = store;
    this.#cached = perVersion(store, async () => new Map());
    this.historicalRegions = perVersion(
      store,
      async () => new Set((await store.names('regions', 'historical')).map(({ id }) => id)),
    );
  }

  /** A map that contains the names of all existing entities of `ids`, and possibly others. */
  async of(type: EntityType, ids: Iterable<number>): Promise<ReadonlyMap<number, string>> {
    const names = namesOfType(await this.#cached(), type);
    const missing = [...new Set(ids)].filter((id) => !names.has(id));
    const found = missing.length === 0 ? [] : await this.#store.names(type, missing);
    for (const { id, name } of found) names.set(id, name);
    return names;
  }

  /** A function that returns the name of an id in a field of these rows, or '' when it has none. */
  async ofFields<Field extends keyof SeriesKey>(
    rows: readonly Pick<SeriesKey, Field>[],
    fields: readonly Field[],
  ): Promise<(field: Field, row: Pick<SeriesKey, Field>) => string> {
    const load = async (field: Field) => {
      const ids = rows.map((row) => row[field]);
      return [field, await this.of(SERIES_KEY_TYPES[field], ids)] as const;
    };
    const names = new Map(await Promise.all(fields.map(load)));
    return (field, row) => names.get(field)!.get(row[field]) ?? '';
  }
}

function namesOfType(byType: CachedNames, type: EntityType): Map<number, string> {
  const cached = byType.get(type);
  if (cached !== undefined && cached.size < MAX_NAMES) return cached;
  const names = new Map<number, string>();
  byType.set(type, names);
  return names;
}
