import type { Command } from 'commander';
import { ArgumentError } from '../../model/errors.js';
import { addNarrowingOptions, bestSeries, type SeriesWords, seriesOfKey } from '../choice/series-choice.js';
import { seriesTitle } from '../choice/series-text.js';
import { addConnectionOptions, connectionOf, withClient } from '../options/connection.js';
import {
  addFrameOutputOptions,
  type FrameOutputOptions,
  plannedFormat,
  writeFrame,
} from '../options/frame-output.js';
import { addRetrievalOptions, type RetrievalOptions, retrieveFrame } from '../options/retrieval.js';
import { type CommandContext, remark } from '../terminal/io.js';

interface PointsOptions extends SeriesWords, RetrievalOptions, FrameOutputOptions {
  readonly series?: string | undefined;
}

const HELP = `
Of several series that fit, the best covered one is taken: the first that "cropframe find" lists.

Examples:
  $ cropframe points --item "Temperature max" --region Seattle --start 2015-06-01 --end 2015-08-31
  $ cropframe points --metric yield --item corn --region Washington --unit kg/ha --out yield.parquet
  $ cropframe points --metric yield --item corn --region Washington --at-time 2010-01-01 --format json`;

/** `cropframe points`: the points of one series. */
export function addPointsCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('points')
    .summary('retrieve the points of one series')
    .description('Retrieve the points of one series.')
    .option('--metric <name>', 'how it is measured; a name or an id')
    .option('--item <name>', 'what is measured; a name or an id')
    .option('--region <name>', 'where; a name or an id')
    .option('--series <key>', 'a series by the key that "cropframe find" prints');
  addNarrowingOptions(command);
  addRetrievalOptions(command);
  addFrameOutputOptions(command).addHelpText('after', HELP);
  addConnectionOptions(command).action((options: PointsOptions) => {
    checkChoice(options);
    const format = plannedFormat(context, options);
    const names = options.names === true || format === 'display';
    return withClient(context, connectionOf(command), async (client) => {
      const { signal } = context;
      const chosen =
        options.series === undefined
          ? await bestSeries(client, options, signal)
          : await seriesOfKey(client, options.series, signal);
      await remark(context, seriesTitle(chosen));
      const frame = await retrieveFrame(context, client, { ...options, names, series: [chosen] });
      await writeFrame(context, frame, { format, out: options.out });
    });
  });
}

const CHOOSING = ['metric', 'item', 'region', 'partner_region', 'source', 'frequency'] as const;

function checkChoice(options: PointsOptions): void {
  const given = CHOOSING.filter((word) => options[word] !== undefined);
  if (options.series === undefined && given.length === 0) {
    throw new ArgumentError('series', 'say which series: --metric, --item and --region, or --series KEY');
  }
  if (options.series !== undefined && given.length > 0) {
    throw new ArgumentError('series', `--series says all of a series; leave out --${given.join(', --')}`);
  }
}
