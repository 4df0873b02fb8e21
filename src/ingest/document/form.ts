import * as v from 'valibot';
import { REGION_LEVELS } from '../../model/entity.js';
import { type ArgumentError, badArgument } from '../../model/errors.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { jsonSchema } from '../../model/schema/json-schema.js';
import { isDay, parseClock } from '../../model/time.js';
import type { NewEntity } from '../../store/store.js';
import { fetchKeys } from '../fetching/fetch-keys.js';
import { COMMON_FORMATS, findDateFormat } from '../reading/dates.js';
import {
  byName,
  cellTexts,
  checked,
  describeFault,
  FILL_IN,
  key,
  keyOr,
  list,
  mapOf,
  mapped,
  name,
  number,
  object,
  oneForm,
  oneOf,
  pattern,
  patterns,
  positive,
  required,
  tableText,
  text,
  texts,
  whole,
  yesOrNo,
} from './key-schemas.js';
import { THOUSANDS } from './numbers.js';

const optionalText = v.optional(text);
const identity = key('identifies the entity in a store; by default its name within the source', text);

/** Templates for source-specific entities. `{text}` stands for the string that names the entity in a row. */
const own = object({
  name: v.optional(text, '{text}'),
  definition: optionalText,
  definitions: key('definitions for some of the names, in place of "definition"', byName(text)),
  within: key('the name of the containing entity', text),
  identity,
  abbreviation: key('the abbreviation of a unit', text),
  aliases: v.optional(list(text)),
  id: key(
    'the id is the sum of "first" and the number in the column',
    object({ first: whole(1, 2 ** 30), column: text }),
  ),
});
export type OwnEntity = v.InferOutput<typeof own>;

const names = key('names for texts in the column; other texts are used as names', mapOf(tableText));
const others = key(
  'skips or rejects rows whose text is not in "names", or gives all such texts one name',
  oneForm('"skip", "reject", or { "name": … }', [v.picklist(['skip', 'reject']), object({ name })]),
);
/** Keys for names read from rows. `column` may also be a pattern's named group or a template: `{crop}, {season}`. */
const named = {
  column: text,
  names,
  others,
  define: key('adds the names as entities of the source, unless the vocabulary has exactly that name', own),
};
const namedObject = object(named);
export type Named = v.InferOutput<typeof namedObject>;
const column = mapped(text, (column): Named => ({ column }));
const columnObject = object({ column: text });
const oneName = object({ name });

const NAME_FROM = 'a column, or { "name": … } to use one name for all rows';
const nameFrom = oneForm(NAME_FROM, [column, namedObject, oneName]);
export type NameFrom = v.InferOutput<typeof nameFrom>;

/** A variant of an item, such as the first of two crops in a year. It is added as a child of the item. */
const variant = object({
  column: text,
  names: key(
    'names of the variants by text; "" means the item itself, and other texts are rejected',
    mapOf(tableText),
  ),
  define: v.optional(own),
});
const itemFrom = oneForm(NAME_FROM, [column, object({ ...named, variant: v.optional(variant) }), oneName]);
export type ItemFrom = NameFrom & { readonly variant?: v.InferOutput<typeof variant> | undefined };

const level = v.optional(oneOf(Object.keys(REGION_LEVELS) as (keyof typeof REGION_LEVELS)[]));
const container = oneForm(NAME_FROM, [column, object({ column: text, names, others }), oneName]);
const within = key('the name of the containing region, such as the state of a county', container);
const CODES = ['fips', 'usps', 'iso', 'm49'] as const;
const code = v.pipe(
  oneOf(CODES),
  v.description(
    'FIPS codes of US states and counties; postal abbreviations of US states; ISO 3166 (DE, DEU, BR-SP); UN M49',
  ),
);
const namedRegions = [
  column,
  object({ column: text, code, names, others: v.optional(oneOf(['skip'])) }),
  object({ ...named, level, within }),
  object({ name, code }),
  object({ name, level, within }),
] as const;
const REGION = 'a column, { "name": … } to use one region for all rows';
const region = oneForm(NAME_FROM, namedRegions);
export type RegionFrom = NameFrom & {
  readonly within?: NameFrom | undefined;
  readonly level?: keyof typeof REGION_LEVELS | undefined;
  readonly code?: (typeof CODES)[number] | undefined;
};

