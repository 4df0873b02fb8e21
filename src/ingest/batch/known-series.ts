import type { SeriesKey } from '../../model/series.js';
import { keepShape } from '../keep-shape.js';
import type { BatchBuilder } from './batch-builder.js';

/** The key of a series that nothing has. */
export const NO_SERIES: SeriesKey = {
  metric_id: 0,
  item_id: 0,
  region_id: 0,
  partner_region_id: 0,
  source_id: 0,
  frequency_id: 0,
};

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

keepShape(new KnownSeries(NO_SERIES));
