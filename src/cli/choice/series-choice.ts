import { candidateOf } from '../../client/discovery/candidates.js';
import { isGuess, isReplacement, whyNotReplaced } from '../../client/discovery/combinations.js';
import type { ExplainedSeries } from '../../client/discovery/find-series.js';
import { rankByCoverage } from '../../compute/ranking.js';
import type { Client } from '../../create-client.js';
import type { MatchedName, SearchableType } from '../../model/entity.js';
import { ArgumentError, shownList } from '../../model/errors.js';
import { FREQUENCIES } from '../../model/frequency.js';
import type { Selection } from '../../model/selection.js';
import {
  type DataSeries,
  NAMED_WORDS,
  parseSeriesKey,
  type SeriesKey,
  seriesKeyText,
} from '../../model/series.js';
import { parsePeriod } from '../../model/time.js';
import type { SeriesWords } from '../options/flag-groups.js';
import { NothingFoundError } from '../terminal/exit-codes.js';

/** The series that the words select: in the order of the search hits, then by coverage of the wanted period. */
async function* findSeries(
  client: Client,
  request: SeriesWords,
  signal: AbortSignal,
): AsyncGenerator<ExplainedSeries, void, undefined> {
  const words = { ...request };
  for (const word of ['region', 'partner_region'] as const)
    if (isId(words[word])) {
      const region = await resolveNumber(client, 'regions', { requested: words[word]!, signal });
      words[word] = String(region?.id ?? words[word]);
    }
  const fits = filterOf(words);
  const isMeant = filterOf({ ...words, source: undefined, frequency: undefined });
  /** The exact series of other sources and frequencies: a guess would be no better. */
  const others = new Set<string>();
  let isFound = false;
  for await (const series of rankedSeries(client, words, signal)) {
    if (!isMeant(series)) continue;
    const guessed = isGuess(series);
    if (guessed && !isFound && others.size > 0) throw otherSourcesError(others);
    if (fits(series)) {
      isFound = true;
      yield series;
    } else if (!guessed) others.add(`${series.source_name ?? series.source_id} (${frequencyName(series)})`);
  }
  if (!isFound && others.size > 0) throw otherSourcesError(others);
}

const MAX_OTHERS = 5;

function otherSourcesError(others: ReadonlySet<string>): NothingFoundError {
  const listed = shownList([...others], MAX_OTHERS);
  return new NothingFoundError(
    `no data series of this source and frequency is available for the selection; it has ${listed}`,
  );
}

/** The first of the series that words select. */
interface FirstSeries {
  readonly found: readonly ExplainedSeries[];
  /** Whether there are more. */
  readonly more: boolean;
  /** The named region, where it has no such series and these are of the regions that it contains. */
  readonly within?: string | undefined;
}

/**
 * So many of these series. Where the named region has none, those of the regions that it contains take the place of guesses.
 * @throws NothingFoundError when there is none
 */