export const MAX_LATITUDE = 90;
export const MAX_LONGITUDE = 180;

const limits = (max: number) => `degrees from -${max} to ${max}`;
const degrees = (max: number) =>
  v.pipe(number, v.minValue(-max, `must be ${limits(max)}`), v.maxValue(max, `must be ${limits(max)}`));
const degreesFrom = (max: number) =>
  oneForm(`a column, or ${limits(max)}`, [
    column,
    columnObject,
    mapped(degrees(max), (given) => ({ degrees: given })),
  ]);
const stationText = oneForm('a column, or { "name": … }', [column, columnObject, oneName]);
const template = mapped(text, (given) => (given.includes('{') ? { column: given } : { name: given }));
const station = object({
  station: stationText,
  latitude: degreesFrom(MAX_LATITUDE),
  longitude: degreesFrom(MAX_LONGITUDE),
  name: v.optional(stationText),
  identity: key('identifies the place in a store; by default its code', template),
  definition: v.optional(template),
  aliases: v.optional(list(template)),
  within: key(
    'the containing region, if the coordinates are unknown or in no known region; empty for the world',
    region,
  ),
  note: key('a note to show with the first place whose coordinates are unknown', template),
});
export type StationFrom = v.InferOutput<typeof station>;
const place = oneForm(`${REGION}, or a place with station, latitude and longitude`, [
  ...namedRegions,
  station,
]);

/** The SDMX period formats: years, half-years, quarters, months, weeks and days. */
const SDMX_FORMATS = 'YYYY YYYYSn YYYYQn YYYY-MM YYYYMnn YYYYWnn YYYYDnnn YYYY-MM-DD'.split(' ');
const FORMAT_PARTS = 'YYYY, YY, MM, Mon, DD, DDD, Qn, Sn, Bn, DJF, Mnn, Wnn or Dnnn';
const format = v.pipe(
  text,
  v.check(
    (given) => given === FILL_IN || findDateFormat(given) !== null,
    ({ input }) =>
      `${JSON.stringify(input)} is not a date format; combine ${FORMAT_PARTS} with the separators between them, as in ${COMMON_FORMATS.join(', ')}`,
  ),
  v.description(`${FORMAT_PARTS}, and the separators between them`),
  v.examples(['YYYY-MM-DD', 'DD/MM/YYYY', 'D Mon YYYY', 'YYYYQn']),
);
const DAYS = 'YYYY-MM-DD';
const day = mapped(text, (column) => ({ column, formats: [DAYS] as readonly string[] }));
const formatsFrom = <Format extends v.GenericSchema<string, string>>(one: Format) =>
  keyOr(
    DAYS,
    'a date format, a list of the formats in a column, or "SDMX" for the formats of SDMX',
    v.union([mapped(v.literal('SDMX'), () => SDMX_FORMATS), one, v.array(one)]),
  );
