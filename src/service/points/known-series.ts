import { type SeriesKey, seriesKeyText } from '../../model/series.js';
import type { StoredSeries } from '../../store/plan.js';
import type { StoreReader } from '../../store/store.js';

const KEPT_SERIES = 200_000;

/** Series that were listed or asked for before, by key, so that asking for their points need not look them up again. */
export class KnownSeries {
  #version = '';
  readonly #byKey = new Map<string, StoredSeries>();

  readonly #store: StoreReader;

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** All of these series; null when one of them is not known here. */
  async find(keys: readonly SeriesKey[]): Promise<StoredSeries[] | null> {
    await this.#forgetWhenChanged();
    const found: StoredSeries[] = [];
    for (const key of keys) {
      const known = this.#byKey.get(seriesKeyText(key));
      if (known === undefined) return null;
      found.push(known);
    }
    return found;
  }

  async keep(series: readonly StoredSeries[]): Promise<void> {
    await this.#forgetWhenChanged();
    if (this.#byKey.size + series.length > KEPT_SERIES) this.#byKey.clear();
    for (const one of series.slice(0, KEPT_SERIES)) this.#byKey.set(seriesKeyText(one), one);
  }

  async #forgetWhenChanged(): Promise<void> {
    const version = await this.#store.version();
    if (version === this.#version) return;
    this.#byKey.clear();
    this.#version = version;
  }
}
