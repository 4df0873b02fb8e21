import { type Candidate, type Coverage, rankByCoverage } from '../compute/ranking.js';
import type { SearchableType } from '../model/entity.js';
import { FREQUENCIES, periodDays } from '../model/frequency.js';
import type { Selection } from '../model/selection.js';
import { type DataSeries, type SeriesKey, seriesKeyText } from '../model/series.js';
import { formatTime, parseTime } from '../model/time.js';
import type { EntityOperations } from './entities.js';
import { groupedBy } from './grouping.js';
import { toPluralQuery, toQuery } from './query.js';
import type { Transport } from './transport.js';

/** Hits kept of each name that `findDataSeries` searches. */
export const DEFAULT_HITS_PER_NAME = 3;

type Cancel = { signal?: AbortSignal | undefined };

export interface FindOptions extends Cancel {
  /** Names of entities; each that is given is searched among its type. */
  metric?: string;
  item?: string;
  region?: string;
  partner_region?: string;
  /** `YYYY-MM-DD`; replaces the start of every found series before they are ranked, and stays in the result. */
  start_date?: string;
  end_date?: string;
  /** Decides about each hit before the cut to the best few; the selection it is given holds that hit's id alone. */
  result_filter?: (selection: Selection) => boolean;
  hits_per_name?: number;
}

/** A found series with the figures that put it where it stands. */
export interface ExplainedSeries extends DataSeries {
  coverage: Coverage;
}

export interface TimeFrequency {
  frequency_id: number;
  name: string;
  start_date: string;
  end_date: string;
}

const SEARCHED = [
  ['metric', 'metrics', 'metric_id'],
  ['item', 'items', 'item_id'],
  ['region', 'regions', 'region_id'],
  ['partner_region', 'regions', 'partner_region_id'],
] as const satisfies readonly (readonly [keyof FindOptions, SearchableType, keyof SeriesKey])[];

/** Discovery: which series there are, and which of them cover best what is wanted. */
export function seriesOperations(transport: Transport, entities: Pick<EntityOperations, 'search'>) {
  async function getDataSeries(selection: Selection = {}, { signal }: Cancel = {}): Promise<DataSeries[]> {
    const answer = await transport.json('seriesList', { query: toQuery(selection), signal });
    return (answer?.data ?? []) as DataSeries[];
  }

  async function getAvailableTimefrequency(
    selection: Selection = {},
    { signal }: Cancel = {},
  ): Promise<TimeFrequency[]> {
    const answer = await transport.json('timeFrequencies', { query: toPluralQuery(selection), signal });
    return (answer ?? []).map((one) => ({
      frequency_id: one.frequencyId,
      name: one.name,
      start_date: one.startDate,
      end_date: one.endDate,
    }));
  }

  async function* rankSeriesBySource(
    selections_list: Iterable<Partial<DataSeries>>,
    { signal }: Cancel = {},
  ): AsyncGenerator<DataSeries, void, undefined> {
    const given = [...selections_list];
    for (const combination of distinctBy(given, withoutSource)) {
      const wanted = { startDate: combination.start_date, endDate: combination.end_date };
      const query = { ...toPluralQuery(keyOnly(withoutSource(combination))), ...wanted };
      const sources = (await transport.json('rankedSources', { query, signal })) ?? [];
      for (const source_id of sources) {
        const whole = given.find((one) => one.source_id === source_id && sameCombination(one, combination));
        const { source_name: _, ...rest } = combination;
        yield (whole ?? { ...rest, source_id }) as DataSeries;
      }
    }
  }

  /** Every series that the names select, grouped by combination of hits, in the order of the hits. */
  async function* candidateGroups(options: FindOptions): AsyncGenerator<DataSeries[], void, undefined> {
    const searched = await Promise.all(
      SEARCHED.filter(([name]) => options[name] !== undefined).map(async ([name, type, field]) => {
        const hits = await entities.search(type, options[name]!, { signal: options.signal });
        const kept = hits.filter(({ id }) => options.result_filter?.({ [field]: id }) ?? true);
        return {
          field,
          ids: kept.slice(0, options.hits_per_name ?? DEFAULT_HITS_PER_NAME).map(({ id }) => id),
        };
      }),
    );
    for (const selection of combinations(searched)) {
      const found = await getDataSeries(selection, { signal: options.signal });
      yield* groupedBy(found, combinationKey).values();
    }
  }

  async function* explainDataSeries(options: FindOptions): AsyncGenerator<ExplainedSeries, void, undefined> {
    const wanted = {
      startMs: options.start_date === undefined ? null : parseTime(options.start_date, 'start_date'),
      endMs: options.end_date === undefined ? null : parseTime(options.end_date, 'end_date'),
    };
    for await (const group of candidateGroups(options)) {
      for (const { series, coverage } of rankByCoverage(group.map(candidateOf), wanted)) {
        yield { ...withWantedDates(series, wanted), coverage };
      }
    }
  }

  function findDataSeries(
    options: FindOptions & { explain: true },
  ): AsyncGenerator<ExplainedSeries, void, undefined>;
  function findDataSeries(
    options: FindOptions & { explain?: false },
  ): AsyncGenerator<DataSeries, void, undefined>;
  async function* findDataSeries({
    explain = false,
    ...options
  }: FindOptions & { explain?: boolean }): AsyncGenerator<DataSeries, void, undefined> {
    const seen = new Set<string>();
    for await (const { coverage, ...series } of explainDataSeries(options)) {
      const key = seriesKeyText(series);
      if (seen.has(key)) continue;
      seen.add(key);
      yield (explain ? { ...series, coverage } : series) as DataSeries;
    }
  }

  return { getDataSeries, getAvailableTimefrequency, rankSeriesBySource, findDataSeries };
}

