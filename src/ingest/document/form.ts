import * as z from 'zod';
import { REGION_LEVELS } from '../../model/entity.js';
import { type ArgumentError, badArgument } from '../../model/errors.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { isDay, parseClock } from '../../model/time.js';
import type { NewEntity } from '../../store/store.js';
import { fetchKeys } from '../fetching/fetch-keys.js';
import { COMMON_FORMATS, findDateFormat } from '../reading/dates.js';
import { HOLIDAYS } from './business-days.js';
import {
  byName,
  FILL_IN,
  IS_GAP,
  name,
  object,
  oneOf,
  pattern,
  patterns,
  says,
  tableText,
  text,
  texts,
  whole,
} from './key-schemas.js';
import { THOUSANDS } from './numbers.js';

/** The SDMX period formats: years, half years, quarters, months, weeks and days. */
const SDMX_FORMATS: readonly string[] = [
  'YYYY',
  'YYYYSn',
  'YYYYQn',
  'YYYY-MM',
  'YYYYMnn',
  'YYYYWnn',
  'YYYYDnnn',
  'YYYY-MM-DD',
];

const DECIMALS = ['.', ','] as const;

export const MAX_LATITUDE = 90;
export const MAX_LONGITUDE = 180;

/** A field of each row. `names` maps codes and other spellings to names. Strings that it lacks are used as names. */
export interface Named {
  /** A column, a group of a pattern, or a template of fields such as `{crop}, {season}`. */
  readonly column: string;
  /** Names by string. */
  readonly names?: ReadonlyMap<string, string> | undefined;
  /** Skips or rejects rows whose string is not in `names`, or gives all such strings one name. */
  readonly others?: 'skip' | 'reject' | { readonly name: string } | undefined;
  /** Makes each name an entity of the source, unless the vocabulary has an entity with exactly this name. */
  readonly define?: OwnEntity | undefined;
}

/** Strings of cells that are not figures. */
export interface MissingTexts {
  /** Texts that mean a null value. */
  readonly nulls: readonly string[];
  /** Texts that mean no point. */
  readonly absent: readonly string[];
}

/** Defines the entities of the source by templates, in which `{text}` stands for the string of the row. */
export interface OwnEntity {
  readonly name: string;
  readonly definition?: string | undefined;
  /** Definitions of single names, which override the common definition. */
  readonly definitions?: Readonly<Record<string, string>> | undefined;
  readonly within?: string | undefined;
  readonly identity?: string | undefined;
  readonly abbreviation?: string | undefined;
  readonly aliases?: readonly string[] | undefined;
  /** The id is the sum of `first` and the number in a field. */
  readonly id?: { readonly first: number; readonly column: string } | undefined;
}

const column = text.transform((name): Named => ({ column: name }));
const names = byName(tableText)
  .transform((named): NonNullable<Named['names']> => new Map(Object.entries(named)))
  .describe('names for texts of the column; other texts are names as they are');
const own = object({
  name: text.default('{text}'),
  definition: text.optional(),
  definitions: byName(text).optional().describe('definitions of some names, in place of the common one'),
  within: text.optional().describe('the name of its container'),
  identity: text
    .optional()
    .describe('identifies the entity in a store; by default its name within the source'),
  abbreviation: text.optional().describe('of a unit'),
  aliases: z.array(text).optional(),
  id: object({ first: whole(1, 2 ** 30), column: text })
    .optional()
    .describe('the id is "first" and the number in the column together'),
});
const others = z
  .union([oneOf(['skip', 'reject']), object({ name })], {
    error: 'must be "skip", "reject", or { "name": … }',
  })
  .describe('skips or rejects rows whose text is not in "names", or gives all such texts one name');
const named = object({
  column: text,
  names: names.optional(),
  others: others.optional(),
  define: own
    .optional()
    .describe('makes the names entities of the source, unless the vocabulary has exactly such a name'),
});
const nameFrom = z.union([column, named, object({ name })], {
  error: 'must be a column, or { "name": … } for one name for all rows',
});
const variant = object({
  column: text,
  names: names
    .optional()
    .describe('names of the kinds by text; "" is the item itself, and other texts are rejected'),
  define: own.optional(),
});
/** A variant of the item, such as the first of two crops a year. It becomes a child item. */
const itemFrom = z.union([column, named.extend({ variant: variant.optional() }), object({ name })], {
  error: 'must be a column, or { "name": … } for one name for all rows',
});

