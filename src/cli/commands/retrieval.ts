import { GROWING_FIELDS, REGION_NAMES } from '../../agronomy/degree-days/plan.js';
import { MAX_SEED } from '../../frame/verbs/seeded-random.js';
import { required } from '../../model/schema/check.js';
import { FIELDS } from '../../model/schema/fields.js';
import { integer, SHARE, TEXT, withMeaning } from '../../model/schema/schemas.js';
import { CONNECTION, FRAME_OUTPUT, RETRIEVAL, SERIES, SERIES_LISTS, STORE } from '../options/flag-groups.js';
import { flag, makeRepeatable, withDefault, word } from '../options/flags.js';

const SERIES_KEY = withMeaning('key of a series, as printed by "cropframe find"', TEXT);

export const POINTS = {
  name: 'points',
  summary: 'retrieve the points of one series',
  usage: '[options]',
  takes: {
    // Catches a key or names that are given without a flag, so that they can be reported.
    other: word('[other...]', ''),
    ...SERIES,
    series: flag('--series <key>', SERIES_KEY),
    ...RETRIEVAL,
    ...FRAME_OUTPUT,
    ...CONNECTION,
  },
  help: `
If several series match, the command retrieves the first one that "cropframe find" lists: the one with the best coverage.

Examples:
  $ cropframe points --item "Temperature max" --region Seattle --start 2015-06-01 --end 2015-08-31
  $ cropframe points --metric yield --item corn --region Washington --unit kg/ha --out yield.parquet
  $ cropframe points --metric yield --item corn --region Washington --at-time 2010-01-01 --format json`,
};

export const DF = {
  name: 'df',
  summary: 'retrieve several series into one frame',
  description:
    'Retrieve several series into one frame: one row per point, or with --wide one column per series.',
  takes: {
    file: word('[file]', 'JSON file with an array of series; - is standard input'),
    ...SERIES_LISTS,
    series: makeRepeatable(flag('--series <key>', SERIES_KEY)),
    compress_format: flag('--wide', 'one column per series, with end_date first'),
    names: flag('--short-names', 'with --wide, use the shortest column names that are distinct'),
    allow_partial: flag('--allow-partial', FIELDS.allow_partial),
    ...RETRIEVAL,
    ...FRAME_OUTPUT,
    ...CONNECTION,
  },
  help: `
If --metric, --item or --region is repeated, the command retrieves the series with the best coverage for each combination.
Combinations without data are reported on standard error, and the exit code is then 5. FILE is a JSON array of series as
printed by "cropframe find --json", or of objects such as {"item": "corn", "region": "Washington"}; - is standard input.
If a series was found with --start or --end, these dates also limit its points.

Examples:
  $ cropframe df --item "Temperature min" --item "Temperature max" --region Seattle --region "New York" --wide
  $ cropframe find --item corn --json | cropframe df - --names --out corn.parquet`,
};

export const SQL = {
  name: 'sql',
  summary: 'query a store with SQL',
  description: 'Query a store with SQL, in which series, regions and units are referred to by name.',
  takes: {
    query: word('[query]', 'a query (default: a prompt, or standard input)'),
    store: STORE,
    ...FRAME_OUTPUT,
  },
  help: `
Views: data, history, series, regions, units, sources. Macros: as_of(date), convert(value, unit, unit).
Queries use DuckDB SQL. They can read only the store, not other files or the network, and cannot write anything.
A store on ClickHouse servers uses ClickHouse SQL, and queries have the rights of the servers' user.
On a terminal, the command shows a prompt if there is no query. The Tab key completes names, a semicolon ends a query, and
.exit leaves the prompt. Otherwise, the query is read from standard input.

Examples:
  $ cropframe sql "SELECT item, count(*) AS points FROM data GROUP BY ALL" --store farm.duckdb
  $ cropframe sql "FROM as_of('2020-06-30') WHERE item = 'Corn'" --store farm.duckdb --out corn.parquet
  $ cropframe sql --store farm.duckdb`,
};

