import * as v from 'valibot';
import { WORLD_REGION_ID } from '../../model/entity.js';
import { groupedBy } from '../../model/grouping.js';
import { CANCELLABLE, type Cancellable } from '../../model/progress.js';
import { optionsOf } from '../../model/schema/check.js';
import { type ArgumentsOf, optional, positional, sequence } from '../../model/schema/operation.js';
import { isNot } from '../../model/schema/schemas.js';
import { SELECTION_KEYS, type Selection } from '../../model/selection.js';
import { type DataSeries, SERIES_KEY_FIELDS } from '../../model/series.js';
import { formatTime, parseTime } from '../../model/time.js';
import type { EntityLists } from '../entities.js';
import type { Transport } from '../http/transport.js';
import { toPluralQuery } from '../query.js';
import type { SeriesOperations } from '../series.js';

/** Any subset of a series' ids, names and dates. */
export type SeriesSelection = Partial<DataSeries>;

/** Ranks the sources of series. */
export interface SeriesRankingOperations {
  /**
   * Ranks every source of each distinct combination, best first. A combination is a series without its source, so the
   * given sources do not restrict the result. A given series is yielded unchanged; a series from another source has the
   * given combination's names and dates. A ranked source is included even if `getDataSeries` finds no series from it,
   * but not if all series found have other partner regions. Given series with unranked sources come last, if found.
   * @param selections_list the series whose sources are ranked. For each combination, sources are ranked by how well
   * they cover the time range from the earliest to the latest date given for the combination
   * @throws ArgumentError if a date cannot be parsed
   */
  rankSeriesBySource(
    selections_list: Iterable<SeriesSelection>,
    options?: Cancellable,
  ): AsyncGenerator<DataSeries, void, undefined>;
}

/** An array, set or other iterable of selections. Validating a generator does not consume it. */
const SELECTIONS = v.union([
  v.array(optionsOf(SELECTION_KEYS)),
  v.custom<Iterable<unknown>>(
    (value) =>
      typeof value === 'object' && value !== null && Symbol.iterator in value && !Array.isArray(value),
    isNot('a list'),
  ),
]);

seriesRankingOperations.takes = {
  rankSeriesBySource: sequence(positional('selections_list', SELECTIONS), optional(CANCELLABLE)),
} satisfies ArgumentsOf<SeriesRankingOperations>;

type Lookups = Pick<SeriesOperations, 'getDataSeries'> & Pick<EntityLists, 'lookupList'>;

export function seriesRankingOperations(transport: Transport, client: Lookups): SeriesRankingOperations {
  return {
    async *rankSeriesBySource(selections_list, { signal } = {}) {
      for (const selections of groupedBy(selections_list, combinationText).values()) {
        const combination = omitSource(selections[0]!);
        const key = selectIds(combination);
        const query = { ...toPluralQuery(key), ...rankingDates(selections) };
        const ranked = new Set(await transport.json('rankedSources', { query, signal }));
        const named = await sourcesToName(client, key, { ranked, selections, signal });
        for (const source_id of new Set([...ranked, ...named.keys()])) {
          const whole = selections.find((one) => one.source_id === source_id);
          const source = named.get(source_id);
          if (whole !== undefined) yield whole as DataSeries;
          else if (source !== undefined) yield { ...combination, ...source } as DataSeries;
        }
      }
    },
  };
}

type NamedSource = Pick<DataSeries, 'source_id' | 'source_name'>;

/**
 * Returns the sources that the service ranked but the caller did not give, and the sources that the caller gave, but
 * the service did not rank, if they have a matching series. If the partner region is the world, ranked sources are
 * omitted if all their matching series have other partner regions.
 */
async function sourcesToName(
  client: Lookups,
  key: Selection,
  requested: { ranked: ReadonlySet<number>; selections: readonly SeriesSelection[] } & Cancellable,
): Promise<Map<number, NamedSource>> {
  const { ranked, selections, signal } = requested;
  const sources = new Set(selections.flatMap(({ source_id }) => source_id ?? []));
  const others = [...ranked].filter((source_id) => !sources.has(source_id));
  const isWhole = WHOLE.every((field) => field in key);
  if (!isWhole) return new Map(others.map((source_id) => [source_id, { source_id }]));
  const unranked = [...sources].filter((source_id) => !ranked.has(source_id));
  const source_id = [...others, ...unranked];
  if (source_id.length === 0) return new Map();
  const series = await client.getDataSeries({ ...key, source_id }, { signal });
  const listed = groupedBy(series, (one) => one.source_id);
  const isOfWorld = (key.partner_region_id ?? WORLD_REGION_ID) === WORLD_REGION_ID;
  const found = source_id.flatMap((id) => {
    const own = listed.get(id)?.find((one) => !isOfWorld || one.partner_region_id === WORLD_REGION_ID);
    return own === undefined ? [] : [[id, toNamedSource(id, own.source_name)] as const];
  });
  const unlisted = others.filter((id) => !listed.has(id));
  const sourcesById = await client.lookupList('sources', unlisted, { signal });
  return new Map([
    ...found,
    ...unlisted.map((id) => [id, toNamedSource(id, sourcesById.get(id)?.name)] as const),
  ]);
}

const WHOLE = ['metric_id', 'item_id', 'region_id', 'frequency_id'] as const;

function toNamedSource(source_id: number, source_name: string | undefined): NamedSource {
  return source_name === undefined ? { source_id } : { source_id, source_name };
}

function omitSource(series: SeriesSelection): SeriesSelection {
  const { source_id: _, source_name: __, data_count_estimate: ___, ...rest } = series;
  return rest;
}

function selectIds(series: SeriesSelection): Selection {
  const idFields = SERIES_KEY_FIELDS.filter((field) => series[field] !== undefined && series[field] !== null);
  return Object.fromEntries(idFields.map((field) => [field, series[field]]));
}

function combinationText(series: SeriesSelection): string {
  const ids = SERIES_KEY_FIELDS.map((field) => (field === 'source_id' ? 0 : (series[field] ?? 0)));
  return ids.join('-');
}

/** Returns the range from the earliest start date to the latest end date. @throws ArgumentError if a date is invalid */
function rankingDates(selections: readonly SeriesSelection[]) {
  const dateOf = (field: 'start_date' | 'end_date', choose: (...times: number[]) => number) => {
    const times = selections.flatMap(({ [field]: date }) => (date ? [parseTime(date, field)] : []));
    return times.length === 0 ? undefined : formatTime(choose(...times));
  };
  return { startDate: dateOf('start_date', Math.min), endDate: dateOf('end_date', Math.max) };
}