const level = oneOf(Object.keys(REGION_LEVELS) as (keyof typeof REGION_LEVELS)[]);
const within = nameFrom.describe('the name of the container of the region: the state of a county');

const limits = (max: number) => `degrees from -${max} to ${max}`;
const degrees = (max: number) => {
  const error = `must be ${limits(max)}`;
  return z.number({ error }).min(-max, { error }).max(max, { error });
};
const degreesFrom = (max: number) =>
  z.union([column, object({ column: text }), degrees(max).transform((given) => ({ degrees: given }))], {
    error: `must be a column, or ${limits(max)}`,
  });
const stationText = z.union(
  [column, object({ column: text }), object({ name: name.trim().min(1, 'is empty') })],
  {
    error: says('must be a column, or { "name": … }'),
  },
);

const CODES = ['fips', 'usps', 'iso', 'm49'] as const;
const CODES_MEANING =
  'FIPS codes of US states and counties; postal abbreviations of US states; ISO 3166 (DE, DEU, BR-SP); UN M49';
const namedRegions = [
  column,
  object({
    column: text,
    code: oneOf(CODES).describe(CODES_MEANING),
    names: names.optional(),
    others: oneOf(['skip']).optional(),
  }),
  named.extend({ level: level.optional(), within: within.optional() }),
  object({ name, code: oneOf(CODES).optional(), level: level.optional(), within: within.optional() }),
] as const;
const REGION = 'must be a column, { "name": … } for one region for all rows';
const region = z.union(namedRegions, { error: says(REGION) });
const template = text.transform((given) => (given.includes('{') ? { column: given } : { name: given }));
const station = object({
  station: stationText,
  latitude: degreesFrom(MAX_LATITUDE),
  longitude: degreesFrom(MAX_LONGITUDE),
  name: stationText.optional(),
  identity: template.optional().describe('identifies the place in a store; by default its code'),
  definition: template.optional(),
  aliases: z.array(template).optional(),
  within: region
    .optional()
    .describe('its container, if its coordinates are unknown or lie in no known region; empty for the world'),
  note: template.optional().describe('a note on the first place whose coordinates are unknown'),
});
const place = z.union([...namedRegions, station], {
  error: says(`${REGION}, or a place with station, latitude and longitude`),
});

const FORMAT = `is not a date format; write it with YYYY, YY, MM, Mon, DD, DDD, Qn, Sn, Bn, DJF, Mnn, Wnn or Dnnn and the marks between them, such as ${COMMON_FORMATS.join(', ')}; or "spreadsheet" for serial numbers of days`;
const FORMAT_FAULT = ({ input }: { input?: unknown }): string => `${JSON.stringify(input)} ${FORMAT}`;
const format = text
  .refine((given) => given === FILL_IN || findDateFormat(given) !== null, { error: FORMAT_FAULT })
  .describe('YYYY, YY, MM, Mon, DD, DDD, Qn, Sn, Bn, DJF, Mnn, Wnn or Dnnn, and the marks between them');
const DAYS = 'YYYY-MM-DD';
const day = text.transform((name) => ({ column: name, formats: [DAYS] }));
const formats = z
  .union([z.literal('SDMX').transform(() => SDMX_FORMATS), format, z.array(format).min(1)], {
    error: FORMAT_FAULT,
  })
  .default(DAYS)
  .describe('a date format, a list of those of a column, or "SDMX" for the periods of SDMX');
const withFormats = <Keys extends { format: string | readonly string[] }>({ format, ...keys }: Keys) => ({
  ...keys,
  formats: [format].flat() as readonly string[],
});
const dated = object({ column: text, format: formats }).transform(withFormats);
const last_day = z.boolean({ error: says('must be true or false') }).optional();
const datedStart = object({ column: text, format: formats, last_day }).transform(withFormats);
const partOf = (what: string) => column.optional().describe(what);
/** A date that is split over several columns, such as year and month. */
const ofParts = object({
  year: column,
  month: partOf('the number of the month, or its English name'),
  day: partOf('the day of the month'),
  day_of_year: partOf('the day of the year, from 1'),
  week: partOf('the week of ISO 8601'),
  quarter: partOf('the quarter'),
  first_month: z
    .union([whole(1, 12), object({ column: text, numbers: byName(whole(1, 12)) })], {
      error: 'must be a whole number from 1 to 12, or { "column": …, "numbers": … }',
    })
    .optional()
    .describe('of years such as marketing years, whose earlier months are in the next calendar year'),
});
const DATE =
  'must be a column, { "column": …, "format": … }, or columns of parts such as { "year": …, "day_of_year": … }';