export type SeriesOperations = ReturnType<typeof seriesOperations>;

export function candidateOf(series: DataSeries): Candidate & { series: DataSeries } {
  const startMs = parseTime(series.start_date, 'start_date');
  const endMs = parseTime(series.end_date, 'end_date');
  const frequency = FREQUENCIES.find(({ id }) => id === series.frequency_id);
  const days = frequency === undefined ? 1 : periodDays(frequency);
  const assumed = Math.max(1, Math.round((endMs - startMs) / 86_400_000 / days));
  return {
    series,
    startMs,
    endMs,
    pointCount: series.data_count_estimate ?? assumed,
    periodDays: days,
    id: series.source_id,
  };
}

function withWantedDates(
  series: DataSeries,
  wanted: { startMs: number | null; endMs: number | null },
): DataSeries {
  return {
    ...series,
    start_date: wanted.startMs === null ? series.start_date : formatTime(wanted.startMs),
    end_date: wanted.endMs === null ? series.end_date : formatTime(wanted.endMs),
  };
}

function combinations(searched: readonly { field: keyof SeriesKey; ids: readonly number[] }[]): Selection[] {
  return searched.reduce<Selection[]>(
    (selections, { field, ids }) =>
      selections.flatMap((selection) => ids.map((id) => ({ ...selection, [field]: id }))),
    [{}],
  );
}

function withoutSource(series: Partial<DataSeries>): Partial<DataSeries> {
  const { source_id: _, source_name: __, ...rest } = series;
  return rest;
}

function keyOnly(series: Partial<DataSeries>): Selection {
  const { metric_id, item_id, region_id, partner_region_id, frequency_id } = series;
  const fields = { metric_id, item_id, region_id, partner_region_id, frequency_id };
  return Object.fromEntries(Object.entries(fields).filter(([, id]) => id !== undefined));
}

function combinationText(series: Partial<DataSeries>): string {
  return JSON.stringify(keyOnly({ ...series, partner_region_id: series.partner_region_id ?? 0 }));
}

function sameCombination(a: Partial<DataSeries>, b: Partial<DataSeries>): boolean {
  return combinationText(a) === combinationText(b);
}

function distinctBy(
  list: readonly Partial<DataSeries>[],
  strip: typeof withoutSource,
): Partial<DataSeries>[] {
  const distinct = new Map<string, Partial<DataSeries>>();
  for (const one of list) {
    const key = combinationText(one);
    if (!distinct.has(key)) distinct.set(key, strip(one));
  }
  return [...distinct.values()];
}

function combinationKey(series: DataSeries): string {
  return seriesKeyText({ ...series, source_id: 0, frequency_id: 0 });
}
