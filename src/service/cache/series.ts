import { type SeriesKey, seriesKeyText } from '../../model/series.js';
import type { StoredSeries } from '../../store/plan.js';
import type { StoreReader } from '../../store/store.js';
import { perVersion } from './per-version.js';

const MAX_SERIES = 200_000;

/** After so many searches in vain, all series are listed once, unless there are too many: a search takes milliseconds. */
const MAX_MISSES = 32;

/** Series by key, so that a request for their points need not look them up. */
export class SeriesCache {
  /** The series of the store's version. A caller that adds listed series reads this before the listing begins. */
  readonly now: () => Promise<CachedSeries>;

  constructor(store: StoreReader) {
    this.now = perVersion(store, async () => new CachedSeries(store));
  }
}

/** Series of one version of a store. */
export class CachedSeries {
  #byKey = new Map<string, StoredSeries>();
  #misses = 0;
  #isWhole = false;

  readonly #store: StoreReader;

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** Those of these series that the store has, or null when that is not known of all. */
  find(keys: readonly SeriesKey[]): StoredSeries[] | null {
    const found: StoredSeries[] = [];
    for (const key of keys) {
      const series = this.#byKey.get(seriesKeyText(key));
      if (series !== undefined) found.push(series);
      else if (!this.#isWhole) return this.#miss();
    }
    return found;
  }

  add(series: readonly StoredSeries[]): void {
    if (this.#isWhole) return;
    if (this.#byKey.size + series.length > MAX_SERIES) this.#byKey.clear();
    for (const one of series.slice(0, MAX_SERIES)) this.#byKey.set(seriesKeyText(one), one);
  }

  #miss(): null {
    this.#misses++;
    // Nobody waits for it, and the searches go on where it fails.
    if (this.#misses === MAX_MISSES) void this.#listAll().catch(() => {});
    return null;
  }

  async #listAll(): Promise<void> {
    const all = new Map<string, StoredSeries>();
    for await (const batch of this.#store.series({ selection: {}, includeHistorical: true })) {
      for (const series of batch) all.set(seriesKeyText(series), series);
      if (all.size > MAX_SERIES) return;
    }
    this.#byKey = all;
    this.#isWhole = true;
  }
}