const date = z.union([day, dated, ofParts], { error: DATE });

const ZONE = 'UTC';
const fixedDay = tableText
  .refine(isDay, { error: 'must be a day, such as 2024-01-31' })
  .transform((given) => Date.parse(given));
/** The publication time of figures, counted from a date of the row. */
const lag = object({
  after: oneOf(['start_date', 'end_date', 'reporting_date']),
  until: fixedDay.optional().describe('the last date from which the lag is counted, such as 1999-12-31'),
  dates: byName(fixedDay)
    .refine((given) => Object.keys(given).every(isDay), { error: 'must have days as its keys' })
    .transform((given): ReadonlyMap<number, number> => {
      return new Map(Object.entries(given).map(([from, day]) => [Date.parse(from), day]));
    })
    .optional()
    .describe('known days of publication by date; the lag is of these dates alone'),
  months: whole(0, 120).default(0),
  day_of_month: whole(1, 31).optional(),
  business_days: whole(0, 366).default(0).describe('days without Saturdays, Sundays and "holidays"'),
  holidays: oneOf(HOLIDAYS).optional().describe('"US": the holidays of the federal government'),
  days: z.int({ error: 'must be a whole number' }).default(0).describe('further days'),
  time: text
    .refine((given) => parseClock(given) !== null, { error: 'must be a time of day, such as "13:30"' })
    .default('00:00'),
  zone: text.default(ZONE).describe('the zone of "time", such as "America/New_York"; UTC by default'),
});

const lags = z
  .union([lag, z.array(lag).min(1)], {
    error: 'must be { "after": …, "days": … }, or a list of them',
  })
  .transform((given): readonly Lag[] => [given].flat());

const divide_by = z.union(
  [
    z.number({ error: 'must be a number' }).positive({ error: 'must be greater than 0' }),
    object({ column: text, numbers: byName(z.number({ error: 'must be a number' }).positive()) }),
  ],
  { error: 'must be a number, or { "column": …, "numbers": … }' },
);

const identity = text
  .optional()
  .describe('identifies the entity in a store; by default its name within the source');
const described = {
  identity,
  definition: text.optional(),
  aliases: texts.default([]),
  within: text.optional().describe('the name of its parent, of the same type'),
};
const number = z.number({ error: 'must be a number' });
const define = object({
  metrics: byName(object(described)).optional(),
  items: byName(object(described)).optional(),
  regions: byName(
    object({
      ...described,
      level: level.optional(),
      latitude: degrees(MAX_LATITUDE).optional(),
      longitude: degrees(MAX_LONGITUDE).optional(),
    }),
  ).optional(),
  units: byName(
    object({
      identity,
      plural: text.optional(),
      abbreviation: text.optional(),
      dimension: text.optional(),
      factor: number
        .refine((factor) => factor !== 0, { error: 'must be a number other than 0' })
        .optional()
        .describe('base = value × factor + offset'),
      offset: number.optional(),
    }),
  ).optional(),
});

const flag = z
  .union([column, object({ after_value: z.literal(true) }).transform(() => 'after_value' as const)], {
    error: 'must be a column, or { "after_value": true }',
  })
  .optional()
  .describe('the column of remarks on values, or letters behind them');
const remark = z.union(
  [
    text.transform((name) => ({ column: name, number: false })),
    object({ column: text, number: z.boolean({ error: says('must be true or false') }) }),
    object({ cell: pattern }),
  ],
  { error: 'must be a column, or { "cell": … } for texts in place of figures' },
);
/** A remark on a value: a column, or cells that match a pattern. */
export type Remark = z.output<typeof remark>;
const remarks = byName(remark)
  .optional()
  .describe('remarks on values by name: columns, or texts in place of a figure, which is then null');
