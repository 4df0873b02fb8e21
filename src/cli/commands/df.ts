import { type Command, Option } from 'commander';
import { FIELDS } from '../../model/arguments/fields.js';
import type { DfOptions } from '../actions/df.js';
import { addConnectionOptions, readConnection } from '../options/connection.js';
import { addFrameOutputOptions } from '../options/frame-output.js';
import { addRetrievalOptions } from '../options/retrieval.js';
import { addSeriesOptions, fieldOption, repeated } from '../options/series.js';
import type { CommandContext } from '../terminal/io.js';

const HELP = `
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
  addFrameOutputOptions(command).addHelpText('after', HELP);
  addConnectionOptions(command).action(async (file: string | undefined, options: DfOptions) => {
    const { retrieveSeries } = await import('../actions/df.js');
    await retrieveSeries(context, readConnection(command), { ...options, file });
  });
}
