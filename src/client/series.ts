import { endpoints } from '../contract/endpoints.js';
import { NDJSON } from '../contract/wire-names.js';
import { CANCELLABLE, type Cancellable, type LongOperation } from '../model/progress.js';
import { type ArgumentsOf, optional, promise } from '../model/schema/operation.js';
import { SELECTION_KEYS, type Selection } from '../model/selection.js';
import type { DataSeries } from '../model/series.js';
import { isUnserved, linesOf, parseJson, readAnswer } from './http/answer.js';
import type { Transport } from './http/transport.js';
import { toPluralQuery, toQuery } from './query.js';
import type { TopItem } from './ranking.js';

/** A frequency at which data exist, with the date range that these data cover. */
export interface TimeFrequency {
  /** The frequency's id. */
  frequency_id: number;
  /** The frequency's name, such as `daily`. */
  name: string;
  /** The start of the earliest period, in ISO 8601 UTC. */
  start_date: string;
  /** The end of the latest period, in ISO 8601 UTC. */
  end_date: string;
}

/** Lists series and their frequencies. */
export interface SeriesOperations {
  /**
   * Returns every series in a selection.
   * @param selection one or more ids per field. A missing field does not restrict the selection, so `{}` selects every
   * series. A series, a point or a result of `getTop` can also be passed as a selection
   * @throws ArgumentError if an id is not a whole number, or if a list is empty
   * @example
   * ```ts
   * const series = await client.getDataSeries({ item_id, region_id: [12, 13] });
   * ```
   */
  getDataSeries(selection?: Selection | TopItem, options?: Cancellable): Promise<DataSeries[]>;

  /** Returns the frequencies at which a selection has data, sorted by coverage, best first. */
  getAvailableTimefrequency(selection?: Selection, options?: Cancellable): Promise<TimeFrequency[]>;
}

seriesOperations.takes = {
  getDataSeries: promise(optional(SELECTION_KEYS), optional(CANCELLABLE)),
  getAvailableTimefrequency: promise(optional(SELECTION_KEYS), optional(CANCELLABLE)),
} satisfies ArgumentsOf<SeriesOperations>;

interface SeriesTally {
  add(series: readonly DataSeries[]): void;
}

export interface SeriesLists {
  /**
   * Streams a selection's series into a tally, so that only the tally is held in memory. If the service cannot stream,
   * or if the client caches responses, all series are requested in one response.
   * @param begin creates an empty tally. After an incomplete response, the request is repeated with a new tally
   */
  scanSeries<Tally extends SeriesTally>(
    selection: Selection,
    begin: () => Tally,
    options?: LongOperation,
  ): Promise<Tally>;
}

export function seriesOperations(transport: Transport): SeriesOperations & SeriesLists {
  const getDataSeries = async (selection: Selection = {}, { signal }: Cancellable = {}) =>
    (await transport.json('seriesList', { query: toQuery(selection), signal })).data;

  return {
    getDataSeries,
    async getAvailableTimefrequency(selection = {}, { signal } = {}) {
      const call = { query: toPluralQuery(selection), signal };
      const found = await transport.json('timeFrequencies', call);
      return found.map(({ frequencyId: frequency_id, name, startDate: start_date, endDate: end_date }) => {
        return { frequency_id, name, start_date, end_date };
      });
    },
    async scanSeries(selection, begin, options = {}) {
      const streamed = transport.caches ? null : await tallyStream(transport, selection, { begin, options });
      if (streamed !== null) return streamed;
      const tally = begin();
      const series = await getDataSeries(selection, options);
      tally.add(series);
      reportListing(options, series.length);
      return tally;
    },
  };
}

/** The number of series on every line except the last. If the last line is full, the stream may be truncated. */
const SERIES_PER_LINE = 10_000;

/** Tallies the streamed series. Returns null if the service cannot stream, or if the stream may be truncated. */
async function tallyStream<Tally extends SeriesTally>(
  transport: Transport,
  selection: Selection,
  { begin, options }: { begin: () => Tally; options: LongOperation },
): Promise<Tally | null> {
  const { answer } = endpoints.seriesList;
  const call = { query: toQuery(selection), accept: NDJSON, signal: options.signal };
  try {
    return await transport.read('seriesStream', call, async (response) => {
      const tally = begin();
      let [done, last] = [0, 0];
      for await (const line of linesOf(response)) {
        const list = { data: parseJson('seriesStream', line, 'a line of the response') };
        const { data } = readAnswer('seriesStream', answer, list, 'seriesStream: a line');
        tally.add(data);
        last = data.length;
        done += last;
        reportListing(options, done);
      }
      return last < SERIES_PER_LINE ? tally : null;
    });
  } catch (error) {
    if (isUnserved(error)) return null;
    throw error;
  }
}

function reportListing({ onProgress }: LongOperation, done: number): void {
  onProgress?.({ label: 'listing series', done, total: null, unit: 'series' });
}
