import * as z from 'zod';
import { REGION_LEVELS } from '../../model/entity.js';
import { type ArgumentError, badArgument } from '../../model/errors.js';
import { FREQUENCIES } from '../../model/frequency.js';
import { MAX_NAME } from '../batch/batch-builder.js';
import { COMMON_FORMATS, findDateFormat } from '../reading/dates.js';
import { DECIMALS, THOUSANDS } from './numbers.js';

export const MAX_LATITUDE = 90;
export const MAX_LONGITUDE = 180;

/** The mark of a gap in a suggested mapping. */
export const FILL_IN = '?';
const IS_GAP = `is "${FILL_IN}": fill it in`;

/** The fault of a value, in place of the words of the schema's library. */
const says =
  (what: string, missing = 'is missing') =>
  ({ input }: { input?: unknown }): string =>
    input === undefined ? missing : what;

/** A column, with names for those of its values that are codes or other words. Other values are used as names. */
export interface Named {
  readonly column: string;
  readonly names?: ReadonlyMap<string, string> | undefined;
  /** Skips rows whose value is not in `names`. */
  readonly others?: 'skip' | undefined;
}

/** A text that may be any one of the table. */
const tableText = z.string({ error: says('must be a string') });
const tableName = tableText.max(MAX_NAME, { error: `has more than ${MAX_NAME} characters` });
const filledIn = (schema: z.ZodString) => schema.refine((given) => given !== FILL_IN, { error: IS_GAP });
const text = filledIn(tableText);
/** A name that something is stored under. */
const name = filledIn(tableName);
const texts = z
  .union([tableText, z.array(tableText)], { error: says('must be a list of texts, or a text') })
  .transform((given) => [given].flat());
