import type { FoundSeries } from '../../client/discovery/find-series.js';
import type { Client } from '../../create-client.js';
import { ArgumentError } from '../../model/errors.js';
import { warnOfNames } from '../choice/names.js';
import { findBestSeries, findSeriesByKey, noSeriesError } from '../choice/series-choice.js';
import { type ListedSeries, readSeriesList } from '../choice/series-list.js';
import { seriesTitle } from '../choice/series-text.js';
import { withClient } from '../connection/with-client.js';
import { retrieveFrame } from '../frames/retrieve-frame.js';
import { outputFormat, writeFrame } from '../frames/write-frame.js';
import type { ConnectionOptions } from '../options/connection.js';
import { csvOptionsOf, type FrameOutputOptions } from '../options/frame-output.js';
import type { RetrievalOptions } from '../options/retrieval.js';
import type { SeriesWords } from '../options/series.js';
import { EXIT, NothingFoundError } from '../terminal/exit-codes.js';
import { type CommandContext, remark, warnOfAll } from '../terminal/io.js';

export interface DfOptions
  extends Omit<SeriesWords, 'metric' | 'item' | 'region'>,
    RetrievalOptions,
    FrameOutputOptions {
  readonly file?: string | undefined;
  readonly metric?: readonly string[] | undefined;
  readonly item?: readonly string[] | undefined;
  readonly region?: readonly string[] | undefined;
  readonly series?: readonly string[] | undefined;
  readonly wide?: boolean | undefined;
  readonly shortNames?: boolean | undefined;
}

export async function retrieveSeries(
  context: CommandContext,
  connection: ConnectionOptions,
  options: DfOptions,
): Promise<void> {
  const format = outputFormat(context, options);
  const names = options.names === true || format === 'display';
  const wanted = await listWanted(context, options);
  await withClient(context, connection, async (client) => {
    const series = await chooseAll(context, client, wanted);
    const frame = await retrieveFrame(context, client, { ...options, names, series });
    await writeFrame(context, frame, { format, out: options.out, ...csvOptionsOf(options) });
  });
}

type Wanted = ListedSeries | { readonly key: string };

/** The series of the file, of the keys and of the combinations of names, in this order. */
async function listWanted(context: CommandContext, options: DfOptions): Promise<Wanted[]> {
  const { file } = options;
  const fromFile = file === undefined ? [] : await readSeriesList(file, context);
  const keys = (options.series ?? []).map((key) => ({ key }));
  const words = combinations(options).map((one) => ({ words: one }));
  const wanted = [...fromFile, ...keys, ...words];
  if (wanted.length === 0) {
    throw new ArgumentError(
      'series',
      'no series selected; give a FILE, --series KEY, or --metric, --item and --region',
    );
  }
  return wanted;
}

/** Every combination of the given names, with the options that all of them share. */
function combinations({ metric, item, region, ...options }: DfOptions): SeriesWords[] {
  if (metric === undefined && item === undefined && region === undefined) return [];
  const { partner_region, source, frequency, start, end } = options;
  let chosen: SeriesWords[] = [{ partner_region, source, frequency, start, end }];
  for (const [word, names] of Object.entries({ metric, item, region })) {
    if (names !== undefined)
      chosen = chosen.flatMap((one) => names.map((name) => ({ ...one, [word]: name })));
  }
  return chosen;
}

/** The series that exist. One of several that does not is warned of, and sets the exit code of partial data. */
async function chooseAll(
  context: CommandContext,
  client: Client,
  wanted: readonly Wanted[],
): Promise<FoundSeries[]> {
  const choices = await Promise.allSettled(wanted.map((one) => choose(client, one, context.signal)));
  const chosen: FoundSeries[] = [];
  const unmatched: string[] = [];
  for (const [at, choice] of choices.entries()) {
    if (choice.status === 'fulfilled') {
      chosen.push(choice.value);
      await remark(context, seriesTitle(choice.value));
    } else if (choice.reason instanceof NothingFoundError && wanted.length > 1) {
      unmatched.push(`${describeWanted(wanted[at]!)}: ${choice.reason.message}`);
    } else throw choice.reason;
  }
  await warnOfNames(context, chosen);
  await warnOfAll(context, unmatched);
  if (unmatched.length > 0) context.exitCode = EXIT.partialData;
  if (chosen.length === 0) throw noSeriesError();
  return chosen;
}

async function choose(client: Client, wanted: Wanted, signal: AbortSignal): Promise<FoundSeries> {
  if ('series' in wanted) return wanted.series;
  return 'key' in wanted
    ? findSeriesByKey(client, wanted.key, signal)
    : findBestSeries(client, wanted.words, signal);
}

function describeWanted(wanted: Wanted): string {
  if ('key' in wanted) return wanted.key;
  if ('series' in wanted) return seriesTitle(wanted.series);
  return Object.values(wanted.words)
    .filter((word) => word !== undefined)
    .join(', ');
}
