import type { Cancellable } from '../model/progress.js';
import type { Selection } from '../model/selection.js';
import type { DataSeries } from '../model/series.js';
import type { Transport } from './http/transport.js';
import { toPluralQuery, toQuery } from './query.js';

/** A frequency at which there is data, with the range that it covers. */
export interface TimeFrequency {
  /** Id of the frequency. */
  frequency_id: number;
  /** Name of the frequency, such as `daily`. */
  name: string;
  /** Start of the earliest period: ISO 8601 UTC. */
  start_date: string;
  /** End of the latest period: ISO 8601 UTC. */
  end_date: string;
}

/** Listing series. */
export interface SeriesOperations {
  /**
   * Every series of a selection.
   * @param selection ids, each one or several; a field left out does not restrict, and `{}` selects every series
   * @throws ArgumentError when an id is not a whole number, or a list is empty
   * @example
   * ```ts
   * const series = await client.getDataSeries({ item_id, region_id: [12, 13] });
   * ```
   */
  getDataSeries(selection?: Selection, options?: Cancellable): Promise<DataSeries[]>;

  /** The frequencies at which a selection has data, the best covered first. */
  getAvailableTimefrequency(selection?: Selection, options?: Cancellable): Promise<TimeFrequency[]>;
}

/** Series, over a transport. */
export function seriesOperations(transport: Transport): SeriesOperations {
  return {
    async getDataSeries(selection = {}, { signal } = {}) {
      const answer = await transport.json('seriesList', { query: toQuery(selection), signal });
      return (answer?.data ?? []) as DataSeries[];
    },
    async getAvailableTimefrequency(selection = {}, { signal } = {}) {
      const answer = await transport.json('timeFrequencies', { query: toPluralQuery(selection), signal });
      return (answer ?? []).map((one) => ({
        frequency_id: one.frequencyId,
        name: one.name,
        start_date: one.startDate,
        end_date: one.endDate,
      }));
    },
  };
}
