import type { Selection } from '../model/selection.js';
import type { DataSeries } from '../model/series.js';
import type { Cancellable } from './http/cancellable.js';
import type { Transport } from './http/transport.js';
import { toPluralQuery, toQuery } from './query.js';

/** A frequency at which there is data, with the range that it covers. Dates are ISO 8601 UTC. */
export interface TimeFrequency {
  frequency_id: number;
  name: string;
  start_date: string;
  end_date: string;
}

/** Which series there are. */
export function seriesOperations(transport: Transport) {
  /** Every series that the ids select; without any, every series there is. */
  async function getDataSeries(
    selection: Selection = {},
    { signal }: Cancellable = {},
  ): Promise<DataSeries[]> {
    const answer = await transport.json('seriesList', { query: toQuery(selection), signal });
    return (answer?.data ?? []) as DataSeries[];
  }

  /** The frequencies at which a selection has data, the best covered first. */
  async function getAvailableTimefrequency(
    selection: Selection = {},
    { signal }: Cancellable = {},
  ): Promise<TimeFrequency[]> {
    const answer = await transport.json('timeFrequencies', { query: toPluralQuery(selection), signal });
    return (answer ?? []).map((one) => ({
      frequency_id: one.frequencyId,
      name: one.name,
      start_date: one.startDate,
      end_date: one.endDate,
    }));
  }

  return { getDataSeries, getAvailableTimefrequency };
}

/** The operations that list series. */
export type SeriesOperations = ReturnType<typeof seriesOperations>;