const withhold = object({ column: text, when: byName(texts).default({}) })
  .optional()
  .describe(
    'figures whose field has a text are null, and the remark "withheld" has the figure; "when" limits this to rows whose fields have certain texts',
  );
const sampled = z
  .array(object({ columns: pattern, texts: pattern }), { error: 'must be a list' })
  .default([]);
const decimal = oneOf(DECIMALS)
  .optional()
  .describe('"." by default; in tables with ";", numbers such as 1.234 need it');
const meaning = z.literal([null, 'no point'], { error: 'must be null or "no point"' });
const missing = z
  .union([tableText, z.array(tableText), z.record(tableText, meaning)], {
    error: 'must be a list of texts, or an object of texts with null or "no point"',
  })
  .transform((given): MissingTexts => {
    if (typeof given === 'string' || Array.isArray(given)) return { nulls: [given].flat(), absent: [] };
    const textsOf = (meaning: string | null) => Object.keys(given).filter((one) => given[one] === meaning);
    return { nulls: textsOf(null), absent: textsOf('no point') };
  })
  .describe(
    'texts that mean "no value"; ["NA"] by default; or texts with null, or with "no point", like an empty field',
  );
const only = byName(texts).optional().describe('rows that are read, by the texts of columns');
const skip = byName(texts).optional().describe('rows that are not read, by the texts of columns');
const ofCase = {
  metric: nameFrom.optional(),
  item: itemFrom.optional(),
  unit: nameFrom.optional(),
  divide_by: divide_by.optional(),
  missing: missing.optional(),
};
const measures = {
  flag,
  remarks,
  withhold,
  only,
  skip,
  metric: nameFrom.optional(),
  item: itemFrom.optional(),
  unit: nameFrom.optional(),
  divide_by: divide_by.optional().describe('the figures are divided by it, such as 10 for tenths'),
};
const DAY_FUNCTIONS = ['min', 'max', 'mean', 'sum'] as const;
/** A function that aggregates hourly figures into a daily one. */
export type DayFunction = (typeof DAY_FUNCTIONS)[number];
const days = object({
  hour: text.describe(
    'the column of the full hour, alone or after a day: 3, 03:00, 0300 UTC, 2024-11-14T03:00',
  ),
  by: texts.default([]).describe('columns whose texts name a day, such as those of its parts'),
  figures: z
    .array(object({ columns: pattern, functions: z.array(oneOf(DAY_FUNCTIONS)).min(1) }), {
      error: 'must be a list',
    })
    .min(1)
    .describe('the columns of figures, and their functions, which are the ends of new names: "temp max"'),
  at_least: whole(1, 24).default(24).describe('how many hours a figure of a day needs'),
});
const WORD = /^[a-z][a-z0-9-]*$/;

const firstMonth = z.union([whole(1, 12), z.literal('of_date')], {
  error: 'must be a whole number from 1 to 12, or "of_date"',
});
type FirstMonth = z.output<typeof firstMonth>;
const FREQUENCY_NAMES = FREQUENCIES.map(({ name }) => name);
const FREQUENCY = oneOf(FREQUENCY_NAMES);

const character = whole(1, 1_000_000);
const fixedColumns = z.array(object({ name: text, from: character, to: character }), {
  error: 'must be a list',
});

