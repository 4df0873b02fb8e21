import { randomInt } from 'node:crypto';
import { getAccessToken } from '../../client/access-token.js';
import { NO_UNIT_ID, unitRows } from '../../columns/point-columns.js';
import type { Client } from '../../create-client.js';
import { csvPieces } from '../../frame/formats/csv.js';
import { fromColumns } from '../../frame/formats/rows.js';
import { writeWhole } from '../../frame/formats/write-file.js';
import { readColumn } from '../../frame/table/columns.js';
import { readUnitIds } from '../../frame/table/series-view.js';
import { RuntimeError } from '../../model/errors.js';
import type { DataSeries } from '../../model/series.js';
import { warnOfNames } from '../choice/names.js';
import { chooseRandomSeries, type SelectedNames } from '../choice/random-choice.js';
import { MAX_SEED, seededRandom } from '../choice/seeded-random.js';
import { seriesTitle } from '../choice/series-text.js';
import { resolveHost, resolveToken, withClient } from '../connection/with-client.js';
import { type Frame, writePiece } from '../frames/write-frame.js';
import type { ConnectionOptions } from '../options/connection.js';
import { type CommandContext, remark, writeJson, writeLine } from '../terminal/io.js';
import { readPassword } from '../terminal/password.js';

export interface RandomSeriesOptions extends SelectedNames {
  readonly user_email?: string | undefined;
  readonly user_password?: string | undefined;
  readonly print_token?: boolean | undefined;
  readonly file: string;
  readonly seed?: number | undefined;
  readonly json?: boolean | undefined;
}

/** Writes a random series of the selection to a CSV file, or prints an access token. */
export async function writeRandomSeries(
  context: CommandContext,
  connection: ConnectionOptions,
  options: RandomSeriesOptions,
): Promise<void> {
  if (connection.store !== undefined && options.print_token !== true) {
    return withClient(context, connection, (client) => writeSeries(context, client, options));
  }
  const token = await obtainToken(context, connection, options);
  if (options.print_token === true) return writeLine(context.stdout, token);
  await withClient(context, { ...connection, token }, (client) => writeSeries(context, client, options));
}

/** The given token, or a new one for the given user. */
async function obtainToken(
  context: CommandContext,
  connection: ConnectionOptions,
  { user_email, user_password }: RandomSeriesOptions,
): Promise<string> {
  const token = resolveToken(context, connection);
  if (token !== undefined) {
    if (user_email !== undefined) await remark(context, '--user_email is ignored because a token is given');
    return token;
  }
  if (user_email === undefined) {
    throw new RuntimeError('one of --token, --user_email and the environment variable API_TOKEN is required');
  }
  const password = user_password ?? (await readPassword(context));
  const api_host = resolveHost(context, connection);
  return getAccessToken({ api_host, email: user_email, password, signal: context.signal });
}

async function writeSeries(
  context: CommandContext,
  client: Client,
  options: RandomSeriesOptions,
): Promise<void> {
  const seed = options.seed ?? randomInt(MAX_SEED);
  const { signal } = context;
  const choice = { random: seededRandom(seed), signal };
  const { taken, ...series } = await chooseRandomSeries(client, options, choice);
  await warnOfNames(context, [{ taken }]);
  const frame = await unitFrame(client, series, signal);
  const { file } = options;
  if (file === '-') {
    for (const part of csvPieces(frame)) await writePiece(context, part, 'csv');
  } else await writeWhole(file, csvPieces(frame), { signal, argument: 'file' });
  if (options.json === true && file !== '-') {
    return writeJson(context.stdout, { file, rows: frame.numRows, seed, series });
  }
  const rows = frame.numRows.toLocaleString('en-US');
  await remark(
    context,
    `${seriesTitle(series)}\n${rows} points in ${file}; --seed ${seed} repeats the choice`,
  );
}

/** The points of a series: start_date, end_date, value and unit_abbreviation. */
async function unitFrame(client: Client, series: DataSeries, signal: AbortSignal): Promise<Frame> {
  const { start_date: _, end_date: __, ...selection } = series;
  const table = await client.getDataPointsTable({ ...selection, signal });
  const ids = readUnitIds(table);
  const unitIds = [...new Set(ids)];
  const known = unitIds.filter((id) => id !== NO_UNIT_ID);
  const units = await client.lookup('units', known, { signal });
  return fromColumns({
    start_date: readColumn(table, 'start_date'),
    end_date: readColumn(table, 'end_date'),
    value: readColumn(table, 'value'),
    unit_abbreviation: {
      type: 'dictionary',
      values: ids.map((id) => unitIds.indexOf(id)),
      categories: unitIds.map((id) => units[id]?.abbreviation ?? String(id)),
      valid: unitRows(ids, ids.length),
    },
  });
}
