import { type Command, Option } from 'commander';
import { needed } from '../../model/arguments/checks.js';
import { FIELDS } from '../../model/arguments/fields.js';
import type { AreaWeightingOptions } from '../actions/area-weighting.js';
import { addConnectionOptions, readConnection } from '../options/connection.js';
import { addFrameOutputOptions } from '../options/frame-output.js';
import { fieldOption, repeated } from '../options/series.js';
import type { CommandContext } from '../terminal/io.js';

const HELP = `
A region's weight is the mean of --weight over all stored periods, whatever --start and --end say; of several weights, the
product of their means. "sum" adds value × weight over the regions, and has no value in a period that lacks a region with a
weight. "normalize" divides by the weights of the regions that have a value; weight_present is their share of the total
weight.

Of the series of a metric and an item, those of the source and the frequency that the largest number of the regions have are
taken. Regions without data or without a weight are reported on standard error, and the exit code is then 5.

Examples:
  $ cropframe area-weighting --metric yield --item corn --weight "area harvested" --method normalize \\
      --region Iowa --region Illinois
  $ cropframe area-weighting --metric precipitation --item precipitation --weight "corn: area harvested" \\
      --region Iowa --region Illinois --start 2010-01-01 --out rain.parquet`;

/** `cropframe area-weighting`: a series weighted over regions by other series. */
export function addAreaWeightingCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('area-weighting')
    .summary('weight a series over regions by area or another metric')
    .description(
      'Weight a series over regions by area, or by whatever the weights measure: one value a period.',
    );
  for (const option of areaWeightingOptions()) command.addOption(option);
  addFrameOutputOptions(command).addHelpText('after', HELP);
  addConnectionOptions(command).action(async (options: AreaWeightingOptions) => {
    const { weightByArea } = await import('../actions/area-weighting.js');
    await weightByArea(context, readConnection(command), options);
  });
}

function areaWeightingOptions(): Option[] {
  return [
    new Option(
      '--metric <name>',
      'metric that is weighted; a name or an id (required)',
    ).makeOptionMandatory(),
    new Option('--item <name>', 'item that is weighted; a name or an id (required)').makeOptionMandatory(),
    repeated(
      new Option(
        '--weight <metric>',
        'metric that weighs, of the same item or, as in "corn: area harvested", of another',
      ).makeOptionMandatory(),
    ),
    repeated(fieldOption('--region <name>', needed(FIELDS.region))),
    new Option('--method <method>', 'sum, or their weighted mean')
      .choices(['sum', 'normalize'])
      .default('sum'),
    fieldOption('--source <name>', FIELDS.source),
    fieldOption('--frequency <name>', FIELDS.frequency),
    fieldOption('--start <date>', FIELDS.start_date),
    fieldOption('--end <date>', FIELDS.end_date),
  ];
}
