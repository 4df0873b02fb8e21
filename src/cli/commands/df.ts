import { type Command, Option } from 'commander';
import { FIELDS } from '../../model/arguments/fields.js';
import type { DfOptions, PointsOptions } from '../actions/df.js';
import { addConnectionOptions, readConnection } from '../options/connection.js';
import { addFrameOutputOptions } from '../options/frame-output.js';
import { addRetrievalOptions, addSeriesOptions, fieldOption, repeated } from '../options/series.js';
import type { CommandContext } from '../terminal/io.js';

const POINTS_HELP = `
If several series match, the command retrieves the first one that "cropframe find" lists: the best covered.

Examples:
  $ cropframe points --item "Temperature max" --region Seattle --start 2015-06-01 --end 2015-08-31
  $ cropframe points --metric yield --item corn --region Washington --unit kg/ha --out yield.parquet
  $ cropframe points --metric yield --item corn --region Washington --at-time 2010-01-01 --format json`;

/** `cropframe points`: the points of one series. */
export function addPointsCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('points')
    .summary('retrieve the points of one series')
    .description('Retrieve the points of one series.');
  addSeriesOptions(command).option('--series <key>', 'series by its key, as "cropframe find" prints it');
  addRetrievalOptions(command);
  addFrameOutputOptions(command).addHelpText('after', POINTS_HELP);
  addConnectionOptions(command).action(async (options: PointsOptions) => {
    const { retrievePoints } = await import('../actions/df.js');
    await retrievePoints(context, readConnection(command), options);
  });
}

const DF_HELP = `
When --metric, --item or --region are repeated, the command retrieves the best covered series of each combination. A
combination without data is reported on standard error, and the exit code is then 5. FILE is a JSON array of series as
"cropframe find --json" prints them, or of objects such as {"item": "corn", "region": "Washington"}; - is standard
input.

Examples:
  $ cropframe df --item "Temperature min" --item "Temperature max" --region Seattle --region "New York" --wide
  $ cropframe find --item corn --json | cropframe df - --names --out corn.parquet`;

/** `cropframe df`: several series in one frame. */
export function addDfCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('df')
    .summary('retrieve several series into one frame')
    .description(
      'Retrieve several series into one frame: one row per point, or with --wide one column per series.',
    )
    .argument('[file]', 'JSON file with an array of series; - is standard input');
  addSeriesOptions(command, { repeatable: true })
    .addOption(repeated(new Option('--series <key>', 'series by its key, as "cropframe find" prints it')))
    .option('--wide', 'one column per series, with end_date first')
    .option('--short-names', 'with --wide, columns named by what tells them apart')
    .addOption(fieldOption('--allow-partial', FIELDS.allow_partial));
  addRetrievalOptions(command);
  addFrameOutputOptions(command).addHelpText('after', DF_HELP);
  addConnectionOptions(command).action(async (file: string | undefined, options: DfOptions) => {
    const { retrieveSeries } = await import('../actions/df.js');
    await retrieveSeries(context, readConnection(command), { ...options, file });
  });
}