export const GDD = {
  name: 'gdd',
  summary: 'compute growing degree days of regions',
  description: 'Compute the growing degree days of regions over a period, both dates inclusive.',
  takes: {
    region_name: makeRepeatable(flag('--region <name>', REGION_NAMES)),
    base_temperature: flag('--base <degrees>', GROWING_FIELDS.base_temperature),
    upper_temperature_cap: flag('--cap <degrees>', GROWING_FIELDS.upper_temperature_cap),
    start_date: flag('--start <date>', GROWING_FIELDS.start_date),
    end_date: flag('--end <date>', GROWING_FIELDS.end_date),
    method: flag('--method <method>', GROWING_FIELDS.method),
    cutoff: flag('--cutoff <cutoff>', GROWING_FIELDS.cutoff),
    min_temporal_coverage: withDefault(flag('--coverage <share>', GROWING_FIELDS.min_temporal_coverage), 1),
    temperature_unit: withDefault(flag('--unit <unit>', GROWING_FIELDS.temperature_unit), 'celsius'),
    at_time: flag('--at-time <date>', GROWING_FIELDS.at_time),
    json: flag('--json', 'print totals, daily values, method and series as JSON'),
    ...CONNECTION,
  },
  help: `
The daily minimum and maximum temperatures come from the series that best cover the period. A day on which either is
missing counts as 0 degree days. If the share of days with both temperatures is below --coverage, the command prints this
share but no sum, and exits with code 5.

Examples:
  $ cropframe gdd --region Seattle --base 10 --cap 30 --start 2015-05-01 --end 2015-09-30
  $ cropframe gdd --region Seattle --region "New York" --base 50 --cap 86 --unit fahrenheit \\
      --method mcmaster-wilhelm-2 --start 2015-05-01 --end 2015-09-30`,
};

export const FROM_PARTS = {
  name: 'from-parts',
  summary: "compute a region's figure from its parts, such as a state's yield from its counties",
  description:
    'Compute the figures for a region from those of the regions that it contains: one value per period.',
  takes: {
    region: flag('--region <name>', required(FIELDS.region)),
    metric_name: flag('--metric <name>', required(FIELDS.metric)),
    item_name: flag('--item <name>', required(FIELDS.item)),
    weighting_metric_name: flag('--weight <metric>', FIELDS.metric, 'metric by which rates are averaged'),
    weighting_crop_name: flag('--weight-item <name>', FIELDS.item, 'item of --weight (default: --item)'),
    descendant_level: flag(
      '--level <n>',
      FIELDS.region_level,
      'level of the parts, such as 5 for counties (default: the next one)',
    ),
    min_weight_present: flag(
      '--coverage <share>',
      SHARE,
      'minimum share of the parts, by weight, that have a value (default: 1)',
    ),
    start_date: flag('--start <date>', FIELDS.start_date),
    end_date: flag('--end <date>', FIELDS.end_date),
    at_time: flag('--at-time <date>', FIELDS.at_time),
    ...FRAME_OUTPUT,
    ...CONNECTION,
  },
  help: `
Amounts, such as areas and production, are summed. Rates, such as yields, are averaged, weighted by --weight in the same
year. NASS's "Other counties" are among the parts. weight_present is the share of the parts, by weight, that have a value.
If this share is below --coverage, the value is empty.

Examples:
  $ cropframe from-parts --region Nebraska --item corn --metric yield --weight "area harvested"
  $ cropframe from-parts --region Nebraska --item corn --metric production --out nebraska.parquet`,
};

/** The default command, which writes a random series as CSV. The project's specification defines its options. */
export const SAMPLE = {
  name: 'sample',
  isDefault: true,
  summary: 'write a random series as CSV',
  description:
    'Write a random series from a selection as CSV. This is also the default command: "cropframe --item corn".',
  takes: {
    item: flag('--item <name>', FIELDS.item),
    metric: flag('--metric <name>', FIELDS.metric),
    region: flag('--region <name>', FIELDS.region),
    partner_region: flag('--partner_region <name>', FIELDS.partner_region),
    file: withDefault(flag('--file <file>', TEXT, 'CSV file; - is standard output'), 'cropframe-output.csv'),
    seed: flag('--seed <n>', integer({ max: MAX_SEED }), 'seed with which to repeat a random choice'),
    json: flag('--json', 'print the chosen series and the seed as JSON'),
    user_email: flag('--user_email <email>', 'user to sign in as, if there is no token'),
    user_password: flag('--user_password <password>', 'password of the user (default: prompt without echo)'),
    print_token: flag('--print_token', 'print the access token and exit'),
    ...CONNECTION,
  },
  help: `
Each name selects its best match. If no names are given, entities that have data are chosen at random.

Examples:
  $ cropframe sample --item corn --region Washington --file corn.csv --store demo.duckdb
  $ cropframe sample --user_email ana@example.org --print_token`,
};
