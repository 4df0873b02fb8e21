import { CANCELLABLE } from '../model/arguments/fields.js';
import { type ArgumentsOf, optional, promise } from '../model/arguments/operation.js';
import { SELECTION_KEYS } from '../model/arguments/selection-keys.js';
import { WORLD_REGION_ID } from '../model/entity.js';
import type { Cancellable } from '../model/progress.js';
import { type Selection, type SelectionLists, selectionLists } from '../model/selection.js';
import type { DataSeries } from '../model/series.js';
import { checkAnswered } from './http/answered-ids.js';
import type { IdRedirect } from './http/id-redirects.js';
import type { Transport } from './http/transport.js';
import { toPluralQuery, toQuery } from './query.js';
import type { TopItem } from './ranking.js';

/** A frequency at which there is data, with the range that it covers. */
export interface TimeFrequency {
  /** Id of the frequency. */
  frequency_id: number;
  /** Name of the frequency, such as `daily`. */
  name: string;
  /** Start of the earliest period: ISO 8601 UTC; absent where the service does not say. */
  start_date?: string | undefined;
  /** End of the latest period: ISO 8601 UTC; absent where the service does not say. */
  end_date?: string | undefined;
}

/** Listing series. */
export interface SeriesOperations {
  /**
   * Every series of a selection.
   * @param selection ids, each one or several; a field left out does not restrict, and `{}` selects every series. A whole
   * series, a point and an item of `getTop` are selections too
   * @throws ArgumentError when an id is not a whole number, or a list is empty
   * @example
   * ```ts
   * const series = await client.getDataSeries({ item_id, region_id: [12, 13] });
   * ```
   */
  getDataSeries(selection?: Selection | TopItem, options?: Cancellable): Promise<DataSeries[]>;

  /** The frequencies at which a selection has data, the best covered first. */
  getAvailableTimefrequency(selection?: Selection, options?: Cancellable): Promise<TimeFrequency[]>;
}

/** The arguments of these operations. */
export const SERIES_ARGUMENTS: ArgumentsOf<SeriesOperations> = {
  getDataSeries: promise(optional(SELECTION_KEYS), optional(CANCELLABLE)),
  getAvailableTimefrequency: promise(optional(SELECTION_KEYS), optional(CANCELLABLE)),
};

/** Lists that other modules build on; not part of the public client. */
export interface SeriesLists {
  /** The series of a selection, and the ids of the selection that the service redirected. */
  listSeries(
    selection?: Selection,
    options?: Cancellable,
  ): Promise<{ readonly series: DataSeries[]; readonly moved: readonly IdRedirect[] }>;
}

/** Series, over a transport. */
export function seriesOperations(transport: Transport): SeriesOperations & SeriesLists {
  async function listSeries(
    selection: Selection = {},
    { signal }: Cancellable = {},
  ): ReturnType<SeriesLists['listSeries']> {
    const call = { query: toQuery(selection), signal };
    const lists = restrictedLists(selectionLists(selection));
    let redirects: readonly IdRedirect[] = [];
    const answer = await transport.json('seriesList', call, ({ data }, moved) => {
      checkAnswered('seriesList', data, { lists, moved });
      redirects = moved;
    });
    return { series: answer?.data ?? [], moved: redirects };
  }

  return {
    listSeries,
    getDataSeries: async (selection: Selection = {}, options) =>
      (await listSeries(selection, options)).series,
    async getAvailableTimefrequency(selection = {}, { signal } = {}) {
      const call = { query: toPluralQuery(selection), signal };
      const { frequency_id } = selectionLists(selection);
      const answer = await transport.json('timeFrequencies', call, (found, moved) => {
        const answered = (found ?? []).map(({ frequencyId }) => ({ frequency_id: frequencyId }));
        checkAnswered('timeFrequencies', answered, { lists: { frequency_id }, moved });
      });
      return (answer ?? []).map((one) => ({
        frequency_id: one.frequencyId,
        name: one.name,
        start_date: one.startDate,
        end_date: one.endDate,
      }));
    },
  };
}

/** The lists that restrict an answer: the world as partner region does not. */
export function restrictedLists({ partner_region_id, ...lists }: SelectionLists): SelectionLists {
  const restricts = partner_region_id?.some((id) => id !== WORLD_REGION_ID) === true;
  return restricts ? { ...lists, partner_region_id } : lists;
}
