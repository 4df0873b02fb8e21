import type { Coverage } from '../../compute/ranking.js';
import { type Check, checkFunction, checkId, whole } from '../../model/arguments/checks.js';
import { CANCELLABLE, FIELDS, WANTED_PERIOD } from '../../model/arguments/fields.js';
import { type ArgumentsOf, required, sequence } from '../../model/arguments/operation.js';
import type { OptionKeys } from '../../model/arguments/option-keys.js';
import type { MatchedNames } from '../../model/entity.js';
import type { Cancellable } from '../../model/progress.js';
import { type Selection, selectionLists } from '../../model/selection.js';
import { type DataSeries, NAMED_WORDS, seriesKeyText } from '../../model/series.js';
import { parsePeriod } from '../../model/time.js';
import { splitSelection } from '../points/points.js';
import { HITS_PER_NAME, type NamedSearch } from '../resolve-name.js';
import type { SeriesOperations } from '../series.js';
import { DEFAULT_HITS_PER_NAME } from './candidates.js';
import {
  type Combination,
  matchedOf,
  type NameHits,
  rankCombinations,
  rankedHits,
  rankSources,
  selectionOf,
} from './combinations.js';
import { prefetch } from './prefetch.js';
import type { SeriesRankingOperations } from './rank-series.js';

/** The names by which series are found, and the period that they should cover. */
export interface FindOptions extends Cancellable {
  /** A metric by name or id. */
  metric?: string | number | undefined;
  /** An item by name or id. */
  item?: string | number | undefined;
  /** A region by name or id. */
  region?: string | number | undefined;
  /** The partner region of a trade flow, by name or id. */
  partner_region?: string | number | undefined;
  /**
   * `YYYY-MM-DD`; replaces the start of every found series before they are ranked, and stays in the result. A series that
   * ends before it has no end there.
   */
  start_date?: string | undefined;
  /** `YYYY-MM-DD`; replaces the end of every found series likewise. */
  end_date?: string | undefined;
  /** Called for each search hit, with a selection of its id alone; false drops it before the best hits are kept. */
  result_filter?: ((selection: Selection) => boolean) | undefined;
  /** Called with the reason when nothing is found. */
  onNothing?: ((reason: string) => void) | undefined;
  /** Search hits kept for each name; default 3. */
  hits_per_name?: number | undefined;
  /** True adds to each series the coverage by which it was ranked. */
  explain?: boolean | undefined;
}

/** Options that ask for the figures behind a result. */
export type Explained<Options> = Options & {
  /** Returns the figures behind the result as well. */
  explain: true;
};

/** A found series. */
export interface FoundSeries extends DataSeries {
  /**
   * The entities used for names that several regions have, that have no exact match, or whose exact match has no data.
   * Absent when every name means exactly one entity.
   */
  matched?: MatchedNames | undefined;
}

/** A found series with the coverage by which it was ranked. */
export interface ExplainedSeries extends FoundSeries {
  /** How well the series covers the wanted period. */
  coverage: Coverage;
}

/** Finding series by names. */
export interface FindOperations {
  /** Series by names, as without `explain`, each with the coverage by which it was ranked. */
  findDataSeries(options: Explained<FindOptions>): AsyncGenerator<ExplainedSeries, void, undefined>;
  /**
   * Series by the names of their metric, item and region, ranked by coverage of the wanted period, best first: first
   * those of the exact hits of each name, or else of its best one, then those of the other hits. Without a partner
   * region, series of the world come before those of partners. The sources of a combination are in the order in which
   * the service ranks them, those included that its list of series does not show; they have a share of 0. The sequence
   * is lazy: the sources of a combination are ranked as they are consumed.
   * @throws ArgumentError when a name is empty or a date cannot be read; a name that matches nothing yields nothing
   * @example
   * ```ts
   * const options = { metric: 'yield', item: 'corn', region: 'iowa', start_date: '2000-01-01' };
   * for await (const series of client.findDataSeries(options)) {
   *   console.log(series.source_name, series.start_date);
   *   break;
   * }
   * ```
   */
  findDataSeries(options: FindOptions): AsyncGenerator<FoundSeries, void, undefined>;
}

function orId(check: Check<string>): Check<string | number> {
  const either: Check<string | number> = (value, argument) =>
    (typeof value === 'number' ? checkId : check)(value, argument);
  return Object.assign(either, { meaning: check.meaning });
}

/** The names and dates by which series are found. */
export const FIND: OptionKeys<FindOptions> = {
  ...CANCELLABLE,
  metric: orId(FIELDS.metric),
  item: orId(FIELDS.item),
  region: orId(FIELDS.region),
  partner_region: orId(FIELDS.partner_region),
  ...WANTED_PERIOD,
  result_filter: checkFunction,
  onNothing: checkFunction,
  hits_per_name: whole({ min: 1 }),
  explain: FIELDS.explain,
};