/** The keys of a document. `parseForm` checks that they are consistent. */
const KEYS = {
  $schema: text.optional().describe('for editors; not read'),
  name: text
    .regex(WORD, { error: 'must be a word of small letters, digits and hyphens' })
    .optional()
    .describe('the word for the data set in commands'),
  summary: text.optional().describe('the content of the data set, in a line'),
  recognise: object({
    columns: texts.default([]).describe('columns that all its tables have'),
    text: pattern.optional().describe('a regular expression that matches the beginning of its files'),
  })
    .optional()
    .describe('how its files are told from others'),
  hooks: z
    .array(object({ hook: text, columns: byName(text).default({}) }), { error: 'must be a list' })
    .default([])
    .describe('functions that say the meaning of columns; each is named in the documentation'),
  settings: byName(
    object({
      description: text,
      words: z.array(text, { error: 'must be a list of words' }).min(1).optional(),
      form: pattern.optional().describe('a regular expression that matches the values'),
      example: text.optional(),
      default: text.optional(),
      detect: z
        .array(object({ is: text, some: sampled, none: sampled }), { error: 'must be a list' })
        .optional()
        .describe(
          'rules for the value by the first figures, if the user gives none: the first applies of which "some" columns have texts that match, and "none" of others',
        ),
    }),
  )
    .optional()
    .describe('what a user may say of the files, such as their units; each is a field, empty by default'),
  fetch: fetchKeys.optional().describe('how its files are fetched from the agency'),
  extends: text
    .optional()
    .describe(
      'the name of a data set of the package, whose keys apply unless this document has them; null removes one',
    ),
  delimiter: z
    .union([z.literal('blanks'), text.length(1)], { error: says('must be one character, or "blanks"') })
    .default(',')
    .describe('between fields; "," by default; "blanks" for any number of blanks'),
  quotes: z
    .boolean({ error: says('must be true or false') })
    .default(true)
    .describe('whether fields may be in quotes'),
  columns: fixedColumns
    .optional()
    .describe('the columns of lines of fixed width, by their first and last character'),
  repeat: object({ from: character, to: character, times: whole(2, 1000), number: text })
    .optional()
    .describe(
      'columns from one character to another that a line repeats, such as those of days: each group becomes a row, in which the field "number" counts the groups from 1',
    ),
  line: patterns
    .default([])
    .describe('regular expressions that lines of fixed width match; other lines are rejected as a whole'),
  header: z
    .array(text, { error: 'must be a list of names' })
    .min(1)
    .optional()
    .describe('the names of the columns, where no line has them'),
  comment: text.optional().describe('the beginning of lines that are not read'),
  end: pattern.optional().describe('a regular expression that matches the first line after the table'),
  entry: patterns
    .optional()
    .describe(
      "a regular expression that matches the names of a zip archive's files that are read, or a list of them, of which the first that matches a file counts",
    ),
  sheet: text.optional().describe("the name of a workbook's sheet, where several have cells"),
  header_line: z
    .union([whole(0, 1_000_000), pattern], {
      error: 'must be a whole number from 0 to 1000000, or a regular expression',
    })
    .optional()
    .describe('the line of the header, or a regular expression that matches it; earlier lines are not read'),
  header_rows: whole(1, 9).default(1).describe('lines of the header, whose texts are joined by " | "'),
  json: object({
    at: text.default('').describe('the keys to the table, such as "daily" or "1" for the second of a list'),
    units: text
      .optional()
      .describe('the key beside it, of the units of columns, which are added to their names'),
  })
    .optional()
    .describe('the table is in JSON: a list of records, or a list for each column'),
  reader: text.optional().describe('the name of a function that reads the files, for formats such as XML'),
  json_records: z
    .boolean({ error: says('must be true or false') })
    .default(false)
    .describe('whether JSON lists of flat records with these columns are read as well, in parts'),
  days: days.optional().describe('makes a table of days from one of hours'),
  preamble: patterns
    .default([])
    .describe('regular expressions whose named groups are fields, found in the lines before the header'),
  legend: pattern
    .optional()
    .describe(
      'a regular expression that matches the lines before the header that describe columns of values, by a group of their names',
    ),
  file: pattern
    .optional()
    .describe("a regular expression whose named groups are fields, found in the file's name"),
  lookup: byName(object({ column: text, names }))
    .default({})
    .transform((given) => new Map(Object.entries(given)))
    .describe('fields whose texts are names for those of other fields; empty for texts without a name'),
  code_list: object({
    what: text.describe('its name in messages, such as "a station list"'),
    line: pattern.describe('a regular expression that matches its lines, and no line of other files'),
    columns: fixedColumns,
    key: text.describe('the column of the codes'),
    of: text.describe('the field of the table that has the codes'),
  })
    .optional()
    .describe(
      'a file of codes that may come with the tables, such as a list of stations; its other columns are fields, empty for codes that it lacks',
    ),
  split: byName(pattern)
    .default({})
    .describe('regular expressions whose named groups are fields, found in the texts of columns'),
  clear: byName(object({ column: text, of: text.optional(), texts }))
    .default({})
    .describe('fields that are a column, but empty where it, or the column "of", has certain texts'),
  call: byName(pattern)
    .default({})
    .describe(
      'names for columns: a regular expression for each, which the first column matches; its named groups are fields',
    ),
  beside: byName(pattern)
    .default({})
    .describe(
      'fields in the columns directly behind each column of figures, by patterns of their names; empty where there is none',
    ),
  fold: z
    .boolean({ error: says('must be true or false') })
    .default(false)
    .describe(
      'whether names of columns are reduced to letters and digits in lower case: "Open_Interest (All)" is "openinterestall"',
    ),
  optional: z
    .union(
      [texts.transform((names) => Object.fromEntries(names.map((one) => [one, '']))), byName(tableText)],
      {
        error: 'must be a list of columns, or an object of texts by column',
      },
    )
    .default({})
    .describe('columns that tables may lack; their texts are then empty, or those given'),
  other_columns: z
    .union(
      [z.literal('ignore'), object({ ignore: pattern.optional(), kinds: byName(pattern).default({}) })],
      { error: 'must be "ignore", or { "ignore": …, "kinds": … } with regular expressions' },
    )
    .optional()
    .describe(
      'the columns that are not named, or those that match, hold no figures; by default they are counted as not read, by their names or those of "kinds"',
    ),
  source: z.union(
    [
      name.transform((known) => ({ known })),
      object({ column: text, names: byName(name) }),
      object({
        name,
        longName: text.optional(),
        licence: text.optional(),
        citation: text.optional(),
        url: text.optional(),
      }).transform(({ name, longName = name, licence = 'unknown', citation = name, url = '' }) => ({
        name,
        longName,
        licence,
        citation,
        url,
      })),
    ],
    {
      error: says(
        'must be an object with a name, the name of a source that the package has, or { "column": …, "names": … }',
      ),
    },
  ),
  define: define.optional().describe("the source's own metrics, items, regions and units"),
  region: place.optional(),
  partner_region: region.optional().describe('the other region of a trade series'),
  values: z
    .array(
      object({
        column: text.optional(),
        columns: pattern
          .optional()
          .describe('a regular expression that matches columns, whose named groups are fields'),
        decimal,
        ...measures,
        missing: missing.optional(),
      }),
      { error: 'must be a list' },
    )
    .optional()
    .describe('several columns of values'),
  value: text.optional().describe('the column of values'),
  ...measures,
  cases: z
    .array(object({ when: byName(texts), ...ofCase }), { error: 'must be a list' })
    .default([])
    .describe(
      'for rows whose fields have certain texts, the metric, item, unit, divisor or missing texts of their figures',
    ),
  start_date: z
    .union([day, datedStart, ofParts.extend({ last_day }), object({ header: format, last_day })], {
      error: says(`${DATE}, or { "header": … } for columns named by their dates`),
    })
    .optional(),
  end_date: date.optional().describe('without it, the end follows from the frequency'),
  reporting_date: z
    .union([day, dated, ofParts, lags], { error: `${DATE}, or { "after": …, "days": … }` })
    .optional(),
  available_date: z
    .union([day, dated, ofParts, object({ equal_to: oneOf(['reporting_date', 'end_date']) }), lags], {
      error: `${DATE}, { "equal_to": … }, or { "after": …, "days": … }`,
    })
    .optional()
    .describe(
      'when each value became available: a date, or a lag, or a list of lags of which the first that applies counts; without it, the time of the import',
    ),
  frequency: z
    .union(
      [
        FREQUENCY,
        object({
          column: text,
          names: byName(FREQUENCY).transform((named) => new Map(Object.entries(named))),
        }),
      ],
      {
        error: ({ input }) =>
          input === FILL_IN
            ? IS_GAP
            : `must be one of ${FREQUENCY_NAMES.map((one) => JSON.stringify(one)).join(', ')}`,
      },
    )
    .optional()
    .describe('by default that of the date format'),
  first_month: z
    .union(
      [
        firstMonth,
        byName(firstMonth).transform(
          (given): ReadonlyMap<string, FirstMonth> => new Map(Object.entries(given)),
        ),
      ],
      { error: 'must be a whole number from 1 to 12, or "of_date"' },
    )
    .optional()
    .describe('the month in which years begin, such as 9 for a marketing year; or the months by date format'),
  decimal,
  thousands: oneOf(THOUSANDS).optional(),
  missing: missing.default({ nulls: ['NA'], absent: [] }),
  whole: z
    .boolean({ error: says('must be true or false') })
    .default(false)
    .describe('whether numbers are whole; others are rejected'),
  zero: texts.default([]).describe('texts that mean 0, such as "-"'),
  marks: byName(tableText.nullable())
    .default({})
    .describe(
      'marks before and after numbers, with their meaning, which becomes the flag; null for those of limits such as "<"',
    ),
  names: oneOf(['exact', 'nearest'])
    .default('exact')
    .describe('whether rows with an unknown name are rejected, or the best search hit is used'),
};
const FORM = object(KEYS);

