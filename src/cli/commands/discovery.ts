import { InvalidArgumentError } from 'commander';
import { SEARCHABLE_TYPES } from '../../model/entity.js';
import { FIELDS } from '../../model/schema/fields.js';
import { meaningOf, oneOf } from '../../model/schema/schemas.js';
import { FACETS as FACET_NAMES } from '../../model/selection.js';
import { CONNECTION, COVERING_SERIES, FRAME_OUTPUT, SELECTION_LISTS } from '../options/flag-groups.js';
import { flag, makeRepeatable, withDefault, word } from '../options/flags.js';

export const LIST = {
  name: 'list',
  summary: 'list the data by source, metric, item, frequency and region level',
  takes: { ...SELECTION_LISTS, ...FRAME_OUTPUT, ...CONNECTION },
  help: `
The list has one line for each combination of source, metric, item, frequency and region level that has series, with the
number of series and their first and last dates. In a file or a pipe, it also includes ids and numbers of points.
"cropframe find" lists individual series.

Examples:
  $ cropframe list --store farm.duckdb
  $ cropframe list --item corn --json
  $ cropframe list --source "USDA NASS" --out catalogue.parquet`,
};

export const SEARCH = {
  name: 'search',
  summary: 'search for metrics, items, regions or sources',
  description: 'Search for metrics, items, regions or sources by words, and show how many series each has.',
  takes: {
    type: word('<type>', oneOf([...SEARCHABLE_TYPES, 'all']), 'type of entity'),
    words: word('<words...>', 'words from a name, in any order'),
    limit: withDefault(flag('--limit <n>', FIELDS.hits, 'maximum number of results'), 10),
    json: flag('--json', 'print the entities as JSON'),
    ...CONNECTION,
  },
  help: `
The command lists at most 100 entities, of any type with "all". Entities with series come first.

Examples:
  $ cropframe search all corn
  $ cropframe search items corn
  $ cropframe search regions new york --limit 3 --store farm.duckdb
  $ cropframe search metrics yield --json | jq '.[0].id'`,
};

export const FIND = {
  name: 'find',
  summary: 'find data series, those with the best coverage first',
  description: 'Find data series by metric, item and region. Those with the best coverage come first.',
  takes: {
    words: word('[words...]', 'names of a metric, an item, a region and a source, in any order'),
    ...COVERING_SERIES,
    limit: flag('--limit <n>', FIELDS.num_results, 'maximum number of series (default: 20)'),
    at: flag(
      '--at <lat,lon>',
      parsePlace,
      'instead of series, find the regions that contain a place (in degrees)',
    ).conflicts(Object.values(COVERING_SERIES).map((option) => option.attributeName())),
    json: flag('--json', 'print the result as JSON'),
    ...CONNECTION,
  },
  help: `
Series are listed in the order of the search hits. Series with the same metric, item and region are sorted by how much of
the period from --start to --end they cover, then by their number of points, and then by recency. Without --end, series
that ended more than three years before the latest one come last. Pass the key in the first column to
"cropframe points --series" or "cropframe df --series".

--at finds regions instead of series: the district, province and country that contain a place, and the nearest weather
station that has data. Pass their ids to --region.

Examples:
  $ cropframe find corn yield iowa
  $ cropframe find --item "Temperature max" --region Seattle
  $ cropframe find --metric yield --item corn --start 2005-01-01 --limit 1000 --json > series.json
  $ cropframe find --at 47.61,-122.33`,
};

export const FACETS = {
  name: 'facets',
  summary: 'count series by metric, item, region, source and frequency',
  description:
    'Count the series of a selection by metric, item, region, partner region, source and frequency.',
  takes: {
    ...SELECTION_LISTS,
    text: flag('--text <words>', 'only values whose name, synonym or code matches these words'),
    in: makeRepeatable(flag('--in <facet>', oneOf(FACET_NAMES), 'count only this facet')),
    limit: withDefault(flag('--limit <n>', FIELDS.limit, 'maximum number of values of a facet'), 10),
    json: flag('--json', 'print the counts as JSON'),
    ...CONNECTION,
  },
  help: `
Each facet is counted as if the selection did not restrict it: --item corn restricts the metrics, regions and sources, but
not the items. The counts always reflect the store's current state.

Examples:
  $ cropframe facets --store farm.duckdb
  $ cropframe facets --item corn --metric yield --in regions --limit 20
  $ cropframe facets --item corn --text wash --json`,
};

export const VINTAGES = {
  name: 'vintages',
  summary: 'list the dates on which points became available',
  description:
    "List the dates on which a selection's points became available, and the dates on which they were reported.",
  takes: {
    ...SELECTION_LISTS,
    limit: withDefault(
      flag('--limit <n>', FIELDS.limit, 'maximum number of dates of each kind; the latest are listed'),
      1_000,
    ),
    json: flag('--json', 'print the dates as JSON'),
    ...CONNECTION,
  },
  help: `
Figures change on the dates on which points became available. Pass such a date to "cropframe points --at-time".
Without --partner_region, the list omits series with partner regions, as "cropframe points" does.

Examples:
  $ cropframe vintages --item corn --metric yield --region iowa
  $ cropframe vintages --source wasde --json --store farm.duckdb`,
};

export const UNITS = {
  name: 'units',
  summary: 'list units',
  description: 'List every unit, or only the units that a metric (and an item) can be converted to.',
  takes: {
    metric: flag('--metric <name>', FIELDS.metric),
    item: flag('--item <name>', FIELDS.item, `${meaningOf(FIELDS.item)}; needs --metric`),
    json: flag('--json', 'print the units as JSON'),
    ...CONNECTION,
  },
  help: `
A value is converted to the base unit of its dimension as follows:  base = value × factor + offset.
Only units with the same dimension can be converted to each other.

Examples:
  $ cropframe units
  $ cropframe units --metric yield --item corn`,
};

/** Parses a comma-separated latitude and longitude in degrees. */
function parsePlace(text: string): [latitude: number, longitude: number] {
  const parts = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [latitude = Number.NaN, longitude = Number.NaN] = parts;
  if (parts.length === 2 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)
    return [latitude, longitude];
  throw new InvalidArgumentError(
    'Specify a latitude from -90 to 90 and a longitude from -180 to 180, such as 47.61,-122.33.',
  );
}
