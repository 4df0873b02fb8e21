import { type Command, Option } from 'commander';
import { CUTOFFS, DEGREE_DAY_METHODS, TEMPERATURE_UNITS } from '../../agronomy/degree-days/plan.js';
import { FIELDS } from '../../model/arguments/fields.js';
import type { GddOptions } from '../actions/gdd.js';
import { addConnectionOptions, readConnection } from '../options/connection.js';
import { parseDate, parseNumber, parseShare } from '../options/option-values.js';
import { fieldOption, repeated } from '../options/series.js';
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
  addConnectionOptions(command).action(async (options: GddOptions) => {
    const { computeGdd } = await import('../actions/gdd.js');
    await computeGdd(context, readConnection(command), options);
  });
}

function gddOptions(): Option[] {
  return [
    repeated(new Option('--region <name>', 'name of a region').makeOptionMandatory()),
    new Option('--base <degrees>', 'base temperature (required)')
      .argParser(parseNumber)
      .makeOptionMandatory(),
    new Option('--cap <degrees>', 'upper temperature cap (default: none)').argParser(parseNumber),
    new Option('--start <date>', 'first day (required)').argParser(parseDate).makeOptionMandatory(),
    new Option('--end <date>', 'last day (required)').argParser(parseDate).makeOptionMandatory(),
    new Option('--method <method>', 'degree-day method (default: average)').choices(DEGREE_DAY_METHODS),
    new Option('--cutoff <cutoff>', 'cutoff above the cap (default: horizontal)').choices(CUTOFFS),
    new Option('--coverage <share>', 'minimum share of days with data, from 0 to 1')
      .argParser(parseShare)
      .default(1),
    new Option('--unit <unit>', 'unit of the base, the cap and the result')
      .choices(TEMPERATURE_UNITS)
      .default('celsius'),
    fieldOption('--at-time <date>', FIELDS.at_time),
    new Option('--json', 'print totals, daily values, method and series as JSON'),
  ];
}