/** The keys of a document, each in one form. */
export type FormKeys = z.output<typeof FORM>;
/** The definitions of a document under its source, by name. */
export type DefinitionKeys = NonNullable<FormKeys['define']>;

/** The source of a document. A source that ships with the package keeps its id. */
export type FormSource = Omit<NewEntity<'sources'>, 'id'> & { readonly id?: number };

/** The origin of a name: a column, or one name for all rows. */
export type NameFrom = Named | { readonly name: string };
/** The origin of an item's name and of its variant's name. */
export type ItemFrom = NameFrom & { readonly variant?: z.output<typeof variant> | undefined };
/** The origin of a region's name, or of its code. */
export type RegionFrom = NameFrom & {
  readonly within?: NameFrom | undefined;
  readonly level?: keyof typeof REGION_LEVELS | undefined;
  readonly code?: (typeof CODES)[number] | undefined;
};
/** The origin of a place that the table or the document describes: identifier, coordinates and, if any, name. */
export type StationFrom = z.output<typeof station>;

/** A date in one column with its format, or in several columns. */
export type DateFrom = z.output<typeof date>;
/** The publication time of figures, counted from a date of the row. */
export type Lag = z.output<typeof lag>;
/** Checks whether a date is counted from another date of the row. */
export const isLag = (from: unknown): from is readonly Lag[] => Array.isArray(from);
/** The columns of a date that is split over several columns. */
export type DateParts = z.output<typeof ofParts>;

