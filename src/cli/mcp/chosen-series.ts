import type { ExplainedSeries } from '../../client/discovery/resolution.js';
import { rankSeries } from '../../compute/found-series.js';
import type { LongFrame } from '../../frame/frame.js';
import { readProvenance } from '../../frame/table/provenance.js';
import { ArgumentError } from '../../model/errors.js';
import { plural } from '../../model/names/plural.js';
import type { Provenance } from '../../model/provenance.js';
import { formatDay, parsePeriod } from '../../model/time.js';
import { explainNoneKnown } from '../choice/as-of.js';
import { findBestSeries, findSeriesByKey, periodText } from '../choice/series-choice.js';
import type { Asking } from '../connection/with-client.js';
import type { RetrievalOptions, SeriesWords } from '../options/flag-groups.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { formatShare, SERIES_INPUT } from './tool.js';

/** Returns the share of the requested period that a series covers, or null if no period is requested. */
export function requestedShare(
  { coverage }: Pick<ExplainedSeries, 'coverage'>,
  { start_date, end_date }: Pick<SeriesWords, 'start_date' | 'end_date'>,
): number | null {
  return start_date === undefined && end_date === undefined ? null : coverage.share;
}

/** Formats the covered share of the requested period as a one-element list, or returns an empty list for null. */
export function shareTexts(share: number | null): string[] {
  return share === null ? [] : [`covers ${formatShare(share)} of the requested period`];
}

export function pointCount(points: number): string {
  return `${points} ${plural('point', points)}`;
}

const SELECTING = Object.keys(SERIES_INPUT) as (keyof typeof SERIES_INPUT)[];

/** Returns the series with the given key, or else the best match for the words, along with its coverage. */
export async function chooseSeries(
  call: Asking,
  { key, ...words }: SeriesWords & { readonly key?: string | undefined },
): Promise<ExplainedSeries> {
  const namedWords = SELECTING.filter((word) => words[word] !== undefined);
  if (key === undefined) {
    if (namedWords.length > 0) return findBestSeries(call, words).catch(advise);
    throw new ArgumentError(
      'series',
      'no series selected; set series to a key from find_series, or set metric, item and region',
    );
  }
  if (namedWords.length > 0)
    throw new ArgumentError('series', `series selects a whole series; omit ${namedWords.join(', ')}`);
  const series = await findSeriesByKey(call, key);
  return rankSeries([series], parsePeriod(words))[0]!;
}

/** Rethrows an error, and adds advice to it if it is a NothingFoundError. @throws always */
export function advise(error: unknown): never {
  if (!(error instanceof NothingFoundError)) throw error;
  const advice = 'look up names with search, or call find_series with fewer words';
  throw new NothingFoundError(`${error.message}; ${advice}`);
}

/** Returns one note for each metric, item or region that was not specified and was chosen only by its coverage. */
export function noteUnnamed(
  words: SeriesWords & { readonly key?: string | undefined },
  series: ExplainedSeries,
): string[] {
  if (words.key !== undefined) return [];
  return (['metric', 'item', 'region'] as const)
    .filter((word) => words[word] === undefined)
    .map(
      (word) =>
        `no ${word} was named, and "${series[`${word}_name`] ?? series[`${word}_id`]}" was used, which has the best coverage; find_series lists the others`,
    );
}

type Retrieval = Pick<SeriesWords, 'start_date' | 'end_date'> &
  Pick<RetrievalOptions, 'at_time'> & { readonly unit?: string | undefined };

/**
 * Retrieves the points of several series into one long frame with provenance.
 * @throws NothingFoundError, with a remedy, if there are no points; PartialDataError if a series failed
 */
export async function retrieveLongFrame(
  call: Asking,
  series: readonly ExplainedSeries[],
  { start_date, end_date, unit, at_time }: Retrieval,
): Promise<{ frame: LongFrame; provenance: Provenance }> {
  const { client, signal } = call;
  for (const { coverage: _, ...one } of series) client.addSingleDataSeries({ ...one, start_date, end_date });
  const frame = await client.getDf({ unit_id: unit, at_time, include_names: true, signal });
  if (frame.numRows === 0) {
    const [first] = series;
    const why =
      at_time === undefined
        ? 'request a different period, or no period to get all points'
        : `${await explainNoneKnown(call, first!, at_time)}. Use one of these as at_time; do not omit it, because the latest figures contain later knowledge`;
    throw new NothingFoundError(`${describeNoPoints(series, { start_date, end_date, at_time })}; ${why}`);
  }
  return { frame, provenance: readProvenance(frame)! };
}

function describeNoPoints(
  series: readonly ExplainedSeries[],
  { start_date, end_date, at_time }: Retrieval,
): string {
  const asOf = at_time === undefined ? '' : ` as of ${at_time}`;
  const period = `${periodText({ start_date, end_date })}${asOf}`;
  const [{ coverage }] = series as readonly [ExplainedSeries];
  const last = Number.isFinite(coverage.endMs) ? `; its data end on ${formatDay(coverage.endMs)}` : '';
  return `there are no points${period}${series.length === 1 ? last : ''}`;
}