export async function findFirstSeries(
  client: Client,
  words: SeriesWords,
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<FirstSeries> {
  const found: ExplainedSeries[] = [];
  for await (const series of findSeries(client, words, signal)) {
    const region = series.matched?.region;
    if (found.length === 0 && region !== undefined && isReplacement(region)) {
      const within = await findWithinRegion(client, words, signal);
      if (within !== null) return firstOf(within, limit);
    }
    if (found.length === limit) return { found, more: true };
    found.push(series);
  }
  if (found.length > 0) return { found, more: false };
  const within = await findWithinRegion(client, words, signal);
  if (within === null) throw await nothingFoundError(client, words, signal);
  return firstOf(within, limit);
}

function firstOf({ found, within }: Omit<FirstSeries, 'more'>, limit: number): FirstSeries {
  return { found: found.slice(0, limit), more: found.length > limit, within };
}

/** The series of the regions that the named region contains; null unless every name is exact and there are some. */
async function findWithinRegion(
  client: Client,
  words: SeriesWords,
  signal: AbortSignal,
): Promise<Omit<FirstSeries, 'more'> | null> {
  if (words.region === undefined) return null;
  const selection: Selection = {};
  let within = '';
  for (const { word, type, field } of NAMED_WORDS) {
    const requested = words[word];
    if (requested === undefined) continue;
    const match = await resolveEntity(client, type, { requested, signal });
    if (match?.exact !== true) return null;
    selection[field] = match.id;
    if (word === 'region') within = match.name;
  }
  const contained = await client.getDescendant('regions', selection.region_id as number, {
    include_details: false,
    signal,
  });
  if (contained.length === 0) return null;
  const regions = { ...selection, region_id: contained.map(({ id }) => id) };
  const ranked = await rankListed(client, regions, { words, signal });
  const found = ranked.filter(filterOf({ source: words.source, frequency: words.frequency }));
  return found.length === 0 ? null : { found, within };
}

/**
 * Finds the first series that matches.
 * @throws NothingFoundError that names the term without a hit. It also names the region or entity when only regions
 *   within it, or weaker matches, have such series.
 */
export async function findBestSeries(
  client: Client,
  words: SeriesWords,
  signal: AbortSignal,
): Promise<ExplainedSeries> {
  const { found, within } = await findFirstSeries(client, words, { limit: 1, signal });
  if (within === undefined) {
    const reason = whyNotReplaced(found[0]!);
    if (reason !== undefined) throw new NothingFoundError(reason);
    return found[0]!;
  }
  throw new NothingFoundError(
    `"${within}" has no such series, but regions that it contains have, such as "${found[0]!.region_name}"; name one of them, or compute the figure from all of them with "cropframe from-parts"`,
  );
}

/** The series with a key as `cropframe find` prints it. @throws ArgumentError for another text; NothingFoundError */
export async function findSeriesByKey(
  client: Client,
  text: string,
  signal: AbortSignal,
): Promise<DataSeries> {
  const key = parseSeriesKey(text);
  if (key === null) {
    throw new ArgumentError(
      'series',
      `"${text}" is not a series key; a key is six ids joined by -, such as 30-110-10053-0-9-22`,
    );
  }
  const found = await client.getDataSeries(key, { signal });
  const series = found.find((one) => seriesKeyText(one) === text);
  if (series === undefined) throw new NothingFoundError(`there is no series ${text}`);
  return series;
}

/** The error for words that select no series. */
async function nothingFoundError(
  client: Client,
  words: SeriesWords,
  signal: AbortSignal,
): Promise<NothingFoundError> {
  for (const { word, type } of NAMED_WORDS) {
    const name = words[word];
    if (name === undefined || isId(name)) continue;
    if ((await client.search(type, name, { signal })).length === 0) {
      return noHitError(type, name);
    }
  }
  return new NothingFoundError(`${noSeriesError().message}; with fewer words, "cropframe find" lists others`);
}

export function noSeriesError(): NothingFoundError {
  return new NothingFoundError('no data series is available for the selection');
}

/** The error for a name that no entity has. */
export function noHitError(type: SearchableType, name: string): NothingFoundError {
  return new NothingFoundError(`no ${type} found for "${name}"`);
}

async function* rankedSeries(
  client: Client,
  words: SeriesWords,
  signal: AbortSignal,
): AsyncGenerator<ExplainedSeries, void, undefined> {
  const { start_date, end_date } = words;
  const given = NAMED_WORDS.flatMap(({ word }) =>
    words[word] === undefined ? [] : [[word, words[word]] as const],
  );
  if (given.every(([, name]) => isId(name))) {
    yield* await rankListed(client, idsOf(words), { words, signal });
    return;
  }
  const names = Object.fromEntries(given.map(([word, name]) => [word, isId(name) ? Number(name) : name]));
  yield* client.findDataSeries({ ...names, start_date, end_date, explain: true, signal });
}

/** The series of a selection, those that cover the wanted period best first. */
async function rankListed(
  client: Client,
  selection: Selection,
  { words, signal }: { words: SeriesWords; signal: AbortSignal },
): Promise<ExplainedSeries[]> {
  const found = await client.getDataSeries(selection, { signal });
  const candidates = found.map((one) => candidateOf(one, one.source_id));
  return rankByCoverage(candidates, parsePeriod(words)).map(({ series, coverage }) => ({
    ...series,
    coverage,
  }));
}

/** A period in words, after "no points"; empty where none is wanted. */
export function periodText({ start_date, end_date }: Pick<SeriesWords, 'start_date' | 'end_date'>): string {
  const from = start_date === undefined ? '' : ` from ${start_date}`;
  return end_date === undefined ? from : `${from} to ${end_date}`;
}

/** Whether a series has the ids, the source and the frequency of the words. */
export function filterOf(words: SeriesWords): (series: DataSeries) => boolean {
  const ids = Object.entries(idsOf(words)) as [keyof SeriesKey, number][];
  const { frequency } = words;
  return (series) =>
    ids.every(([field, id]) => series[field] === id) &&
    (words.source === undefined || isFrom(series, words.source)) &&
    (frequency === undefined || frequencyName(series) === frequency);
}

function isFrom({ source_id, source_name = '' }: DataSeries, source: string): boolean {
  return isId(source)
    ? source_id === Number(source)
    : source_name.toLowerCase().includes(source.toLowerCase());
}

function idsOf(words: SeriesWords): Selection {
  return Object.fromEntries(
    NAMED_WORDS.filter(({ word }) => isId(words[word])).map(({ word, field }) => [
      field,
      Number(words[word]),
    ]),
  );
}

/** Whether a word is an id, and not a name; codes may begin with a zero. */
function isId(word: string | undefined): boolean {
  return word !== undefined && /^(?:0|[1-9]\d*)$/.test(word);
}

/** The entity of a word, which is an id, a code or a name; undefined when there is none. */
export function resolveEntity(
  client: Client,
  type: SearchableType,
  { requested, signal }: { requested: string; signal: AbortSignal },
): Promise<MatchedName | undefined> {
  return isId(requested)
    ? resolveNumber(client, type, { requested, signal })
    : client.resolveName(type, requested, { signal });
}

/** The entity that a number is the id of, or else the code of, as FIPS 19169 is of a county. */
async function resolveNumber(
  client: Client,
  type: SearchableType,
  { requested, signal }: { requested: string; signal: AbortSignal },
): Promise<MatchedName | undefined> {
  const { [Number(requested)]: entity } = await client.lookup(type, [Number(requested)], { signal });
  if (entity !== undefined) return { requested, id: entity.id, name: entity.name, exact: true };
  const match = await client.resolveName(type, requested, { signal });
  return match?.exact === true ? match : undefined;
}

/** A series in words: item, metric, region, frequency and source. */
export function seriesTitle(series: DataSeries): string {
  const { metric_name, item_name, region_name, partner_region_id, partner_region_name, source_name } = series;
  const partner = partner_region_id === 0 ? undefined : `with ${partner_region_name ?? partner_region_id}`;
  const parts = [item_name, metric_name, region_name, partner, frequencyName(series), source_name];
  return parts.filter((part) => part !== undefined && part !== '').join(', ');
}

export function frequencyName({ frequency_id }: Pick<SeriesKey, 'frequency_id'>): string {
  return FREQUENCIES.find(({ id }) => id === frequency_id)?.name ?? String(frequency_id);
}
