import { randomInt } from 'node:crypto';
import { getAccessToken } from '../../client/access-token.js';
import type { AvailableCombination } from '../../client/entities.js';
import { NO_UNIT_ID } from '../../columns/point-columns.js';
import { csvPieces } from '../../frame/formats/csv.js';
import { knownFormatOf } from '../../frame/formats/frame-formats.js';
import { writeWhole } from '../../frame/formats/write-file.js';
import { readUnitIds } from '../../frame/table/series-view.js';
import { MAX_SEED, seededRandom } from '../../frame/verbs/seeded-random.js';
import { badArgument, RuntimeError } from '../../model/errors.js';
import { plural } from '../../model/names/plural.js';
import type { Selection } from '../../model/selection.js';
import { compareSeriesKeys, type DataSeries } from '../../model/series.js';
import { resolveSelection } from '../choice/names.js';
import { noSeriesError, seriesTitle } from '../choice/series-choice.js';
import type { SAMPLE } from '../commands/retrieval.js';
import {
  type Asking,
  type ClientContext,
  resolveHost,
  resolveToken,
  withClient,
} from '../connection/with-client.js';
import type { InputValues } from '../options/flags.js';
import { type CommandContext, remark, writeJson, writeLine } from '../terminal/io.js';
import { readPassword } from '../terminal/password.js';
import { type Frame, writePiece } from '../terminal/write-frame.js';

type SampleOptions = InputValues<(typeof SAMPLE)['takes']>;

export async function writeSample(context: CommandContext, options: SampleOptions): Promise<void> {
  const { file, store, print_token } = options;
  if ((knownFormatOf(file) ?? 'csv') !== 'csv')
    throw badArgument(
      'file',
      `${file} does not end in .csv; for other formats, use "cropframe points --out"`,
    );
  const token = store === undefined || print_token === true ? await obtainToken(context, options) : undefined;
  if (print_token === true) {
    if (token === undefined) throw new RuntimeError(NO_TOKEN);
    return writeLine(context.stdout, token);
  }
  try {
    await withClient(context, { ...options, token }, (client) =>
      writeSampleFile({ ...context, client }, options),
    );
  } catch (error) {
    throw error instanceof RuntimeError
      ? new RuntimeError(`${NO_TOKEN}; to read a store, use --store FILE`)
      : error;
  }
}

const NO_TOKEN = 'one of --token, --user_email and the environment variable API_TOKEN is required';

/** Returns the configured token, or a new one for the given user, or `undefined` if neither is given. */
async function obtainToken(context: CommandContext, options: SampleOptions): Promise<string | undefined> {
  const { user_email, user_password } = options;
  const token = resolveToken(context, options);
  if (token !== undefined && user_email !== undefined)
    await remark(context, '--user_email is ignored because a token is given');
  if (token !== undefined || user_email === undefined) return token;
  const password = user_password ?? (await readPassword(context));
  const api_host = resolveHost(context, options);
  return getAccessToken({ api_host, email: user_email, password, signal: context.signal });
}

async function writeSampleFile(context: ClientContext, options: SampleOptions): Promise<void> {
  const { file, seed = randomInt(MAX_SEED) } = options;
  const { signal } = context;
  const named = await resolveSelection(context, options);
  const series = await chooseRandomSeries(context, named, seededRandom(seed));
  const frame = await unitFrame(context, series);
  if (file === '-') {
    for await (const part of csvPieces(frame)) await writePiece(context, part, 'csv');
  } else await writeWhole(file, csvPieces(frame), { signal, argument: 'file' });
  if (options.json === true && file !== '-')
    return writeJson(context.stdout, { file, rows: frame.numRows, seed, series });
  const rows = frame.numRows.toLocaleString('en-US');
  const points = `${rows} ${plural('point', frame.numRows)}`;
  await remark(context, `${seriesTitle(series)}\n${points} in ${file}; --seed ${seed} repeats the choice`);
}

/** Builds a frame of a series' points, with the columns start_date, end_date, value and unit_abbreviation. */
async function unitFrame({ client, signal }: Asking, series: DataSeries): Promise<Frame> {
  const { start_date: _, end_date: __, ...selection } = series;
  const points = await client.getDataPointsTable({ ...selection, signal });
  const ids = [...new Set(readUnitIds(points))].filter((id) => id !== NO_UNIT_ID);
  const units = await client.lookup('units', ids, { signal });
  return points
    .withColumn('unit_abbreviation', ({ unit_id: id }) => (id ? (units[id]?.abbreviation ?? `${id}`) : null))
    .select(['start_date', 'end_date', 'value', 'unit_abbreviation']);
}

/**
 * Chooses a random series from a selection. If the selection is empty, first chooses random entities that have data.
 * @throws NothingFoundError if the selection has no series
 */
async function chooseRandomSeries(call: Asking, named: Selection, random: () => number): Promise<DataSeries> {
  const isNamed = Object.values(named).some((ids) => ids !== undefined);
  const selection = isNamed ? named : await randomEntities(call, random);
  const found = await call.client.getDataSeries(selection, { signal: call.signal });
  if (found.length === 0) throw noSeriesError();
  return pickOne([...found].sort(compareSeriesKeys), random);
}

async function randomEntities({ client, signal }: Asking, random: () => number): Promise<Selection> {
  const items = await client.getAvailable('items', { signal });
  const ids = items.map(({ id }) => id).sort((a, b) => a - b);
  const ranked = ids.map((id) => ({ id, rank: random() })).sort((a, b) => a.rank - b.rank);
  for (const { id: item_id } of ranked) {
    const available = await client.listAvailable({ item_id }, { signal });
    if (available.length === 0) continue;
    const { metric_id, region_id } = pickOne([...available].sort(compareIds), random);
    return { metric_id, item_id, region_id };
  }
  throw noSeriesError();
}

function compareIds(a: AvailableCombination, b: AvailableCombination): number {
  const region = (a.region_id ?? 0) - (b.region_id ?? 0);
  return a.metric_id - b.metric_id || region || (a.source_id ?? 0) - (b.source_id ?? 0);
}

function pickOne<Element>(list: readonly Element[], random: () => number): Element {
  return list[Math.floor(random() * list.length)]!;
}