const ofOneYear = v.pipe(
  format,
  v.check(
    (given) => findDateFormat(given)?.isSplitYear !== true,
    ({ input }) => `"${input}" contains two years, which is allowed only in start_date`,
  ),
);
const last_day = v.optional(yesOrNo);
const withFormats = <Keys extends { format: string | string[] }>({ format, ...keys }: Keys) => ({
  ...keys,
  formats: [format].flat() as readonly string[],
});
const dated = mapped(object({ column: text, format: formatsFrom(ofOneYear) }), withFormats);
const datedStart = mapped(object({ column: text, format: formatsFrom(format), last_day }), withFormats);
const parts = {
  year: column,
  month: key('the number of the month, or its English name', column),
  day: key('the day of the month', column),
  day_of_year: key('the day of the year, from 1', column),
  week: key('the week of ISO 8601', column),
  quarter: key('the quarter', column),
  first_month: key(
    'the first month of years such as marketing years; earlier months are in the next calendar year',
    oneForm('a whole number from 1 to 12, or { "column": …, "numbers": … }', [
      whole(1, 12),
      object({ column: text, numbers: byName(whole(1, 12)) }),
    ]),
  ),
};
const ofParts = object(parts);
export type DateParts = v.InferOutput<typeof ofParts>;
const DATE =
  'a column, { "column": …, "format": … }, or columns for its parts, such as { "year": …, "day_of_year": … }';
const date = oneForm(DATE, [day, dated, ofParts]);
export type DateFrom = v.InferOutput<typeof date>;

const fixedDay = v.pipe(
  tableText,
  v.check(isDay, 'must be a day, such as 2024-01-31'),
  v.transform((given) => Date.parse(given)),
);
const lagKeys = object({
  after: oneOf(['start_date', 'end_date', 'reporting_date']),
  until: key('the last date to which the lag applies, such as 1999-12-31', fixedDay),
  dates: key(
    'known publication days by date; the lag applies only to these dates',
    v.pipe(
      byName(fixedDay),
      v.check((given) => Object.keys(given).every(isDay), 'must have days as its keys'),
      v.transform((given): ReadonlyMap<number, number> => {
        return new Map(Object.entries(given).map(([from, day]) => [Date.parse(from), day]));
      }),
    ),
  ),
  months: v.optional(whole(0, 120), 0),
  day_of_month: v.optional(whole(1, 31)),
  business_days: keyOr(0, 'days to add, not counting Saturdays, Sundays and "holidays"', whole(0, 366)),
  holidays: key('"US" for US federal holidays', oneOf(['US'])),
  days: keyOr(0, 'further days to add', v.pipe(number, v.integer('must be a whole number'))),
  time: v.optional(
    checked(text, (given) => parseClock(given) !== null, 'must be a time of day, such as "13:30"'),
    '00:00',
  ),
  zone: keyOr('UTC', 'the time zone of "time", such as "America/New_York"; UTC by default', text),
});
const lag = checked(
  lagKeys,
  ({ dates, holidays, months, day_of_month, business_days, days }) =>
    (!holidays || business_days > 0) && !(dates && (months || day_of_month || business_days || days)),
  'must not have both "dates" and a time to add, nor "holidays" without "business_days"',
);
/** The time between a date in a row and the publication of the row's values. */
export type Lag = v.InferOutput<typeof lag>;
const lags = [
  mapped(lag, (one): readonly Lag[] => [one]),
  mapped(v.array(lag), (all): readonly Lag[] => all),
] as const;
const reported = oneForm(`${DATE}, or { "after": …, "days": … }`, [day, dated, ofParts, ...lags]);
/** Checks whether a date is calculated by adding a lag to another date in the row. */
export const isLag = (from: unknown): from is readonly Lag[] => Array.isArray(from);

const describedEntity = {
  identity,
  definition: optionalText,
  aliases: v.optional(cellTexts, []),
  within: key('the name of its parent, of the same type', text),
};
const define = object({
  metrics: v.optional(byName(object(describedEntity))),
  items: v.optional(byName(object(describedEntity))),
  regions: v.optional(
    byName(
      object({
        ...describedEntity,
        level,
        latitude: v.optional(degrees(MAX_LATITUDE)),
        longitude: v.optional(degrees(MAX_LONGITUDE)),
      }),
    ),
  ),
  units: v.optional(
    byName(
      object({
        identity,
        plural: optionalText,
        abbreviation: optionalText,
        dimension: optionalText,
        factor: key(
          'base = value × factor + offset',
          checked(number, (factor) => factor !== 0, 'must be a number other than 0'),
        ),
        offset: v.optional(number),
      }),
    ),
  ),
});
export type DefinitionKeys = v.InferOutput<typeof define>;

