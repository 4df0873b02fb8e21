import type { Command } from 'commander';
import type { PointsOptions } from '../actions/points.js';
import { addConnectionOptions, readConnection } from '../options/connection.js';
import { addFrameOutputOptions } from '../options/frame-output.js';
import { addRetrievalOptions } from '../options/retrieval.js';
import { addSeriesOptions } from '../options/series.js';
import type { CommandContext } from '../terminal/io.js';

const HELP = `
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
  addFrameOutputOptions(command).addHelpText('after', HELP);
  addConnectionOptions(command).action(async (options: PointsOptions) => {
    const { retrievePoints } = await import('../actions/points.js');
    await retrievePoints(context, readConnection(command), options);
  });
}
