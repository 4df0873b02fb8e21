import { randomInt } from 'node:crypto';
import { type Command, Option } from 'commander';
import { getAccessToken } from '../../client/access-token.js';
import type { Client } from '../../create-client.js';
import { csvPieces } from '../../frame/formats/csv.js';
import { fromColumns } from '../../frame/formats/rows.js';
import { writeWhole } from '../../frame/formats/write-file.js';
import { readColumn } from '../../frame/table/columns.js';
import { ArgumentError, RuntimeError } from '../../model/errors.js';
import type { DataSeries } from '../../model/series.js';
import { nearestWord } from '../choice/nearest-word.js';
import { chooseRandomSeries, type SelectedNames } from '../choice/random-choice.js';
import { seededRandom } from '../choice/seeded-random.js';
import { seriesTitle } from '../choice/series-text.js';
import {
  addConnectionOptions,
  type ConnectionOptions,
  connectionOf,
  hostOf,
  tokenOf,
  withClient,
} from '../options/connection.js';
import type { Frame } from '../options/frame-output.js';
import { wholeNumber } from '../options/option-values.js';
import { type CommandContext, remark, write, writeJson, writeLine } from '../terminal/io.js';
import { readPassword } from '../terminal/password.js';

export interface RandomSeriesOptions extends SelectedNames {
  user_email?: string | undefined;
  user_password?: string | undefined;
  print_token?: boolean | undefined;
  file: string;
  seed?: number | undefined;
  json?: boolean | undefined;
}

const GROUP = 'Without a command, a random series is written as CSV:';
const LARGEST_SEED = 2 ** 32 - 1;

/** The specification's tool, which stands on the command itself: a random series of a selection as a CSV file. */
export function addRandomSeriesTool(program: Command, context: CommandContext): void {
  const options = [
    new Option('--item <name>', 'what is measured; the first search hit is taken'),
    new Option('--metric <name>', 'how it is measured'),
    new Option('--region <name>', 'where'),
    new Option('--partner_region <name>', 'the other region, as in trade'),
    new Option('--file <file>', 'the CSV file; - is standard output').default('cropframe-output.csv'),
    new Option('--seed <n>', 'makes the choice repeatable').argParser(wholeNumber(0, LARGEST_SEED)),
    new Option('--json', 'print the chosen series and the seed as JSON'),
    new Option('--user_email <email>', 'sign in, when there is no token'),
    new Option('--user_password <password>', 'asked for without echo when absent'),
    new Option('--print_token', 'print the token and end'),
  ];
  for (const option of options) program.addOption(option.helpGroup(GROUP));
  addConnectionOptions(program);
  program.action((options: RandomSeriesOptions, command: Command) => runTool(context, options, command));
}

async function runTool(
  context: CommandContext,
  options: RandomSeriesOptions,
  command: Command,
): Promise<void> {
  if (command.args.length > 0) throw unknownCommand(command);
  const connection = connectionOf(command);
  if (connection.store !== undefined && options.print_token !== true) {
    return withClient(context, connection, (client) => writeRandomSeries(context, client, options));
  }
  const token = await signedInToken(context, options, connection);
  if (options.print_token === true) return writeLine(context.stdout, token);
  await withClient(context, { ...connection, token }, (client) =>
    writeRandomSeries(context, client, options),
  );
}

async function signedInToken(
  context: CommandContext,
  { user_email, user_password }: RandomSeriesOptions,
  connection: ConnectionOptions,
): Promise<string> {
  const token = tokenOf(context, connection);
  if (token !== undefined) {
    if (user_email !== undefined) await remark(context, 'a token is given, so that --user_email is not used');
    return token;
  }
  if (user_email === undefined) {
    throw new RuntimeError('one of --token, --user_email and the environment variable API_TOKEN is required');
  }
  const password = user_password ?? (await readPassword(context));
  const api_host = hostOf(context, connection);
  return getAccessToken({ api_host, email: user_email, password, signal: context.signal });
}

async function writeRandomSeries(
  context: CommandContext,
  client: Client,
  options: RandomSeriesOptions,
): Promise<void> {
  const seed = options.seed ?? randomInt(LARGEST_SEED);
  const { signal } = context;
  const series = await chooseRandomSeries(client, options, { random: seededRandom(seed), signal });
  const frame = await unitFrame(client, series, signal);
  const { file } = options;
  if (file === '-') {
    for (const part of csvPieces(frame)) await write(context.stdout, part);
  } else await writeWhole(file, csvPieces(frame), signal);
  if (options.json === true && file !== '-') {
    return writeJson(context.stdout, { file, rows: frame.numRows, seed, series });
  }
  const rows = frame.numRows.toLocaleString('en-US');
  await remark(
    context,
    `${seriesTitle(series)}\n${rows} points in ${file}; --seed ${seed} repeats the choice`,
  );
}

/** Every point of a series with the abbreviation of its unit: start_date, end_date, value, unit_abbreviation. */
async function unitFrame(client: Client, series: DataSeries, signal: AbortSignal): Promise<Frame> {
  const { start_date: _, end_date: __, ...selection } = series;
  const table = await client.getDataPointsTable({ ...selection, signal });
  const ids = readColumn(table, 'unit_id').values as Int32Array;
  const unitIds = [...new Set(ids)];
  const units = await client.lookup('units', unitIds, { signal });
  return fromColumns({
    start_date: readColumn(table, 'start_date'),
    end_date: readColumn(table, 'end_date'),
    value: readColumn(table, 'value'),
    unit_abbreviation: {
      type: 'dictionary',
      values: ids.map((id) => unitIds.indexOf(id)),
      categories: unitIds.map((id) => units[id]?.abbreviation ?? String(id)),
      valid: null,
    },
  });
}

/** A word that is no command comes to the command itself, as an argument. */
function unknownCommand(command: Command): ArgumentError {
  const word = command.args[0]!;
  const known = command.commands.map((one) => one.name());
  const meant = nearestWord(word, known);
  const remedy = meant === null ? `there are ${known.join(', ')}` : `did you mean "${meant}"?`;
  return new ArgumentError('command', `there is no command "${word}"; ${remedy}`);
}
