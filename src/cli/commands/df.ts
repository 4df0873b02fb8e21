import { type Command, Option } from 'commander';
import type { Client } from '../../create-client.js';
import { ArgumentError } from '../../model/errors.js';
import type { DataSeries } from '../../model/series.js';
import { addNarrowingOptions, bestSeries, type SeriesWords, seriesOfKey } from '../choice/series-choice.js';
import { type ListedSeries, readSeriesList } from '../choice/series-list.js';
import { seriesTitle } from '../choice/series-text.js';
import { addConnectionOptions, connectionOf, withClient } from '../options/connection.js';
import {
  addFrameOutputOptions,
  type FrameOutputOptions,
  plannedFormat,
  writeFrame,
} from '../options/frame-output.js';
import { each } from '../options/option-values.js';
import { addRetrievalOptions, type RetrievalOptions, retrieveFrame } from '../options/retrieval.js';
import { EXIT, NothingFoundError } from '../terminal/exit-codes.js';
import { type CommandContext, remark, warn } from '../terminal/io.js';

interface DfOptions
  extends Omit<SeriesWords, 'metric' | 'item' | 'region'>,
    RetrievalOptions,
    FrameOutputOptions {
  readonly metric?: readonly string[] | undefined;
  readonly item?: readonly string[] | undefined;
  readonly region?: readonly string[] | undefined;
  readonly series?: readonly string[] | undefined;
  readonly wide?: boolean | undefined;
}

const HELP = `
--metric, --item, --region and --series may be given several times: of every combination of the names the best covered
series is taken. A combination without data is told on stderr, and the exit code is then 5. FILE is a JSON list of
series as "cropframe find --json" prints it, or of objects like {"item": "corn", "region": "Washington"}; - is
standard input.

Examples:
  $ cropframe df --item "Temperature min" --item "Temperature max" --region Seattle --region "New York" --wide
  $ cropframe find --item corn --json | cropframe df - --names --out corn.parquet`;

/** `cropframe df`: several series in one frame. */
export function addDfCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('df')
    .summary('retrieve several series into one frame')
    .description('Retrieve several series into one frame: a row a point, or with --wide a column a series.')
    .argument('[file]', 'a JSON list of series; - is standard input')
    .addOption(new Option('--metric <name>', 'how it is measured; a name or an id').argParser(each))
    .addOption(new Option('--item <name>', 'what is measured; a name or an id').argParser(each))
    .addOption(new Option('--region <name>', 'where; a name or an id').argParser(each))
    .addOption(
      new Option('--series <key>', 'a series by the key that "cropframe find" prints').argParser(each),
    )
    .option('--wide', 'one column a series, end_date first')
    .option('--allow-partial', 'write what arrived even when a series failed');
  addNarrowingOptions(command);
  addRetrievalOptions(command);
  addFrameOutputOptions(command).addHelpText('after', HELP);
  addConnectionOptions(command).action(async (file: string | undefined, options: DfOptions) => {
    const format = plannedFormat(context, options);
    const names = options.names === true || format === 'display';
    const listed = await listSeries(context, file, options);
    await withClient(context, connectionOf(command), async (client) => {
      const series = await chooseAll(context, client, listed);
      const frame = await retrieveFrame(context, client, { ...options, names, series });
      await writeFrame(context, frame, { format, out: options.out });
    });
  });
}

type Wanted = ListedSeries | { readonly key: string };

async function listSeries(
  context: CommandContext,
  file: string | undefined,
  options: DfOptions,
): Promise<Wanted[]> {
  const fromFile = file === undefined ? [] : await readSeriesList(file, context);
  const keys = (options.series ?? []).map((key) => ({ key }));
  const words = combinations(options).map((one) => ({ words: one }));
  const wanted = [...fromFile, ...keys, ...words];
  if (wanted.length === 0) {
    throw new ArgumentError(
      'series',
      'say which series: a FILE, --series KEY, or --metric, --item and --region',
    );
  }
  return wanted;
}

/** Every combination of the given names, with what holds for all of them. */
function combinations({ metric, item, region, ...shared }: DfOptions): SeriesWords[] {
  if (metric === undefined && item === undefined && region === undefined) return [];
  const { partner_region, source, frequency, start, end } = shared;
  const same = Object.fromEntries(
    Object.entries({ partner_region, source, frequency, start, end }).filter(
      ([, word]) => word !== undefined,
    ),
  ) as SeriesWords;
  let chosen: SeriesWords[] = [same];
  for (const [word, names] of Object.entries({ metric, item, region })) {
    if (names !== undefined)
      chosen = chosen.flatMap((one) => names.map((name) => ({ ...one, [word]: name })));
  }
  return chosen;
}

/** The series of a list that are to be had; what finds nothing is told, and makes the data partial. */
async function chooseAll(
  context: CommandContext,
  client: Client,
  wanted: readonly Wanted[],
): Promise<DataSeries[]> {
  const choices = await Promise.allSettled(wanted.map((one) => choose(client, one, context.signal)));
  const chosen: DataSeries[] = [];
  for (const [at, choice] of choices.entries()) {
    if (choice.status === 'fulfilled') {
      chosen.push(choice.value);
      await remark(context, seriesTitle(choice.value));
    } else if (choice.reason instanceof NothingFoundError && wanted.length > 1) {
      await warn(context, `${wordsText(wanted[at]!)}: ${choice.reason.message}`);
      context.exitCode = EXIT.partialData;
    } else throw choice.reason;
  }
  if (chosen.length === 0) throw new NothingFoundError('no data series is available for the selection');
  return chosen;
}

async function choose(client: Client, wanted: Wanted, signal: AbortSignal): Promise<DataSeries> {
  if ('series' in wanted) return wanted.series;
  return 'key' in wanted ? seriesOfKey(client, wanted.key, signal) : bestSeries(client, wanted.words, signal);
}

function wordsText(wanted: Wanted): string {
  if ('key' in wanted) return wanted.key;
  return 'words' in wanted ? Object.values(wanted.words).join(', ') : seriesTitle(wanted.series);
}
