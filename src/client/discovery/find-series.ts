import { type Coverage, rankByCoverage } from '../../compute/ranking.js';
import type { SearchableType } from '../../model/entity.js';
import type { Selection } from '../../model/selection.js';
import { type DataSeries, type SeriesKey, seriesKeyText } from '../../model/series.js';
import { checkText, checkWhole } from '../argument-checks.js';
import type { Cancellable } from '../http/cancellable.js';
import type { SearchOperations } from '../search.js';
import type { SeriesOperations } from '../series.js';
import { candidateOf, DEFAULT_HITS_PER_NAME, wantedPeriod, withWantedDates } from './candidates.js';
import { groupedBy } from './grouping.js';
import { prefetch } from './prefetch.js';

/** What series are found by. */
export interface FindOptions extends Cancellable {
  /** Names of entities; each that is given is searched among its type. */
  metric?: string | undefined;
  item?: string | undefined;
  region?: string | undefined;
  partner_region?: string | undefined;
  /** `YYYY-MM-DD`; replaces the start of every found series before they are ranked, and stays in the result. */
  start_date?: string | undefined;
  /** The same for the end. */
  end_date?: string | undefined;
  /** Decides about each hit before the cut to the best few; the selection it is given holds that hit's id alone. */
  result_filter?: ((selection: Selection) => boolean) | undefined;
  /** Hits kept of each name; default 3. */
  hits_per_name?: number | undefined;
}

/** A found series with the figures that put it where it stands. */
export interface ExplainedSeries extends DataSeries {
  coverage: Coverage;
}

const SEARCHED = [
  ['metric', 'metrics', 'metric_id'],
  ['item', 'items', 'item_id'],
  ['region', 'regions', 'region_id'],
  ['partner_region', 'regions', 'partner_region_id'],
] as const satisfies readonly (readonly [keyof FindOptions, SearchableType, keyof SeriesKey])[];

type Searching = Pick<SearchOperations, 'search'> & Pick<SeriesOperations, 'getDataSeries'>;

/** Finding series by names. */
export function findOperations(client: Searching) {
  /**
   * Series by the names of what they are about. Combinations of hits come in the order of the hits; within one, every
   * frequency and source by coverage of the wanted dates, best first. The sequence is lazy: series are listed as it is
   * taken. With `explain: true` each carries the figures that ordered it.
   * @throws ArgumentError for an empty name or a date that cannot be read; a name that finds nothing yields nothing
   */
  function findDataSeries(
    options: FindOptions & { explain: true },
  ): AsyncGenerator<ExplainedSeries, void, undefined>;
  function findDataSeries(
    options: FindOptions & { explain?: false | undefined },
  ): AsyncGenerator<DataSeries, void, undefined>;
  async function* findDataSeries({
    explain = false,
    ...options
  }: FindOptions & { explain?: boolean | undefined }): AsyncGenerator<DataSeries, void, undefined> {
    const seen = new Set<string>();
    for await (const { coverage, ...series } of rankedSeries(client, options)) {
      const key = seriesKeyText(series);
      if (seen.has(key)) continue;
      seen.add(key);
      yield (explain ? { ...series, coverage } : series) as DataSeries;
    }
  }

  return { findDataSeries };
}

/** The operations that find series by names. */
export type FindOperations = ReturnType<typeof findOperations>;

async function* rankedSeries(
  client: Searching,
  options: FindOptions,
): AsyncGenerator<ExplainedSeries, void, undefined> {
  const wanted = wantedPeriod(options);
  const selections = combinations(await keptHits(client, options));
  const list = (selection: Selection, signal: AbortSignal) => client.getDataSeries(selection, { signal });
  for await (const found of prefetch(selections, list, options.signal)) {
    for (const group of groupedBy(found, combinationText).values()) {
      for (const { series, coverage } of rankByCoverage(group.map(candidateOf), wanted))
        yield { ...withWantedDates(series, wanted), coverage };
    }
  }
}

interface KeptHits {
  readonly field: keyof SeriesKey;
  readonly ids: readonly number[];
}

/** The best hits of each given name, of those that pass the filter. */
async function keptHits(client: Searching, options: FindOptions): Promise<KeptHits[]> {
  const { hits_per_name = DEFAULT_HITS_PER_NAME, result_filter, signal } = options;
  checkWhole(hits_per_name, 'hits_per_name', { min: 1 });
  const given = SEARCHED.filter(([name]) => options[name] !== undefined);
  for (const [name] of given) checkText(options[name]!, name);
  return Promise.all(
    given.map(async ([name, type, field]) => {
      const hits = await client.search(type, options[name]!, { signal });
      const kept = hits.filter(({ id }) => result_filter?.({ [field]: id }) ?? true);
      return { field, ids: kept.slice(0, hits_per_name).map(({ id }) => id) };
    }),
  );
}

function combinations(hits: readonly KeptHits[]): Selection[] {
  return hits.reduce<Selection[]>(
    (selections, { field, ids }) =>
      selections.flatMap((selection) => ids.map((id) => ({ ...selection, [field]: id }))),
    [{}],
  );
}

function combinationText(series: DataSeries): string {
  return seriesKeyText({ ...series, source_id: 0, frequency_id: 0 });
}