const remark = oneForm('a column, or { "cell": … } for text in place of figures', [
  mapped(text, (column) => ({ column, number: false })),
  object({ column: text, number: yesOrNo }),
  object({ cell: pattern }),
]);
export type Remark = v.InferOutput<typeof remark>;

const missing = mapped(
  oneForm('a list of strings, or an object that maps strings to null or "no point"', [
    tableText,
    v.array(tableText),
    v.record(v.string(), v.nullable(v.literal('no point', 'must be null or "no point"'))),
  ]),
  (given) => {
    if (typeof given === 'string' || Array.isArray(given)) return { nulls: [given].flat(), absent: [] };
    const textsOf = (meaning: string | null) => Object.keys(given).filter((one) => given[one] === meaning);
    return { nulls: textsOf(null), absent: textsOf('no point') };
  },
);
/** Strings that may replace a number. Those in `nulls` mean a null value; those in `absent` mean no point at all. */
export type MissingTexts = v.InferOutput<typeof missing>;

const decimal = v.optional(oneOf(['.', ',']));
const filters = { only: v.optional(byName(cellTexts)), skip: v.optional(byName(cellTexts)) };
const measure = {
  metric: v.optional(nameFrom),
  item: v.optional(itemFrom),
  unit: v.optional(nameFrom),
  divide_by: v.optional(positive),
};
const figures = {
  flag: v.optional(
    oneForm('a column, or { "after_value": true }', [
      column,
      mapped(object({ after_value: v.literal(true) }), () => 'after_value' as const),
    ]),
  ),
  remarks: v.optional(byName(remark)),
  withhold: key(
    'a field that withholds figures if it has a text: the value is null, and the remark "withheld" has the figure; "when" limits this to rows whose fields have certain texts',
    object({ column: text, when: v.optional(byName(cellTexts), {}) }),
  ),
  ...filters,
  ...measure,
};
const valueKeys = object({
  column: optionalText,
  columns: key('a regular expression that matches columns, whose named groups are fields', pattern),
  decimal,
  ...figures,
  missing: v.optional(missing),
});
/** The keys for one value column, or for all columns that match a pattern. They override the document-level keys. */
export type ValueKeys = v.InferOutput<typeof valueKeys>;
const values = oneForm('a column, or a list of { "column": … } and { "columns": … }', [
  mapped(text, (column): ValueKeys[] => [{ column }]),
  list(valueKeys),
]);

const oneCase = checked(
  object({ when: byName(cellTexts), ...measure, missing: v.optional(missing) }),
  (given) => Object.keys(given).length > 1,
  'has no effect: besides "when", specify a metric, item, unit, divide_by or missing',
);

const DAY_FUNCTIONS = ['min', 'max', 'mean', 'sum'] as const;
export type DayFunction = (typeof DAY_FUNCTIONS)[number];
const days = object({
  hour: required(
    'the column of the full hour, alone or after a date: 3, 03:00, 0300 UTC, 2024-11-14T03:00',
    text,
  ),
  by: keyOr([], 'columns that identify a day, such as those of the station and the date', texts),
  figures: v.pipe(
    list(object({ columns: pattern, functions: list(oneOf(DAY_FUNCTIONS)) })),
    v.description('value columns, and the functions to apply; each result is a column such as "temp max"'),
  ),
  at_least: keyOr(24, 'the minimum number of hourly figures for a daily figure', whole(1, 24)),
});

const FIRST_MONTH = 'a whole number from 1 to 12, or "of_date"';
const firstMonth = v.union([whole(1, 12), v.literal('of_date')], `must be ${FIRST_MONTH}`);
const frequency = oneOf(FREQUENCIES.map((one) => one.name));
const character = whole(1, 1_000_000);
const fixedColumns = list(object({ name: text, from: character, to: character }));
const sampled = v.optional(list(object({ columns: pattern, texts: pattern })), []);