/** The arguments of these operations. */
findOperations.takes = { findDataSeries: sequence(required(FIND)) } satisfies ArgumentsOf<FindOperations>;

type Searching = Pick<NamedSearch, 'searchNames'> &
  Pick<SeriesOperations, 'getDataSeries'> &
  SeriesRankingOperations;

/** Finding series, over search and listing. */
export function findOperations(client: Searching): FindOperations {
  async function* findDataSeries({
    explain = false,
    ...options
  }: FindOptions): AsyncGenerator<FoundSeries, void, undefined> {
    const seen = new Set<string>();
    for await (const { coverage, ...series } of rankedSeries(client, options)) {
      const key = seriesKeyText(series);
      if (seen.has(key)) continue;
      seen.add(key);
      yield (explain ? { ...series, coverage } : series) as FoundSeries;
    }
    if (seen.size === 0) options.onNothing?.(await whyNothing(client, options));
  }

  return { findDataSeries: findDataSeries as FindOperations['findDataSeries'] };
}

async function* rankedSeries(
  client: Searching,
  options: FindOptions,
): AsyncGenerator<ExplainedSeries, void, undefined> {
  const wanted = parsePeriod(options);
  const names = await keptHits(client, options);
  if (names.some(({ hits }) => hits.length === 0)) return;
  const meant = names.map((name) => ({ ...name, hits: meantHits(name.hits) }));
  const isAll = names.every(({ hits }, i) => hits.length === meant[i]!.hits.length);
  const listed = new Set<string>();
  for (const stage of isAll ? [names] : [meant, names]) {
    const series = await listSeries(client, stage, options.signal);
    const found = series.filter((one) => !listed.has(seriesKeyText(one)));
    for (const one of found) listed.add(seriesKeyText(one));
    const groups = rankCombinations(found, names, wanted);
    const rank = (group: Combination, signal: AbortSignal) => rankSources(client, group, { wanted, signal });
    for await (const ranked of prefetch(groups, rank, options.signal))
      for (const series of ranked) yield { ...series, ...matchedOf(series, names) };
  }
}

/** Keeps only the hits that the name means exactly. If there are none, keeps the best hit. */
function meantHits(hits: NameHits['hits']): NameHits['hits'] {
  const meant = hits.filter(({ exact, instead_of }) => exact && instead_of === undefined);
  return meant.length > 0 ? meant : hits.slice(0, 1);
}

/** The series of every combination of the hits. */
async function listSeries(
  client: Searching,
  names: readonly NameHits[],
  signal: AbortSignal | undefined,
): Promise<DataSeries[]> {
  const parts = splitSelection(selectionLists(selectionOf(names)));
  return (await Promise.all(parts.map((part) => client.getDataSeries(part, { signal })))).flat();
}

/** The reason of an empty result: a name without a hit, a filter that drops all, or no series of the named entities. */
async function whyNothing(client: Searching, options: FindOptions): Promise<string> {
  const names = await keptHits(client, { ...options, result_filter: undefined });
  const unknown = names.find(({ hits }) => hits.length === 0);
  if (unknown !== undefined) return `${unknown.name}: nothing is called "${unknown.requested}"`;
  const meant = names.map(({ name, requested, hits }) => {
    const found = hits.map((hit) => hit.name).join(', ');
    return `${name} "${requested}" (${found})`;
  });
  const filtered = options.result_filter === undefined ? '' : ' that passes result_filter';
  return `no series${filtered} of ${meant.join(', ')}`;
}

/** The best hits of each given name that pass the filter; an id is its own hit. */
async function keptHits(client: Searching, options: FindOptions): Promise<NameHits[]> {
  const { hits_per_name = DEFAULT_HITS_PER_NAME, result_filter, signal } = options;
  const namedWords = NAMED_WORDS.filter(({ word }) => options[word] !== undefined);
  return Promise.all(
    namedWords.map(async ({ word: name, type, field }) => {
      const given = options[name]!;
      const requested = String(given);
      const max = result_filter === undefined ? Math.max(hits_per_name, HITS_PER_NAME) : undefined;
      const hits =
        typeof given === 'number'
          ? [{ id: given, name: requested, exact: true }]
          : await client.searchNames(type, requested, { max, signal });
      const passing = hits.filter(({ id }) => result_filter?.({ [field]: id }) ?? true);
      return { name, requested, field, hits: rankedHits(type, requested, passing).slice(0, hits_per_name) };
    }),
  );
}