const column = text.transform((name): Named => ({ column: name }));
const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, {
    error: ({ input }) =>
      input === FILL_IN
        ? IS_GAP
        : `must be one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
  });
const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};
const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code, input }) =>
      code === 'unrecognized_keys'
        ? `the keys are ${Object.keys(shape).join(', ')}`
        : says('must be an object')({ input }),
  });
const byName = <Value extends z.core.SomeType>(value: Value) =>
  z.record(
    tableName.refine((given) => given.trim() !== '', { error: 'has an empty name' }),
    value,
    {
      error: says('must be an object'),
    },
  );

const names = byName(tableText)
  .transform((named): NonNullable<Named['names']> => new Map(Object.entries(named)))
  .describe('names for texts of the column; other texts are names as they are');
const others = oneOf(['skip']).describe('skips rows whose text is not in "names"');
const named = object({ column: text, names: names.optional(), others: others.optional() });
const nameFrom = z.union([column, named, object({ name })], {
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

const namedRegions = [
  column,
  object({ column: text, code: oneOf(['fips']).describe('FIPS codes of US states and counties') }),
  named.extend({ level: level.optional(), within: within.optional() }),
  object({ name, level: level.optional(), within: within.optional() }),
] as const;
const REGION = 'must be a column, { "name": … } for one region for all rows';
const region = z.union(namedRegions, { error: says(REGION) });
const station = object({
  station: stationText,
  latitude: degreesFrom(MAX_LATITUDE),
  longitude: degreesFrom(MAX_LONGITUDE),
  name: stationText.optional(),
});
const place = z.union([...namedRegions, station], {
  error: says(`${REGION}, or a place with station, latitude and longitude`),
});

const FORMAT = `is not a date format; write it with YYYY, YY, MM, Mon, DD, DDD, Qn, Sn, Bn, Mnn, Wnn or Dnnn and the marks between them, such as ${COMMON_FORMATS.join(', ')}; or "spreadsheet" for serial numbers of days`;
const format = text
  .refine((given) => given === FILL_IN || findDateFormat(given) !== null, {
    error: ({ input }) => `${JSON.stringify(input)} ${FORMAT}`,
  })
  .describe('YYYY, YY, MM, Mon, DD, DDD, Qn, Sn, Bn, Mnn, Wnn or Dnnn, and the marks between them');
const DAYS = 'YYYY-MM-DD';
const day = text.transform((name) => ({ column: name, format: DAYS }));
const dated = object({ column: text, format: format.default(DAYS) });
const last_day = z.boolean({ error: says('must be true or false') }).optional();
const partOf = (what: string) => column.optional().describe(what);
/** A date that is split over several columns, such as year and month. */
const ofParts = object({
  year: column,
  month: partOf('the number of the month, or its English name'),
  day: partOf('the day of the month'),
  day_of_year: partOf('the day of the year, from 1'),
  week: partOf('the week of ISO 8601'),
  quarter: partOf('the quarter'),
});
const DATE =
  'must be a column, { "column": …, "format": … }, or columns of parts such as { "year": …, "day_of_year": … }';
const date = z.union([day, dated, ofParts], { error: DATE });

const described = {
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

/** The JSON of a mapping. `parseMapping` checks its keys against each other. */
const MAPPING = object({
  $schema: text.optional().describe('for editors; not read'),
  extends: text
    .optional()
    .describe(
      'the name of a mapping that ships, whose keys apply unless this mapping has them; null removes one',
    ),
  delimiter: text
    .length(1, { error: 'must be one character' })
    .default(',')
    .describe('between fields; "," by default'),
  entry: text.optional().describe("the beginning of the names of a zip archive's files that are read"),
  sheet: text.optional().describe("the name of a workbook's sheet, where several have cells"),
  header_line: whole(1, 1_000_000)
    .default(1)
    .describe('the line of the header; those before it are not read'),
  source: object({
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
  define: define.optional().describe("the source's own metrics, items, regions and units"),
  only: byName(texts).optional().describe('rows that are read, by the texts of columns'),
  skip: byName(texts).optional().describe('rows that are not read, by the texts of columns'),
  region: place,
  partner_region: region.optional().describe('the other region of a trade series'),
  values: z
    .array(
      object({
        column: text,
        metric: nameFrom.optional(),
        item: nameFrom.optional(),
        unit: nameFrom.optional(),
      }),
      { error: 'must be a list' },
    )
    .optional()
    .describe('several columns of values'),
  value: text.optional().describe('the column of values'),
  metric: nameFrom.optional(),
  item: nameFrom.optional(),
  unit: nameFrom.optional(),
  flag: z
    .union(
      [
        column,
        object({ column: text, optional: z.literal(true).describe('tables may lack the column') }),
        object({ after_value: z.literal(true) }).transform(() => 'after_value' as const),
      ],
      { error: 'must be a column, or { "after_value": true }' },
    )
    .optional()
    .describe('the column of remarks on values, or letters behind them'),
  start_date: z.union(
    [day, dated.extend({ last_day }), ofParts.extend({ last_day }), object({ header: format })],
    {
      error: says(
        `${DATE}, or { "header": … } for columns named by their dates`,
        'is missing: name a column',
      ),
    },
  ),
  end_date: date.optional().describe('without it, the end follows from the frequency'),
  reporting_date: date.optional(),
  available_date: z
    .union([day, dated, ofParts, object({ equal_to: oneOf(['reporting_date', 'end_date']) })], {
      error: `${DATE}, or { "equal_to": … }`,
    })
    .optional()
    .describe('when each value became available; without it, the time of the import'),
  frequency: oneOf(FREQUENCIES.map(({ name }) => name))
    .optional()
    .describe('by default that of the date format'),
  first_month: z
    .union([whole(1, 12), z.literal('of_date')], {
      error: 'must be a whole number from 1 to 12, or "of_date"',
    })
    .optional()
    .describe('the month in which years begin, such as 9 for a marketing year'),
  decimal: oneOf(DECIMALS)
    .optional()
    .describe('"." by default; in tables with ";", numbers such as 1.234 need it'),
  thousands: oneOf(THOUSANDS).optional(),
  missing: texts.default(['NA']).describe('texts that mean "no value"; ["NA"] by default'),
  empty: texts.default([]).describe('texts that are no point, like an empty field'),
  names: oneOf(['exact', 'nearest'])
    .default('exact')
    .describe('whether rows with an unknown name are rejected, or the best search hit is used'),
});

/** The keys of a mapping, each in one form. */
export type MappingKeys = z.output<typeof MAPPING>;
/** The definitions of a mapping under its source, by name. */
export type DefinitionKeys = NonNullable<MappingKeys['define']>;

/** The origin of a name: a column, or one name for all rows. */
export type NameFrom = Named | { readonly name: string };
/** The origin of a region's name, or of its code. */
export type RegionFrom = NameFrom & {
  readonly within?: NameFrom | undefined;
  readonly level?: keyof typeof REGION_LEVELS | undefined;
  readonly code?: 'fips' | undefined;
};
/** The origin of a place that the table or the mapping describes: identifier, coordinates and, if any, name. */
export type StationFrom = z.output<typeof station>;

/** A date in one column with its format, or in several columns. */
export type DateFrom = z.output<typeof date>;
/** The columns of a date that is split over several columns. */
export type DateParts = z.output<typeof ofParts>;

/** The JSON Schema of mappings, by which editors complete and check them. */
export function mappingJsonSchema(): object {
  return z.toJSONSchema(MAPPING, { io: 'input', unrepresentable: 'any', reused: 'ref' });
}

/** @throws ArgumentError that names the first wrong key */
export function checkMapping(json: unknown): MappingKeys {
  const checked = MAPPING.safeParse(json);
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
    return mappingError(
      `"${issue.keys[0]}"`,
      `is not a key${key === '' ? '' : ` of ${key}`}; ${issue.message}`,
    );
  if (issue.code === 'invalid_key') return mappingError(key, 'defines something without a name');
  const inner = issue.code === 'invalid_union' ? innerIssue(issue) : null;
  if (inner !== null) return issueError({ ...inner, path: [...issue.path, ...inner.path] });
  return mappingError(key === '' ? 'the root' : key, issue.message);
}

/** The fault within the form that a value resembles most; null when it resembles none. */
function innerIssue({ errors }: z.core.$ZodIssueInvalidUnion): Issue | null {
  const forms = errors.filter(
    (issues) => !issues.some(({ path, code }) => path.length === 0 && code === 'invalid_type'),
  );
  const [nearest] = [...forms].sort((a, b) => a.length - b.length);
  if (nearest === undefined) return null;
  const issue = clearestOf(nearest);
  return issue.message.startsWith('is missing') ? null : issue;
}

export function mappingError(key: string, what: string): ArgumentError {
  return badArgument('mapping', `${key} ${what}`);
}
