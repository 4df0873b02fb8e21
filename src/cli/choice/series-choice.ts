import { type Command, Option } from 'commander';
import { candidateOf } from '../../client/discovery/candidates.js';
import { type Coverage, rankByCoverage } from '../../compute/ranking.js';
import type { Client } from '../../create-client.js';
import type { SearchableType } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import { FREQUENCIES } from '../../model/frequency.js';
import type { Selection } from '../../model/selection.js';
import { type DataSeries, type SeriesKey, seriesKeyText } from '../../model/series.js';
import { parseTime } from '../../model/time.js';
import { date } from '../options/option-values.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { frequencyName, parseSeriesKey } from './series-text.js';

/** What series are chosen by: each word is a name, which is searched, or an id. */
export interface SeriesWords {
  readonly metric?: string | undefined;
  readonly item?: string | undefined;
  readonly region?: string | undefined;
  readonly partner_region?: string | undefined;
  readonly source?: string | undefined;
  readonly frequency?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

/** A found series with the figures that put it where it stands. */
export type FoundSeries = DataSeries & { readonly coverage: Coverage };

const SEARCHED = [
  ['metric', 'metrics', 'metric_id'],
  ['item', 'items', 'item_id'],
  ['region', 'regions', 'region_id'],
  ['partner_region', 'regions', 'partner_region_id'],
] as const satisfies readonly (readonly [keyof SeriesWords, SearchableType, keyof SeriesKey])[];

/** Adds the options that narrow series down besides their names. */
export function addNarrowingOptions(command: Command): Command {
  return command
    .option('--partner_region <name>', 'the other region, as in trade; a name or an id')
    .option('--source <name>', 'only this source; a part of its name, or its id')
    .addOption(
      new Option('--frequency <name>', 'only this frequency').choices(FREQUENCIES.map(({ name }) => name)),
    )
    .addOption(new Option('--start <date>', 'from this date on').argParser(date))
    .addOption(new Option('--end <date>', 'up to this date').argParser(date));
}

/** The series that the words select, best first: hits in their order, then by coverage of the wanted period. */
export async function* findSeries(
  client: Client,
  words: SeriesWords,
  signal: AbortSignal,
): AsyncGenerator<FoundSeries, void, undefined> {
  const fits = narrowing(words);
  for await (const series of rankedSeries(client, words, signal)) if (fits(series)) yield series;
}

/** The best of them. @throws NothingFoundError that names the word which finds nothing, where it is one word's fault */
export async function bestSeries(
  client: Client,
  words: SeriesWords,
  signal: AbortSignal,
): Promise<FoundSeries> {
  for await (const series of findSeries(client, words, signal)) return series;
  throw await nothingFound(client, words, signal);
}

/** The series of a key as `cropframe find` prints it. @throws ArgumentError for other text; NothingFoundError */
export async function seriesOfKey(client: Client, text: string, signal: AbortSignal): Promise<DataSeries> {
  const key = parseSeriesKey(text);
  if (key === null) {
    throw new ArgumentError(
      'series',
      `"${text}" is no series key: six ids joined by -, as "cropframe find" prints them`,
    );
  }
  const found = await client.getDataSeries(key, { signal });
  const series = found.find((one) => seriesKeyText(one) === text);
  if (series === undefined) throw new NothingFoundError(`there is no series ${text}`);
  return series;
}

/** Why the words found nothing. */
export async function nothingFound(
  client: Client,
  words: SeriesWords,
  signal: AbortSignal,
): Promise<NothingFoundError> {
  for (const [word, type] of SEARCHED) {
    const name = words[word];
    if (name === undefined || isId(name)) continue;
    if ((await client.search(type, name, { signal })).length === 0) {
      return new NothingFoundError(`nothing among the ${type} is called "${name}"`);
    }
  }
  return new NothingFoundError('no data series is available for the selection');
}

async function* rankedSeries(
  client: Client,
  words: SeriesWords,
  signal: AbortSignal,
): AsyncGenerator<FoundSeries, void, undefined> {
  const names = Object.fromEntries(
    SEARCHED.filter(([word]) => words[word] !== undefined && !isId(words[word])).map(([word]) => [
      word,
      words[word]!,
    ]),
  );
  const dates = {
    ...(words.start === undefined ? {} : { start_date: words.start }),
    ...(words.end === undefined ? {} : { end_date: words.end }),
  };
  if (Object.keys(names).length > 0) {
    yield* client.findDataSeries({ ...names, ...dates, explain: true, signal });
    return;
  }
  const found = await client.getDataSeries(idsOf(words), { signal });
  const wanted = { startMs: timeOf(words.start, 'start'), endMs: timeOf(words.end, 'end') };
  for (const { series, coverage } of rankByCoverage(found.map(candidateOf), wanted))
    yield { ...series, coverage };
}

function narrowing(words: SeriesWords): (series: DataSeries) => boolean {
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
    SEARCHED.filter(([word]) => isId(words[word])).map(([word, , field]) => [field, Number(words[word])]),
  );
}

function isId(word: string | undefined): boolean {
  return word !== undefined && /^\d+$/.test(word);
}

function timeOf(text: string | undefined, argument: string): number | null {
  return text === undefined ? null : parseTime(text, argument);
}
