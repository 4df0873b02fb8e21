import { type Command, Option } from 'commander';
import { GROWING_FIELDS, REGION_NAMES } from '../../agronomy/degree-days/plan.js';
import type { RegionsGrowingOptions } from '../../agronomy/models/growing-degree-days.js';
import { addConnectionOptions, readConnection } from '../options/connection.js';
import { fieldOption, parametersOf, repeated } from '../options/series.js';
import type { CommandContext } from '../terminal/io.js';

const HELP = `
The daily minimum and maximum temperatures come from the series that best cover the period. A day without both
temperatures counts as 0 degree days. If the share of days with both is below --coverage, the command prints no result
and exits with code 5.

Examples:
  $ cropframe gdd --region Seattle --base 10 --cap 30 --start 2015-05-01 --end 2015-09-30
  $ cropframe gdd --region Seattle --region "New York" --base 50 --cap 86 --unit fahrenheit \\
      --method mcmaster-wilhelm-2 --start 2015-05-01 --end 2015-09-30`;

/** `cropframe gdd`: growing degree days of regions. */
export function addGddCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('gdd')
    .summary('compute growing degree days of regions')
    .description('Compute the growing degree days of regions over a period, both dates inclusive.');
  for (const option of gddOptions()) command.addOption(option);
  command.addHelpText('after', HELP);
  addConnectionOptions(command).action(async ({ region, json, ...options }) => {
    const { computeGdd } = await import('../actions/gdd.js');
    const request = { region_name: region, ...parametersOf(FLAGS, options) } as RegionsGrowingOptions;
    await computeGdd(context, readConnection(command), { request, json });
  });
}

/** The flag of each parameter of `growingDegreeDays`. */
const FLAGS = {
  base_temperature: '--base <degrees>',
  upper_temperature_cap: '--cap <degrees>',
  start_date: '--start <date>',
  end_date: '--end <date>',
  method: '--method <method>',
  cutoff: '--cutoff <cutoff>',
  min_temporal_coverage: '--coverage <share>',
  temperature_unit: '--unit <unit>',
  at_time: '--at-time <date>',
} as const satisfies Record<keyof typeof GROWING_FIELDS, string>;

const DEFAULTS: Partial<Record<string, unknown>> = { min_temporal_coverage: 1, temperature_unit: 'celsius' };

function gddOptions(): Option[] {
  return [
    repeated(fieldOption('--region <name>', REGION_NAMES)),
    ...Object.entries(FLAGS).map(([name, flag]) =>
      fieldOption(flag, GROWING_FIELDS[name as keyof typeof FLAGS]).default(DEFAULTS[name]),
    ),
    new Option('--json', 'print totals, daily values, method and series as JSON'),
  ];
}
