import { candidateOf } from '../../client/discovery/candidates.js';
import type { ExplainedSeries } from '../../client/discovery/find-series.js';
import { rankByCoverage } from '../../compute/ranking.js';
import type { Client } from '../../create-client.js';
import type { SearchableType } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import { FREQUENCIES } from '../../model/frequency.js';
import type { Selection } from '../../model/selection.js';
import {
  type DataSeries,
  NAMED_WORDS,
  parseSeriesKey,
  type SeriesKey,
  seriesKeyText,
} from '../../model/series.js';
import { parseTime } from '../../model/time.js';
import type { SeriesWords } from '../options/series.js';
import { NothingFoundError } from '../terminal/exit-codes.js';

/** The series that the words select: in the order of the search hits, then by coverage of the wanted period. */
export async function* findSeries(
  client: Client,
  words: SeriesWords,
  signal: AbortSignal,
): AsyncGenerator<ExplainedSeries, void, undefined> {
  const fits = filterOf(words);
  for await (const series of rankedSeries(client, words, signal)) if (fits(series)) yield series;
}

/** The first of these series. @throws NothingFoundError, with the name that has no hit where there is one */
export async function findBestSeries(
  client: Client,
  words: SeriesWords,
  signal: AbortSignal,
): Promise<ExplainedSeries> {
  for await (const series of findSeries(client, words, signal)) return series;
  throw await nothingFoundError(client, words, signal);
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
      `"${text}" is not a series key; a key is six ids joined by -, as "cropframe find" prints it`,
    );
  }
  const found = await client.getDataSeries(key, { signal });
  const series = found.find((one) => seriesKeyText(one) === text);
  if (series === undefined) throw new NothingFoundError(`there is no series ${text}`);
  return series;
}

/** The error for words that select no series. */
export async function nothingFoundError(
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
  return noSeriesError();
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
  const names = Object.fromEntries(
    NAMED_WORDS.filter(({ word }) => words[word] !== undefined && !isId(words[word])).map(({ word }) => [
      word,
      words[word]!,
    ]),
  );
  if (Object.keys(names).length > 0) {
    const { start: start_date, end: end_date } = words;
    yield* client.findDataSeries({ ...names, start_date, end_date, explain: true, signal });
    return;
  }
  const found = await client.getDataSeries(idsOf(words), { signal });
  const wanted = { startMs: timeOf(words.start, 'start'), endMs: timeOf(words.end, 'end') };
  const candidates = found.map((one) => candidateOf(one, one.source_id));
  for (const { series, coverage } of rankByCoverage(candidates, wanted)) yield { ...series, coverage };
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

/** Whether a word is an id, and not a name. */
export function isId(word: string | undefined): boolean {
  return word !== undefined && /^\d+$/.test(word);
}

function timeOf(text: string | undefined, argument: string): number | null {
  return text === undefined ? null : parseTime(text, argument);
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
