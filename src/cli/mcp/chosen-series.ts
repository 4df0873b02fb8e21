import { candidateOf, wantedPeriod } from '../../client/discovery/candidates.js';
import type { ExplainedSeries } from '../../client/discovery/find-series.js';
import { rankByCoverage } from '../../compute/ranking.js';
import { ArgumentError } from '../../model/errors.js';
import { findBestSeries, findSeriesByKey } from '../choice/series-choice.js';
import type { SeriesWords } from '../options/series.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { SERIES_ARGUMENTS, type ToolCall } from './tool.js';

/** The words of a selection that name series, without the period. */
const SELECTING = Object.keys(SERIES_ARGUMENTS) as (keyof typeof SERIES_ARGUMENTS)[];

/** The series with a key, or the best one that the words select, with its coverage of the wanted period. */
export async function chooseSeries(
  { client, signal }: ToolCall,
  { key, ...words }: SeriesWords & { readonly key?: string | undefined },
): Promise<ExplainedSeries> {
  const given = SELECTING.filter((word) => words[word] !== undefined);
  if (key === undefined) {
    if (given.length > 0) return findBestSeries(client, words, signal).catch(advise);
    throw new ArgumentError(
      'series',
      'no series selected; give the key that find_series returns as series, or metric, item and region',
    );
  }
  if (given.length > 0)
    throw new ArgumentError('series', `series selects a whole series; omit ${given.join(', ')}`);
  const series = await findSeriesByKey(client, key, signal);
  const wanted = wantedPeriod({ start_date: words.start, end_date: words.end });
  const [ranked] = rankByCoverage([candidateOf(series, series.source_id)], wanted);
  return { ...series, coverage: ranked!.coverage };
}

/** Adds to an error that nothing is found what to ask instead. @throws always */
export function advise(error: unknown): never {
  if (!(error instanceof NothingFoundError)) throw error;
  const advice = 'learn names with search, or ask find_series with fewer words';
  throw new NothingFoundError(`${error.message}; ${advice}`);
}

/** Notes on what was not named, and so was chosen by coverage alone. */
export function unnamedNotes(
  words: SeriesWords & { readonly key?: string | undefined },
  series: ExplainedSeries,
): string[] {
  if (words.key !== undefined) return [];
  return (['metric', 'item', 'region'] as const)
    .filter((word) => words[word] === undefined)
    .map(
      (word) =>
        `no ${word} was named, and "${series[`${word}_name`] ?? series[`${word}_id`]}" was taken for its coverage; find_series lists the others`,
    );
}
