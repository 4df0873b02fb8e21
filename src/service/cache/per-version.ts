import type { ChartQuery } from '../../contract/requests/chart.js';
import type { EntityType } from '../../model/entity.js';
import { SERIES_KEY_TYPES, type SeriesKey, seriesKeyText } from '../../model/series.js';
import type { StoredSeries } from '../../store/plan.js';
import type { StoreReader } from '../../store/store.js';

/** Returns a function that caches the result of `load` until the store's version changes. Failures are not cached. */
export function perVersion<Result>(store: StoreReader, load: () => Promise<Result>): () => Promise<Result> {
  let cached: { version: string; result: Promise<Result> } | null = null;
  return async () => {
    const version = await store.version();
    if (cached?.version !== version) {
      const entry = { version, result: load() };
      cached = entry;
      entry.result.catch(() => {
        if (cached === entry) cached = null;
      });
    }
    return cached.result;
  };
}

const MAX_NAMES = 200_000;

/** Caches entity names and the ids of historical regions. Both are read from the store on demand. */
export class NameCache {
  readonly #store: StoreReader;
  readonly #cached: () => Promise<Map<EntityType, Map<number, string>>>;
  readonly historicalRegions: () => Promise<ReadonlySet<number>>;

  constructor(store: StoreReader) {
    this.#store = store;
    this.#cached = perVersion(store, async () => new Map());
    this.historicalRegions = perVersion(
      store,
      async () => new Set((await store.names('regions', 'historical')).map(({ id }) => id)),
    );
  }

  /** Returns the names of the entities with these ids, keyed by id. The map may also contain other entities. */
  async of(type: EntityType, ids: Iterable<number>): Promise<ReadonlyMap<number, string>> {
    const cached = await this.#cached();
    let names = cached.get(type);
    if (names === undefined || names.size >= MAX_NAMES) {
      names = new Map();
      cached.set(type, names);
    }
    const missing = [...new Set(ids)].filter((id) => !names.has(id));
    const found = missing.length === 0 ? [] : await this.#store.names(type, missing);
    for (const { id, name } of found) names.set(id, name);
    return names;
  }

  /** Returns a lookup function for the name of the entity in a row's field. A missing name is an empty string. */
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

const MAX_CACHED_SERIES = 200_000;

/** Caches the series of one version of the store by key, so that requests for points need not look them up. */
export class CachedSeries {
  readonly #byKey = new Map<string, StoredSeries>();

  /** Returns the stored series for these keys, or null if any of the series is not cached. */
  find(keys: readonly SeriesKey[]): StoredSeries[] | null {
    const found = keys.flatMap((key) => this.#byKey.get(seriesKeyText(key)) ?? []);
    return found.length === keys.length ? found : null;
  }

  add(series: readonly StoredSeries[]): void {
    if (this.#byKey.size + series.length > MAX_CACHED_SERIES) this.#byKey.clear();
    for (const one of series.slice(0, MAX_CACHED_SERIES)) this.#byKey.set(seriesKeyText(one), one);
  }
}

/**
 * Draws the chart for a query, and returns it as SVG. `ask` sends requests for the chart's data to the service.
 * @throws ArgumentError if the series cannot be drawn as this kind of chart
 * @throws NotFoundError if the series have no values
 */
export type DrawChart = (query: ChartQuery, ask: (request: Request) => Promise<Response>) => Promise<string>;

/** The maximum number of cached charts. Each chart takes up a few hundred kilobytes. */
const MAX_KEPT = 50;

export type DrawCached = (query: ChartQuery) => Promise<string>;

/** Caches drawn charts until the store changes. Only one chart is drawn at a time, because drawing is CPU-bound. */
export function cacheDrawing(store: StoreReader, draw: DrawCached): DrawCached {
  const perStore = perVersion(store, async () => new Map<string, Promise<string>>());
  let last: Promise<unknown> = Promise.resolve();
  return async (query) => {
    const drawn = await perStore();
    const key = JSON.stringify(query);
    const known = drawn.get(key);
    const picture = known ?? last.then(() => draw(query));
    if (known === undefined) last = picture.catch(() => drawn.delete(key));
    drawn.delete(key);
    drawn.set(key, picture);
    const [oldest] = drawn.keys();
    if (drawn.size > MAX_KEPT) drawn.delete(oldest!);
    return picture;
  };
}