/** Returns the JSON Schema of documents, by which editors complete and check them. */
export function documentJsonSchema(): object {
  return z.toJSONSchema(FORM, { io: 'input', unrepresentable: 'any', reused: 'ref' });
}

/** @throws ArgumentError that names the first wrong key */
export function checkForm(json: unknown): FormKeys {
  const checked = FORM.safeParse(json);
  if (checked.success) return checked.data;
  throw issueError(clearestOf(checked.error.issues));
}

type Issue = z.core.$ZodIssue;

function clearestOf(issues: readonly Issue[]): Issue {
  return issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]!;
}

function issueError(issue: Issue): ArgumentError {
  const key = issue.path.reduce<string>(
    (path, part) =>
      typeof part === 'number' ? `${path}[${part}]` : path === '' ? String(part) : `${path}.${String(part)}`,
    '',
  );
  if (issue.code === 'unrecognized_keys')
    return documentError(
      `"${issue.keys[0]}"`,
      `is not a key${key === '' ? '' : ` of ${key}`}; ${issue.message}`,
    );
  if (issue.code === 'invalid_key') return documentError(key, 'defines something without a name');
  const inner = issue.code === 'invalid_union' ? innerIssue(issue) : null;
  if (inner !== null) return issueError({ ...inner, path: [...issue.path, ...inner.path] });
  return documentError(key === '' ? 'the root' : key, issue.message);
}

/** Finds the fault within the form that a value resembles most. Returns null if it resembles none. */
function innerIssue({ errors }: z.core.$ZodIssueInvalidUnion): Issue | null {
  const forms = errors.filter(
    (issues) => !issues.some(({ path, code }) => path.length === 0 && code === 'invalid_type'),
  );
  const [nearest] = [...forms].sort((a, b) => a.length - b.length);
  if (nearest === undefined) return null;
  const issue = clearestOf(nearest);
  return issue.message.startsWith('is missing') ? null : issue;
}

export function documentError(key: string, what: string): ArgumentError {
  return badArgument('document', `${key} ${what}`);
}
