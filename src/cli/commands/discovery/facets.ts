import { type Command, Option } from 'commander';
import { FACETS } from '../../../model/selection.js';
import type { FacetsOptions } from '../../actions/discovery/facets.js';
import { addConnectionOptions, readConnection } from '../../options/connection.js';
import { wholeNumberParser } from '../../options/option-values.js';
import { addSelectionOptions, repeated } from '../../options/series.js';
import type { CommandContext } from '../../terminal/io.js';

const HELP = `
Each facet is counted as if the selection did not restrict it: with --item corn, the items are those that the other options
leave, and all else is what corn has. Counts are of series in their newest state.

Examples:
  $ cropframe facets --store farm.duckdb
  $ cropframe facets --item corn --metric yield --in regions --limit 20
  $ cropframe facets --item corn --text wash --json`;

/** `cropframe facets`: the series of a selection, counted. */
export function addFacetsCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('facets')
    .summary('count series by metric, item, region, source and frequency')
    .description(
      'Count the series of a selection by metric, item, region, partner region, source and frequency.',
    );
  addSelectionOptions(command, { repeatable: true })
    .option('--text <words>', 'only what these words find, by name, synonym or code')
    .addOption(repeated(new Option('--in <facet>', 'count this facet only').choices(FACETS)))
    .addOption(
      new Option('--limit <n>', 'maximum number of values of a facet')
        .argParser(wholeNumberParser(1, 10_000))
        .default(10),
    )
    .option('--json', 'print the counts as JSON')
    .addHelpText('after', HELP);
  addConnectionOptions(command).action(async (options: FacetsOptions) => {
    const { listFacets } = await import('../../actions/discovery/facets.js');
    await listFacets(context, readConnection(command), options);
  });
}
