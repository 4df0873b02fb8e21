import type { SeriesKey } from '../../model/series.js';
import type { BatchBuilder } from './batch-builder.js';

/** A series to which rows add points without looking for it again. */
export class KnownSeries {
  readonly #key: SeriesKey;
  #number = 0;
  /** The batch in which it has the number. */
  #taken = -1;

  /** @param key copied: the caller may change it */
  constructor(key: SeriesKey) {
    this.#key = { ...key };
  }

  /** The number of the series in the present batch. */
  numberIn(batch: BatchBuilder): number {
    if (this.#taken !== batch.taken) {
      this.#number = batch.seriesNumber(this.#key);
      this.#taken = batch.taken;
    }
    return this.#number;
  }
}
