import { type Command, Option } from 'commander';
import { WANTED_PERIOD } from '../../../model/arguments/fields.js';
import type { FindOptions } from '../../actions/discovery/find.js';
import type { FindPlaceOptions } from '../../actions/discovery/find-place.js';
import { addConnectionOptions, readConnection } from '../../options/connection.js';
import { parsePlace, wholeNumberParser } from '../../options/option-values.js';
import { addSeriesOptions, SERIES_WORDS } from '../../options/series.js';
import type { CommandContext } from '../../terminal/io.js';

const HELP = `
Series are listed in the order of the search hits. Those of one metric, item and region are ordered by the share of the
period from --start to --end that they cover (by default, the period of the longest series), then by their number of
points, then by recency. Use the key in the first column with "cropframe points --series" and "cropframe df --series".

--at finds regions in place of series: the district, province and country that contain a place, and the nearest weather
station that has data. Give their ids as --region.

Examples:
  $ cropframe find --item "Temperature max" --region Seattle
  $ cropframe find --metric yield --item corn --start 2005-01-01 --limit 1000 --json > series.json
  $ cropframe find --at 47.61,-122.33`;

/** `cropframe find`: series by name, with their coverage. */
export function addFindCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('find')
    .summary('find data series, best covered first')
    .description('Find data series by metric, item and region, best covered first.');
  addSeriesOptions(command, { period: WANTED_PERIOD })
    .addOption(
      new Option('--limit <n>', 'maximum number of series (default: 20)').argParser(wholeNumberParser(1)),
    )
    .addOption(
      new Option('--at <lat,lon>', 'find the regions of a place in degrees, instead of series')
        .argParser(parsePlace)
        .conflicts(SERIES_WORDS),
    )
    .option('--json', 'print what is found as JSON')
    .addHelpText('after', HELP);
  addConnectionOptions(command).action(
    async ({ at, ...options }: FindOptions & Partial<FindPlaceOptions>) => {
      if (at !== undefined) {
        const { findPlace } = await import('../../actions/discovery/find-place.js');
        return findPlace(context, readConnection(command), { at, json: options.json });
      }
      const { findSeriesByWords } = await import('../../actions/discovery/find.js');
      await findSeriesByWords(context, readConnection(command), options);
    },
  );
}
