import * as v from 'valibot';
import { explainNoSeries, type NamedField } from '../../compute/found-series.js';
import { CANCELLABLE, type Cancellable } from '../../model/progress.js';
import type { OptionsOf } from '../../model/schema/check.js';
import { FIELDS, WANTED_PERIOD } from '../../model/schema/fields.js';
import { type ArgumentsOf, mandatory, sequence } from '../../model/schema/operation.js';
import { functionOf, ID, integer, meaningOf, withMeaning } from '../../model/schema/schemas.js';
import type { Selection } from '../../model/selection.js';
import { NAMED_WORDS } from '../../model/series.js';
import type { NameResolver } from '../resolve.js';
import { type BaseResolver, fieldsOf, findByBase, resolveByBase } from './json-base.js';
import type { ExplainedSeries, FoundSeries, Resolution, ResolveOptions, WordedName } from './resolution.js';

function allowId(schema: v.GenericSchema<string>) {
  return withMeaning(meaningOf(schema) ?? '', v.union([schema, ID]));
}

export const FIND = {
  ...CANCELLABLE,
  /** The name or id of a metric. */
  metric: allowId(FIELDS.metric),
  /** The name or id of an item. */
  item: allowId(FIELDS.item),
  /** The name or id of a region. */
  region: allowId(FIELDS.region),
  /** The name or id of a trade flow's partner region. */
  partner_region: allowId(FIELDS.partner_region),
  /**
   * The start of the wanted period, as `YYYY-MM-DD`. In the result, this date replaces each series' start date. If a
   * series ends before this date, its own end date is omitted.
   */
  start_date: WANTED_PERIOD.start_date,
  /** The end of the wanted period, as `YYYY-MM-DD`. In the result, this date replaces each series' end date. */
  end_date: WANTED_PERIOD.end_date,
  /** Called for each search hit with a selection that contains the hit's id. Returns false to drop the hit. */
  result_filter: functionOf<(selection: Selection) => boolean>(),
  /** Called with the reason if no series is found. */
  onNothing: functionOf<(reason: string) => void>(),
  /** The number of search hits to keep for each name; default 3. */
  hits_per_name: integer({ min: 1, max: 100 }),
  /** If true, adds the coverage by which each series was ranked. */
  explain: FIELDS.explain,
};
/** Options that specify the series to find, and the period that they should cover. */
export interface FindOptions extends Cancellable, OptionsOf<typeof FIND> {}

/** Options that also request details of how the result was found or computed. */
export type Explained<Options> = Options & {
  /** Also returns the figures behind the result. */
  explain: true;
};

/** Finds series by the names of their entities. */
export interface FindOperations {
  /** Finds the same series as without `explain`, and adds the coverage by which each of them was ranked. */
  findDataSeries(options: Explained<FindOptions>): AsyncGenerator<ExplainedSeries, void, undefined>;
  /**
   * Finds series by the names of their metric, item and region, and ranks them by their coverage of the wanted period,
   * best first. For each name, series of the exact hits (or of the best hit, if none is exact) come before series of
   * the other hits. If no partner region is given, series with the world as partner come first. Series that differ only
   * in their source are in the order in which the service ranks the sources. Series are requested as they are consumed.
   * @throws ArgumentError if a name is empty or a date cannot be parsed. A name that matches nothing yields no series
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

findOperations.takes = { findDataSeries: sequence(mandatory(FIND)) } satisfies ArgumentsOf<FindOperations>;

const [FIRST_PAGE, NEXT_PAGE] = [20, 10_000];
/** The number of hits to request per name if there is a filter, and the default number to keep per name. */
const [ALL_HITS, DEFAULT_HITS_PER_NAME] = [100, 3];

export function findOperations({ askResolution }: NameResolver, base: BaseResolver): FindOperations {
  async function* findDataSeries({
    explain = false,
    onNothing,
    ...options
  }: FindOptions): AsyncGenerator<FoundSeries, void, undefined> {
    for await (const { series, nothing } of pagesOf(options)) {
      if (nothing !== undefined) onNothing?.(nothing);
      for (const { coverage, ...one } of series) yield (explain ? { ...one, coverage } : one) as FoundSeries;
    }
  }

  type Page = Pick<Resolution, 'series' | 'nothing'>;

  /** Requests pages of series. If there is a filter or the service cannot rank series, the client ranks them itself. */
  async function* pagesOf({
    result_filter: passes,
    hits_per_name = DEFAULT_HITS_PER_NAME,
    ...options
  }: FindOptions): AsyncGenerator<Page, void, undefined> {
    const question = toQuestion(options);
    const explain = (names: readonly WordedName[]) =>
      explainNoSeries(firstHits(names, hits_per_name), passes && ' that passes result_filter');
    const given = Object.entries(question.selection!);
    if (passes && !given.every(([field, id]) => passes({ [field]: id })))
      return yield { series: [], nothing: explain([]) };
    let limit = FIRST_PAGE;
    for (let offset = 0; passes === undefined; offset += limit, limit = NEXT_PAGE) {
      const page = await askResolution({ ...question, hits_per_name, limit, offset });
      if (page === null) break;
      yield page;
      if (!page.more) return;
    }
    const asked = passes && (await askResolution({ ...question, hits_per_name: ALL_HITS, limit: 0 }));
    const names = asked?.names ?? (await resolveByBase(base, question));
    let isFound = false;
    for await (const one of findByBase(base, firstHits(names, hits_per_name, passes), question)) {
      isFound = true;
      yield { series: [one] };
    }
    if (!isFound) yield { series: [], nothing: explain(names) };
  }

  return { findDataSeries: findDataSeries as FindOperations['findDataSeries'] };
}

/** Returns each name with the first `max` of its hits that pass the filter. */
function firstHits(
  names: readonly WordedName[],
  max: number,
  filter: (selection: Selection) => boolean = () => true,
): NamedField[] {
  return fieldsOf(names).map((name) => {
    const passing = name.hits.filter(({ id }) => filter({ [name.field]: id }));
    return { ...name, hits: passing.slice(0, max) };
  });
}

function toQuestion({ start_date, end_date, signal, ...options }: FindOptions): ResolveOptions {
  const names: { [Word in (typeof NAMED_WORDS)[number]['word']]?: string } = {};
  const selection: Selection = {};
  for (const { word, field } of NAMED_WORDS) {
    const given = options[word];
    if (typeof given === 'number') selection[field] = given;
    else if (given !== undefined) names[word] = given;
  }
  return { ...names, selection, start_date, end_date, signal };
}
