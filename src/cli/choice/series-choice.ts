import type { ExplainedSeries, Resolution } from '../../client/discovery/resolution.js';
import { badArgument } from '../../model/errors.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { explainReplacement } from '../../model/names/meaning.js';
import {
  type DataSeries,
  parseSeriesKey,
  type SeriesKey,
  seriesKeyOf,
  seriesKeyText,
} from '../../model/series.js';
import { formatDay, isDay, parseTime } from '../../model/time.js';
import type { Asking } from '../connection/with-client.js';
import type { SeriesWords } from '../options/flag-groups.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { frequencyIds } from './names.js';

/**
 * Finds series by name, in the same order as `findDataSeries`. If the requested region has no series, finds series of
 * the regions within it, rather than of regions with similar names, and returns the requested region as `within`. If
 * the text asks for a derived figure that can be computed from these series, `computed` is its name.
 * @throws NothingFoundError, with the reason, if no series matches
 */
export async function findFirstSeries(
  { client, signal }: Asking,
  words: SeriesWords & { readonly text?: string },
  limit: number,
) {
  const { text, metric, item, region, partner_region, source, start_date, end_date, frequency } = words;
  const found: ExplainedSeries[] = [];
  for (;;) {
    const { names, series, more, within, computed, unread, nothing } = await client.resolve({
      ...{ text, metric, item, region, partner_region, source, start_date, end_date },
      selection: { frequency_id: frequencyIds(frequency) },
      ...{ ids: true, within: true, signal },
      offset: found.length,
      limit: Math.min(MAX_PAGE, limit - found.length),
    });
    if (unread !== undefined) throw new NothingFoundError(`no name matches "${unread[0]}"; omit it`);
    found.push(...series);
    if (found.length === 0) throw explainNothing(names, nothing);
    if (!more || found.length >= limit) return { found, more, within, computed };
  }
}

const MAX_PAGE = 10_000;

function explainNothing(names: Resolution['names'], reason = noSeriesError().message): NothingFoundError {
  const isUnknown = names.some(({ hits }) => hits.length === 0);
  const advice = isUnknown ? '' : '; to list others, run "cropframe find" with fewer words';
  return new NothingFoundError(`${reason}${advice}`);
}

/** Finds the best series for the given names. @throws NothingFoundError, with alternatives, if no series matches */
export async function findBestSeries(call: Asking, words: SeriesWords): Promise<ExplainedSeries> {
  const { found, within } = await findFirstSeries(call, words, 1);
  if (within === undefined) {
    const reason = explainReplacement(found[0]!);
    if (reason !== undefined) throw new NothingFoundError(reason);
    return found[0]!;
  }
  throw new NothingFoundError(
    `"${within}" has no such series, but some regions within it do, such as "${found[0]!.region_name}"; specify one of them, or compute the figure from all of them with "cropframe from-parts"`,
  );
}

/** Finds a series by its key, as printed by `cropframe find`. @throws NothingFoundError if there is no such series */
export async function findSeriesByKey({ client, signal }: Asking, text: string): Promise<DataSeries> {
  const key = parseSeriesKey(text);
  if (key === null) throw badArgument('series', `"${text}" is not a series key, such as 30-110-10053-0-9-22`);
  const found = await client.getDataSeries(key, { signal });
  const series = found.find((one) => seriesKeyText(one) === text);
  if (series === undefined)
    throw new NothingFoundError(`there is no series ${text}; run "cropframe find" to list series keys`);
  return series;
}

export function noSeriesError(): NothingFoundError {
  return new NothingFoundError('no data series is available for the selection');
}

/** Formats a period for use after "no points". Returns an empty string if no period is requested. */
export function periodText({ start_date, end_date }: Pick<SeriesWords, 'start_date' | 'end_date'>): string {
  const from = start_date === undefined ? '' : ` from ${start_date}`;
  return end_date === undefined ? from : `${from} to ${end_date}`;
}

export function seriesTitle(series: DataSeries): string {
  const { metric_name, item_name, region_name, partner_region_id, partner_region_name, source_name } = series;
  const partner = partner_region_id === 0 ? undefined : `with ${partner_region_name ?? partner_region_id}`;
  const parts = [item_name, metric_name, region_name, partner, frequencyName(series), source_name];
  return parts.filter((part) => part !== undefined && part !== '').join(', ');
}

export function frequencyName({ frequency_id }: Pick<SeriesKey, 'frequency_id'>): string {
  return FREQUENCIES.find(({ id }) => id === frequency_id)?.name ?? String(frequency_id);
}

/** Returns the times at which a series' figures became available, in UTC milliseconds, in ascending order. */
async function availableTimes({ client, signal }: Asking, series: SeriesKey): Promise<number[]> {
  const { available_dates } = await client.vintages(seriesKeyOf(series), { limit: 10_000, signal });
  return available_dates.map(({ date }) => parseTime(date, 'date'));
}

/** Explains that a date without a time means 00:00 UTC, if this excludes figures from later that day. */
export async function explainDayAlone(
  call: Asking,
  series: readonly SeriesKey[],
  at_time: string,
): Promise<string | undefined> {
  if (!isDay(at_time)) return undefined;
  const listed = await Promise.all(series.map((one) => availableTimes(call, one)));
  return noteOnDay(listed.flat(), at_time);
}

function noteOnDay(times: readonly number[], at_time: string): string | undefined {
  if (!isDay(at_time)) return undefined;
  const startMs = parseTime(at_time, 'at_time');
  const later = times.filter((ms) => ms > startMs && formatDay(ms) === at_time);
  if (later.length === 0) return undefined;
  return `figures became available on ${momentText(Math.min(...later))}; a date without a time means 00:00 UTC, so they are omitted. Use ${at_time}T23:59:59Z to include them`;
}

/** Explains why none of a series' figures were available at a time, and lists when its figures became available. */
export async function explainNoneKnown(call: Asking, series: SeriesKey, at_time: string): Promise<string> {
  const times = await availableTimes(call, series);
  const ofDay = noteOnDay(times, at_time);
  if (ofDay !== undefined) return ofDay;
  const [first] = times;
  if (first === undefined) return 'it has no figures';
  if (first <= parseTime(at_time, 'at_time'))
    return 'figures for other periods were available then; request a different period';
  const shown = times.slice(0, MAX_SHOWN).map(momentText).join(', ');
  return `its figures became available on ${shown}${times.length > MAX_SHOWN ? ' and later' : ''}`;
}

const MAX_SHOWN = 5;

/** Formats a time as in `2026-06-11 at 17:00 UTC`. */
function momentText(ms: number): string {
  return `${formatDay(ms)} at ${new Date(ms).toISOString().slice(11, 16)} UTC`;
}
