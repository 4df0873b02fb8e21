import { type Command, Option } from 'commander';
import type { Cutoff, DegreeDayMethod, TemperatureUnit } from '../../agronomy/degree-days/plan.js';
import {
  CUTOFFS,
  DEGREE_DAY_METHODS,
  TEMPERATURE_SYMBOLS,
  TEMPERATURE_UNITS,
} from '../../agronomy/degree-days/plan.js';
import type { RegionDegreeDays } from '../../agronomy/models/growing-degree-days.js';
import type { Client } from '../../create-client.js';
import { ArgumentError } from '../../model/errors.js';
import { seriesKeyText } from '../../model/series.js';
import { addConnectionOptions, connectionOf, withClient } from '../options/connection.js';
import { date, each, finiteNumber, share } from '../options/option-values.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { type CommandContext, remark, writeJson } from '../terminal/io.js';
import { clearProgress, watched } from '../terminal/progress.js';
import { type TextColumn, writeTable } from '../terminal/text-table.js';

interface GddOptions {
  readonly region: readonly string[];
  readonly base: number;
  readonly cap?: number | undefined;
  readonly start: string;
  readonly end: string;
  readonly method?: DegreeDayMethod | undefined;
  readonly cutoff?: Cutoff | undefined;
  readonly coverage: number;
  readonly unit: TemperatureUnit;
  readonly atTime?: string | undefined;
  readonly json?: boolean | undefined;
}

const HELP = `
The daily minimum and maximum temperatures come from the series that cover the interval best. Days without both of them
count 0; when the share of days with both is below --coverage, the exit code is 5 and nothing is printed.

Examples:
  $ cropframe gdd --region Seattle --base 10 --cap 30 --start 2015-05-01 --end 2015-09-30
  $ cropframe gdd --region Seattle --region "New York" --base 50 --cap 86 --unit fahrenheit \\
      --method mcmaster-wilhelm-2 --start 2015-05-01 --end 2015-09-30`;

/** `cropframe gdd`: growing degree days of regions. */
export function addGddCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('gdd')
    .summary('growing degree days of regions')
    .description('Growing degree days of regions, both dates included.')
    .addOption(
      new Option('--region <name>', 'where; may be given several times')
        .argParser(each)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--base <degrees>', 'no growth at or below it')
        .argParser(finiteNumber)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--cap <degrees>', 'no more growth above it (default: none)').argParser(finiteNumber),
    )
    .addOption(new Option('--start <date>', 'first day').argParser(date).makeOptionMandatory())
    .addOption(new Option('--end <date>', 'last day').argParser(date).makeOptionMandatory())
    .addOption(
      new Option('--method <method>', 'how a day is pictured (default: average)').choices(DEGREE_DAY_METHODS),
    )
    .addOption(new Option('--cutoff <cutoff>', 'what --cap does (default: horizontal)').choices(CUTOFFS))
    .addOption(new Option('--coverage <share>', 'least share of days with data').argParser(share).default(1))
    .addOption(
      new Option('--unit <unit>', 'of base, cap and result').choices(TEMPERATURE_UNITS).default('celsius'),
    )
    .addOption(new Option('--at-time <date>', 'only what was available at that time').argParser(date))
    .option('--json', 'print totals with daily values, method and series as JSON')
    .addHelpText('after', HELP);
  addConnectionOptions(command).action((options: GddOptions) =>
    withClient(context, connectionOf(command), async (client) => {
      const found = await findDegreeDays(context, client, options);
      if (options.json === true) return writeJson(context.stdout, found.map(asJson));
      await writeTotals(context, found);
    }),
  );
}

async function findDegreeDays(
  context: CommandContext,
  client: Client,
  { region, base, cap, start, end, atTime, ...options }: GddOptions,
): Promise<RegionDegreeDays[]> {
  try {
    return await client.findDegreeDays({
      region_names: region,
      base_temperature: base,
      start_date: start,
      end_date: end,
      min_temporal_coverage: options.coverage,
      temperature_unit: options.unit,
      ...(cap === undefined ? {} : { upper_temperature_cap: cap }),
      ...(options.method === undefined ? {} : { method: options.method }),
      ...(options.cutoff === undefined ? {} : { cutoff: options.cutoff }),
      ...(atTime === undefined ? {} : { at_time: atTime }),
      ...watched(context),
    });
  } catch (error) {
    clearProgress(context);
    throw isNothingFound(error) ? new NothingFoundError(error.message) : error;
  }
}

/** A name that finds nothing is a wrong argument to the client; to a script it is a result. */
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
