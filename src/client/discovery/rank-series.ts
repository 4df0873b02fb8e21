import type { Cancellable } from '../../model/progress.js';
import { SELECTION_FIELDS, type Selection } from '../../model/selection.js';
import type { DataSeries } from '../../model/series.js';
import { formatTime } from '../../model/time.js';
import type { Transport } from '../http/transport.js';
import { toPluralQuery } from '../query.js';
import type { SeriesOperations } from '../series.js';
import { wantedPeriod } from './candidates.js';
import { groupedBy } from './grouping.js';

/** A series, or a part of one: any of its ids, names and dates. */
export type SeriesSelection = Partial<DataSeries>;

/** Ranking the sources of series. */
export interface SeriesRankingOperations {
  /**
   * Every source of each distinct combination, best first. A combination is a series without its source: the sources of
   * the given series do not restrict the result. A given series is yielded as it is; a series of another source has the
   * names and dates of its combination.
   * @param selections_list sources are ranked by coverage of the dates given for a combination, from the earliest to the
   * latest
   * @throws ArgumentError when a date cannot be read
   */
  rankSeriesBySource(
    selections_list: Iterable<SeriesSelection>,
    options?: Cancellable,
  ): AsyncGenerator<DataSeries, void, undefined>;
}

/** Source ranking, over a transport. One combination is requested at a time, as the sequence is consumed. */
export function seriesRankingOperations(
  transport: Transport,
  client: Pick<SeriesOperations, 'getDataSeries'>,
): SeriesRankingOperations {
  return {
    async *rankSeriesBySource(selections_list, { signal } = {}) {
      for (const given of groupedBy(selections_list, combinationText).values()) {
        const combination = withoutSource(given[0]!);
        const query = { ...toPluralQuery(keyOf(combination)), ...rankingDates(given) };
        const ranked = (await transport.json('rankedSources', { query, signal })) ?? [];
        const named = await otherSources(client, { ranked, given, signal });
        for (const source_id of ranked) {
          const whole = given.find((one) => one.source_id === source_id);
          if (whole !== undefined) yield whole as DataSeries;
          else if (named === null) yield { ...combination, source_id } as DataSeries;
          else if (named.has(source_id)) yield { ...combination, ...named.get(source_id) } as DataSeries;
        }
      }
    },
  };
}

/**
 * The ranked sources that are not among the given ones, by id. The ranking takes the world as any partner region, so it
 * may list a source that has the combination with other partners only: those are left out. Null when the combination is
 * not one series per source, or no other source is ranked.
 */
async function otherSources(
  client: Pick<SeriesOperations, 'getDataSeries'>,
  { ranked, given, signal }: Cancellable & { ranked: readonly number[]; given: readonly SeriesSelection[] },
): Promise<Map<number, Pick<DataSeries, 'source_id' | 'source_name'>> | null> {
  const key = keyOf(withoutSource(given[0]!));
  const whole = (['metric_id', 'item_id', 'region_id', 'frequency_id'] as const).every((id) => id in key);
  const others = ranked.filter((source_id) => given.every((one) => one.source_id !== source_id));
  if (!whole || others.length === 0) return null;
  const listed = await client.getDataSeries({ ...key, source_id: others }, { signal });
  const exact = listed.filter((one) => one.partner_region_id === (given[0]!.partner_region_id ?? 0));
  return new Map(exact.map(({ source_id, source_name }) => [source_id, nameOf(source_id, source_name)]));
}

function nameOf(
  source_id: number,
  source_name: string | undefined,
): Pick<DataSeries, 'source_id' | 'source_name'> {
  return source_name === undefined ? { source_id } : { source_id, source_name };
}

function withoutSource(series: SeriesSelection): SeriesSelection {
  const { source_id: _, source_name: __, data_count_estimate: ___, ...rest } = series;
  return rest;
}

function keyOf(series: SeriesSelection): Selection {
  const given = SELECTION_FIELDS.filter((field) => series[field] !== undefined && series[field] !== null);
  return Object.fromEntries(given.map((field) => [field, series[field]]));
}

function combinationText(series: SeriesSelection): string {
  const { metric_id, item_id, region_id, partner_region_id = 0, frequency_id } = series;
  return JSON.stringify([metric_id, item_id, region_id, partner_region_id ?? 0, frequency_id]);
}

/** The whole range of the given dates. @throws ArgumentError when a date cannot be read */
function rankingDates(given: readonly SeriesSelection[]): {
  startDate?: string | undefined;
  endDate?: string | undefined;
} {
  const periods = given.map(({ start_date, end_date }) => wantedPeriod({ start_date, end_date }));
  const starts = periods.flatMap(({ startMs }) => startMs ?? []);
  const ends = periods.flatMap(({ endMs }) => endMs ?? []);
  return {
    startDate: starts.length === 0 ? undefined : formatTime(Math.min(...starts)),
    endDate: ends.length === 0 ? undefined : formatTime(Math.max(...ends)),
  };
}
