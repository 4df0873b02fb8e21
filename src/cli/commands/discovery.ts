import { Argument, type Command, Option } from 'commander';
import { meant } from '../../model/arguments/checks.js';
import { FIELDS, WANTED_PERIOD } from '../../model/arguments/fields.js';
import { SEARCHABLE_TYPES, type SearchableType } from '../../model/entity.js';
import { ArgumentError } from '../../model/errors.js';
import { FACETS } from '../../model/selection.js';
import type { FacetsOptions } from '../actions/discovery/facets.js';
import type { FindOptions, FindPlaceOptions } from '../actions/discovery/find.js';
import type { ListOptions } from '../actions/discovery/list.js';
import type { SearchOptions } from '../actions/discovery/search.js';
import type { UnitsOptions } from '../actions/discovery/units.js';
import type { VintagesOptions } from '../actions/discovery/vintages.js';
import { addConnectionOptions, readConnection } from '../options/connection.js';
import { addFrameOutputOptions } from '../options/frame-output.js';
import { parsePlace, wholeNumberParser } from '../options/option-values.js';
import {
  addSelectionOptions,
  addSeriesOptions,
  fieldOption,
  repeated,
  SERIES_OPTIONS,
} from '../options/series.js';
import type { CommandContext } from '../terminal/io.js';

const SEARCH_HELP = `
With "all", at most 100 entities of all types are listed, those that have series first.

Examples:
  $ cropframe search all corn
  $ cropframe search items corn
  $ cropframe search regions new york --limit 3 --store farm.duckdb
  $ cropframe search metrics yield --json | jq '.[0].id'`;

/** `cropframe search`: entities by words, best first. */
export function addSearchCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('search')
    .summary('search for metrics, items, regions or sources')
    .description(
      'Search for metrics, items, regions or sources by words, best hit first, with the number of their series.',
    )
    .addArgument(new Argument('<type>', 'type of entity').choices([...SEARCHABLE_TYPES, 'all']))
    .argument('<words...>', 'words of a name, in any order')
    .addOption(
      new Option('--limit <n>', 'maximum number of results')
        .argParser(wholeNumberParser(1, 1000))
        .default(10),
    )
    .option('--json', 'print the entities as JSON')
    .addHelpText('after', SEARCH_HELP);
  addConnectionOptions(command).action(
    async (type: SearchableType | 'all', words: string[], options: SearchOptions) => {
      const terms = words.join(' ');
      if (type === 'all') {
        const { searchAll } = await import('../actions/discovery/search.js');
        return searchAll(context, readConnection(command), { ...options, terms });
      }
      const { searchEntities } = await import('../actions/discovery/search.js');
      await searchEntities(context, readConnection(command), { ...options, type, terms });
    },
  );
}

const FIND_HELP = `
Series are listed in the order of the search hits. Those of one metric, item and region are ordered by the share of the
period from --start to --end that they cover, then by their number of points, then by recency. Without --end,
series that ended more than three years before the latest come last. Use the key in the first column with
"cropframe points --series" and "cropframe df --series".

--at finds regions in place of series: the district, province and country that contain a place, and the nearest weather
station that has data. Give their ids as --region.

Examples:
  $ cropframe find corn yield iowa
  $ cropframe find --item "Temperature max" --region Seattle
  $ cropframe find --metric yield --item corn --start 2005-01-01 --limit 1000 --json > series.json
  $ cropframe find --at 47.61,-122.33`;