/**
 * The schema for the keys of a data set document. `parseForm` checks that the keys are consistent. For keys without a
 * description here, the published schema takes the description from `docs/describe-a-data-set.md`.
 */
const FORM = object({
  $schema: key('for editors; not read', text),
  name: v.optional(
    v.pipe(text, v.regex(/^[a-z][a-z0-9-]*$/, 'must be a word of lower-case letters, digits and hyphens')),
  ),
  summary: v.optional(text),
  recognise: v.optional(
    object({
      columns: keyOr([], 'columns that all its tables have', texts),
      text: key('a regular expression that matches the beginning of its files', pattern),
    }),
  ),
  hooks: keyOr(
    [],
    'functions that interpret columns; the documentation lists them',
    list(object({ hook: text, columns: v.optional(byName(text), {}) })),
  ),
  settings: key(
    'what users can specify about the files, such as their units; each setting is a field, empty by default',
    byName(
      object({
        description: text,
        words: v.optional(v.pipe(list(text), v.nonEmpty('is empty'))),
        form: key('a regular expression that matches the values', pattern),
        example: optionalText,
        default: optionalText,
        detect: key(
          'rules that detect the value in the first rows if the user specifies none; the first rule applies that finds a matching text for each entry of "some" and for no entry of "none"',
          list(object({ is: text, some: sampled, none: sampled })),
        ),
      }),
    ),
  ),
  fetch: key('how its files are fetched from the agency', fetchKeys),
  extends: v.optional(text),
  delimiter: v.optional(
    v.union([v.literal('blanks'), v.pipe(text, v.length(1))], 'must be one character, or "blanks"'),
    ',',
  ),
  quotes: v.optional(yesOrNo, true),
  columns: key('the columns of fixed-width lines, by their first and last characters', fixedColumns),
  repeat: key(
    'a group of columns that fixed-width lines repeat, such as one group for each day, by its first and last characters; each repetition becomes a row, and the field named by "number" counts them from 1',
    object({ from: character, to: character, times: whole(2, 1000), number: text }),
  ),
  line: keyOr(
    [],
    'regular expressions that fixed-width lines must match; other lines are rejected',
    patterns,
  ),
  header: v.optional(v.pipe(list(text), v.nonEmpty('is empty'))),
  comment: key('the text at the beginning of lines that are not read', text),
  end: key('a regular expression that matches the first line after the table', pattern),
  entry: v.optional(patterns),
  sheet: v.optional(text),
  header_line: v.optional(
    v.union(
      [whole(0, 1_000_000), pattern],
      'must be a whole number from 0 to 1000000, or a regular expression',
    ),
  ),
  header_rows: v.optional(whole(1, 9), 1),
  json: v.optional(
    object({
      at: keyOr('', 'the path to the table, such as "daily", or "1" for the second element of a list', text),
      units: key('the key, next to the table, of the units to add to column names', text),
    }),
  ),
  reader: key('the name of a function that reads the files, for formats such as XML', text),
  days: key('converts a table of hours to a table of days', days),
  preamble: keyOr(
    [],
    'regular expressions whose named groups are fields, found in the lines before the header',
    patterns,
  ),
  legend: key(
    'a regular expression that matches the lines before the header that describe value columns; the named groups that it shares with "columns" identify the column',
    pattern,
  ),
  file: key("a regular expression whose named groups are fields, found in the file's name", pattern),
  lookup: keyOr(
    {},
    'fields with names for the texts of other fields; empty for texts without a name',
    mapOf(object({ column: text, names: v.nonOptional(names) })),
  ),
  code_list: key(
    'a file of codes that may come with the tables, such as a list of stations; its other columns are fields, empty for codes that it lacks',
    object({
      what: required('its name in messages, such as "a station list"', text),
      line: required('a regular expression that matches its lines, and no line of other files', pattern),
      columns: fixedColumns,
      key: required('the column of the codes', text),
      of: required('the field of the table that has the codes', text),
    }),
  ),
  split: keyOr(
    {},
    'regular expressions whose named groups are fields, found in the texts of columns',
    byName(pattern),
  ),
  clear: keyOr(
    {},
    'fields with the texts of a column; empty in rows in which it, or the column "of", has certain texts',
    byName(object({ column: text, of: optionalText, texts: cellTexts })),
  ),
  call: v.optional(byName(pattern), {}),
  beside: keyOr(
    {},
    'fields in the columns directly after each value column, by patterns of column names; empty if there is no such column',
    byName(pattern),
  ),
  fold: keyOr(
    false,
    'whether column names are reduced to lower-case letters and digits: "Open_Interest (All)" is "openinterestall"',
    yesOrNo,
  ),
  optional: v.optional(
    oneForm('a list of columns, or an object with a string for each column', [
      mapped(texts, (names): Record<string, string> => Object.fromEntries(names.map((one) => [one, '']))),
      byName(tableText),
    ]),
    {},
  ),
  other_columns: v.optional(
    oneForm('"ignore", or { "ignore": …, "kinds": … } with regular expressions', [
      v.literal('ignore'),
      object({ ignore: v.optional(pattern), kinds: v.optional(byName(pattern), {}) }),
    ]),
  ),
  source: oneForm(
    'an object with a name, the name of a source in the package, or { "column": …, "names": … }',
    [
      mapped(name, (known) => ({ known })),
      object({ column: text, names: byName(name) }),
      mapped(
        object({
          name,
          longName: optionalText,
          licence: optionalText,
          citation: optionalText,
          url: optionalText,
        }),
        ({ name, longName = name, licence = 'unknown', citation = name, url = '' }) => ({
          name,
          longName,
          licence,
          citation,
          url,
        }),
      ),
    ],
  ),
  define: key("the source's own metrics, items, regions and units", define),
  region: v.optional(place),
  partner_region: key('the other region of a trade series', region),
  values: v.optional(values),
  ...figures,
  cases: v.optional(list(oneCase), []),
  start_date: v.optional(
    oneForm(`${DATE}, or { "header": … } for columns named by their dates`, [
      day,
      datedStart,
      object({ ...parts, last_day }),
      object({ header: format, last_day }),
    ]),
  ),
  end_date: v.optional(date),
  reporting_date: v.optional(reported),
  available_date: v.optional(reported),
  frequency: v.optional(
    oneForm('a frequency, or { "column": …, "names": … }', [
      frequency,
      object({ column: text, names: mapOf(frequency) }),
    ]),
  ),
  first_month: v.optional(oneForm(FIRST_MONTH, [firstMonth, mapOf(firstMonth)])),
  decimal,
  thousands: v.optional(oneOf(THOUSANDS)),
  missing: v.optional(missing, ['NA']),
  whole: v.optional(yesOrNo, false),
  zero: v.optional(texts, []),
  marks: v.optional(byName(v.nullable(tableText)), {}),
});

export type FormKeys = v.InferOutput<typeof FORM>;

/** The source of a data set. Only a source that ships with the package has an id. */
export type FormSource = Omit<NewEntity<'sources'>, 'id'> & { readonly id?: number };

export function documentJsonSchema(): object {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...jsonSchema(FORM, 'input') };
}

/** Validates a document and returns its keys. @throws ArgumentError that names the first invalid key */
export function checkForm(json: unknown): FormKeys {
  const checked = v.safeParse(FORM, json);
  if (checked.success) return checked.output;
  throw documentError(...describeFault(checked.issues));
}

export function documentError(key: string, what: string): ArgumentError {
  return badArgument('document', `${key} ${what}`);
}
