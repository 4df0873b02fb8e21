import { TEMPERATURE_SYMBOLS } from '../../agronomy/degree-days/plan.js';
import type { RegionDegreeDays, RegionsGrowingOptions } from '../../agronomy/models/growing-degree-days.js';
import type { Client } from '../../create-client.js';
import { ArgumentError } from '../../model/errors.js';
import { seriesKeyText } from '../../model/series.js';
import { warnOfNames } from '../choice/names.js';
import { withClient } from '../connection/with-client.js';
import type { ConnectionOptions } from '../options/connection.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import {
  type CommandContext,
  clearProgress,
  progressOptions,
  remark,
  warnOfAll,
  writeJson,
} from '../terminal/io.js';
import { type TextColumn, writeTable } from '../terminal/text-table.js';

interface GddOptions {
  readonly request: RegionsGrowingOptions;
  readonly json?: boolean | undefined;
}

export function computeGdd(
  context: CommandContext,
  connection: ConnectionOptions,
  { request, json }: GddOptions,
): Promise<void> {
  return withClient(context, connection, async (client) => {
    const found = await findDegreeDays(context, client, request);
    await warnOfNames(
      context,
      found.map(({ taken }) => ({ taken: { region: taken } })),
    );
    await warnOfAll(
      context,
      found.flatMap(({ region_name, notes }) => notes.map((note) => `${region_name}: ${note}`)),
    );
    if (json === true) return writeJson(context.stdout, found.map(asJson));
    await writeTotals(context, found);
  });
}

async function findDegreeDays(
  context: CommandContext,
  client: Client,
  request: RegionsGrowingOptions,
): Promise<RegionDegreeDays[]> {
  try {
    return await client.growingDegreeDays({ ...request, explain: true, ...progressOptions(context) });
  } catch (error) {
    clearProgress(context);
    throw isNothingFound(error) ? new NothingFoundError(error.message) : error;
  }
}

/** The client rejects an unknown name as a wrong argument; the command has an exit code for it. */
function isNothingFound(error: unknown): error is ArgumentError {
  return error instanceof ArgumentError && ['region_name', 'items', 'metrics'].includes(error.argument);
}

const COLUMNS: readonly TextColumn[] = [
  { title: 'region' },
  { title: 'degree days', align: 'right' },
  { title: 'unit' },
  { title: 'days', align: 'right' },
  { title: 'with data', align: 'right' },
  { title: 'source' },
];

async function writeTotals(context: CommandContext, found: readonly RegionDegreeDays[]): Promise<void> {
  const rows = found.map((one) => [
    one.region_name,
    one.total.toFixed(2),
    `${TEMPERATURE_SYMBOLS[one.temperature_unit]}·d`,
    String(one.days),
    `${(one.coverage * 100).toFixed(1)} %`,
    one.tmin_series.source_name ?? String(one.tmin_series.source_id),
  ]);
  await writeTable(context, COLUMNS, rows);
  const { method, cutoff, base, cap, temperature_unit } = found[0]!;
  const upTo = cap === null ? '' : `, cap ${cap} (${cutoff})`;
  await remark(context, `method ${method}, base ${base}${upTo}, ${temperature_unit}`);
}

function asJson({ daily, accumulated, tmin_series, tmax_series, ...rest }: RegionDegreeDays): object {
  return {
    ...rest,
    tmin_series: { key: seriesKeyText(tmin_series), ...tmin_series },
    tmax_series: { key: seriesKeyText(tmax_series), ...tmax_series },
    daily: [...daily],
    accumulated: [...accumulated],
  };
}
