import { type SeriesKey, seriesKeyText } from '../../model/series.js';
import type { StoredSeries } from '../../store/plan.js';
import type { StoreReader } from '../../store/store.js';
import { perVersion } from './per-version.js';

const MAX_SERIES = 200_000;

/** Series of earlier requests by key, so that a request for their points need not look them up. */
export class SeriesCache {
  readonly #byKey: () => Promise<Map<string, StoredSeries>>;

  constructor(store: StoreReader) {
    this.#byKey = perVersion(store, async () => new Map());
  }

  /** All of these series, or null unless all are cached. */
  async find(keys: readonly SeriesKey[]): Promise<StoredSeries[] | null> {
    const byKey = await this.#byKey();
    const found: StoredSeries[] = [];
    for (const key of keys) {
      const series = byKey.get(seriesKeyText(key));
      if (series === undefined) return null;
      found.push(series);
    }
    return found;
  }

  async add(series: readonly StoredSeries[]): Promise<void> {
    const byKey = await this.#byKey();
    if (byKey.size + series.length > MAX_SERIES) byKey.clear();
    for (const one of series.slice(0, MAX_SERIES)) byKey.set(seriesKeyText(one), one);
  }
}