/** `cropframe find`: series by name, with their coverage. */
export function addFindCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('find')
    .summary('find data series, best covered first')
    .description('Find data series by metric, item and region, best covered first.')
    .argument('[words...]', 'names of a metric, an item, a region and a source, in any order');
  addSeriesOptions(command, { period: WANTED_PERIOD })
    .addOption(
      new Option('--limit <n>', 'maximum number of series (default: 20)').argParser(wholeNumberParser(1)),
    )
    .addOption(
      new Option('--at <lat,lon>', 'find the regions of a place in degrees, instead of series')
        .argParser(parsePlace)
        .conflicts(SERIES_OPTIONS),
    )
    .option('--json', 'print what is found as JSON')
    .addHelpText('after', FIND_HELP);
  addConnectionOptions(command).action(
    async (words: string[], { at, ...options }: FindOptions & Partial<FindPlaceOptions>) => {
      const text = words.length === 0 ? undefined : words.join(' ');
      if (at !== undefined) {
        if (text !== undefined)
          throw new ArgumentError('at', `--at finds regions of a place; omit "${text}"`);
        const { findPlace } = await import('../actions/discovery/find.js');
        return findPlace(context, readConnection(command), { at, json: options.json });
      }
      const { findSeriesByWords } = await import('../actions/discovery/find.js');
      await findSeriesByWords(context, readConnection(command), { ...options, text });
    },
  );
}

const LIST_HELP = `
One line for each source, metric, item, frequency and level of region that has series, with their number and their first
and last date. In a file or a pipe there are ids and numbers of points too. "cropframe find" lists single series.

Examples:
  $ cropframe list --store farm.duckdb
  $ cropframe list --item corn --json
  $ cropframe list --source "USDA NASS" --out catalogue.parquet`;

/** `cropframe list`: what there is. */
export function addListCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('list')
    .summary('list what there is, by source, metric, item, frequency and level of region')
    .description('List what there is, by source, metric, item, frequency and level of region.');
  addSelectionOptions(command, { repeatable: true });
  addFrameOutputOptions(command).addHelpText('after', LIST_HELP);
  addConnectionOptions(command).action(async (options: ListOptions) => {
    const { listCatalogue } = await import('../actions/discovery/list.js');
    await listCatalogue(context, readConnection(command), options);
  });
}

const FACETS_HELP = `
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
      fieldOption('--limit <n>', meant('maximum number of values of a facet', FIELDS.limit)).default(10),
    )
    .option('--json', 'print the counts as JSON')
    .addHelpText('after', FACETS_HELP);
  addConnectionOptions(command).action(async (options: FacetsOptions) => {
    const { listFacets } = await import('../actions/discovery/facets.js');
    await listFacets(context, readConnection(command), options);
  });
}

const VINTAGES_HELP = `
What is known changes on the dates on which points became available: give one of them as --at-time to "cropframe points".
Without --partner_region, series of partner regions are left out, as by "cropframe points".

Examples:
  $ cropframe vintages --item corn --metric yield --region iowa
  $ cropframe vintages --source wasde --json --store farm.duckdb`;

/** `cropframe vintages`: the dates on which points became available, and were reported. */
export function addVintagesCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('vintages')
    .summary('list the dates on which points became available')
    .description('List the dates on which points of a selection became available, and were reported.');
  addSelectionOptions(command, { repeatable: true })
    .addOption(
      fieldOption(
        '--limit <n>',
        meant('maximum number of dates of each kind; the latest are listed', FIELDS.limit),
      ).default(1_000),
    )
    .option('--json', 'print the dates as JSON')
    .addHelpText('after', VINTAGES_HELP);
  addConnectionOptions(command).action(async (options: VintagesOptions) => {
    const { listVintages } = await import('../actions/discovery/vintages.js');
    await listVintages(context, readConnection(command), options);
  });
}

const UNITS_HELP = `
A value converts to the base unit of its dimension by  base = value × factor + offset.
Only units of one dimension convert into each other.

Examples:
  $ cropframe units
  $ cropframe units --metric yield --item corn`;

/** `cropframe units`: every unit, or the units of a metric. */
export function addUnitsCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('units')
    .summary('list units')
    .description(
      'List every unit, or those that values of a metric, or of a metric and an item, can be converted to.',
    )
    .addOption(fieldOption('--metric <name>', FIELDS.metric))
    .addOption(fieldOption('--item <name>', meant(`${FIELDS.item.meaning}; needs --metric`, FIELDS.item)))
    .option('--json', 'print the units as JSON')
    .addHelpText('after', UNITS_HELP);
  addConnectionOptions(command).action(async (options: UnitsOptions) => {
    const { listUnits } = await import('../actions/discovery/units.js');
    await listUnits(context, readConnection(command), options);
  });
}
