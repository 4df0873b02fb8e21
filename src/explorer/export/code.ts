import { RESAMPLED } from '../../model/chart-choices.js';
import type { SeriesKey } from '../../model/series.js';
import { endOfDay } from '../../model/time.js';
import type { DataRequest } from '../state/view-state.js';

/** The languages in which a view is written. */
export const LANGUAGES = ['typescript', 'python', 'curl', 'sql'] as const;
/** A language in which a view is written. */
export type Language = (typeof LANGUAGES)[number];

const WRITERS: Readonly<Record<Language, (input: CodeInput) => string>> = {
  typescript: typescriptCode,
  python: pythonCode,
  curl: curlCode,
  sql: sqlCode,
};

/** The view as a program, ready to paste. The token is a variable of the environment, never its value. */
export function codeOf(language: Language, input: CodeInput): string {
  return WRITERS[language](input);
}

/** The parts of a program. */
export interface CodeInput {
  readonly request: DataRequest;
  /** Where the service is: its origin and folder, without a slash at the end. */
  readonly host: string;
  /** A name for each series, in their order, for comments. */
  readonly names: readonly string[];
}

/** The view as a TypeScript program. */
export function typescriptCode({ request, host, names }: CodeInput): string {
  const { every, how, scale } = request;
  const verbs = [...(every === null ? [] : ['resample']), ...(scale === 'yoy' ? ['yearOverYear'] : [])];
  const notes = scale === 'index' ? leftToDo({ ...request, every: null }) : [];
  const series = request.series.map(
    (key, at) => `  ${objectText({ ...key, ...datesOf(request) })}, // ${stringLiteral(names[at] ?? '')}`,
  );
  return clientProgram(host, {
    imports: verbs.length === 0 ? [] : [`import { ${verbs.join(', ')} } from 'cropframe/frame';`],
    body: [
      'const series = [',
      ...series,
      '];',
      'for (const one of series) client.addSingleDataSeries(one);',
      `${verbs.length === 0 ? 'const' : 'let'} table = await client.getDf(${objectText(optionsOf(request))});`,
      ...(every === null ? [] : [`table = resample(table, ${objectText({ to: RESAMPLED[every], how })});`]),
      ...(scale === 'yoy' ? [`table = yearOverYear(table, ${objectText({ as: 'percent' })});`] : []),
      ...notes.map((note) => `// The page shows these values ${note}.`),
      'console.log(table);',
    ],
  });
}

/** A program in TypeScript that makes a client of a service, and then runs its lines. */
export function clientProgram(
  host: string,
  { imports = [], body }: { imports?: readonly string[]; body: readonly string[] },
): string {
  return [
    "import { createClient } from 'cropframe'; // in a browser: 'cropframe/browser'",
    ...imports,
    '',
    `const client = createClient({ api_host: ${stringLiteral(host)}, access_token: process.env.API_TOKEN ?? 'none' });`,
    ...body,
    '',
  ].join('\n');
}

function datesOf({ from, to }: CodeInput['request']): object {
  return { ...(from === null ? {} : { start_date: from }), ...(to === null ? {} : { end_date: to }) };
}

function optionsOf({ asof, unit, vintages }: CodeInput['request']): object {
  return {
    include_names: true,
    ...(asof === null ? {} : { at_time: endOfDay(asof) }),
    ...(unit === null ? {} : { unit_id: unit }),
    ...(vintages ? { complete_history: true, show_available_date: true } : {}),
  };
}

function objectText(values: object): string {
  const fields = Object.entries(values).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? stringLiteral(value) : String(value)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

/** The view as a Python program that reads JSON into an Arrow table. */
export function pythonCode({ request, host, names }: CodeInput): string {
  const queries = request.series.map((key, at) => {
    const fields = wireQuery(key, request).map(
      ([name, value]) =>
        `"${name}": ${typeof value === 'string' ? stringLiteral(value) : `[${value.map(stringLiteral).join(', ')}]`}`,
    );
    return `    {${fields.join(', ')}},  # ${stringLiteral(names[at] ?? '')}`;
  });
  const left = leftToDo(request);
  const note = left.length === 0 ? [] : [`# The page shows these values ${left.join(', then ')}.`];
  return [
    'import os',
    '',
    'import pyarrow as pa',
    'import requests',
    '',
    `HOST = ${stringLiteral(host)}`,
    'HEADERS = {"authorization": "Bearer " + os.environ.get("API_TOKEN", "none")}',
    'QUERIES = [',
    ...queries,
    ']',
    '',
    'KEYS = ("metricId", "itemId", "regionId", "partnerRegionId", "sourceId", "frequencyId")',
    'rows = []',
    'for query in QUERIES:',
    '    answer = requests.get(HOST + "/v2/data", params=query, headers=HEADERS, timeout=60)',
    '    answer.raise_for_status()',
    '    for block in answer.json():',
    '        series = {key: block["series"].get(key) for key in KEYS}',
    '        for start, end, value, reported, unit, _, available in block.get("data", []):',
    '            row = {**series, "start_date": start, "end_date": end, "value": value, "unitId": unit}',
    '            rows.append({**row, "reporting_date": reported, "available_date": available})',
    'table = pa.Table.from_pylist(rows)',
    ...note,
    'print(table)',
    '',
  ].join('\n');
}

/**
 * The view as commands of a shell, one for each series, or for one of many regions; each prints JSON. Notes are arguments of
 * `:`, which does nothing, because zsh runs the text of a comment that is pasted.
 */
export function curlCode({ request, host, names }: CodeInput): string {
  const commands = request.series.flatMap((key, at) => [
    `: ${shellLiteral(names[at] ?? '')}`,
    `curl --fail --silent --show-error --get ${shellWord(`${host}/v2/data`)} \\`,
    '  --header "authorization: Bearer $API_TOKEN" \\',
    ...wireQuery(key, request)
      .map(([name, value]) =>
        typeof value === 'string'
          ? `  --data-urlencode ${shellWord(`${name}=${value}`)}`
          : `  --data ${shellWord(value.map((one) => `${name}=${one}`).join('&'))}`,
      )
      .flatMap((line, i, all) => (i < all.length - 1 ? [`${line} \\`] : [line])),
    '',
  ]);
  const left = leftToDo(request);
  const note =
    left.length === 0 ? [] : [`: ${shellLiteral(`The page shows these values ${left.join(', then ')}.`)}`];
  return [
    ": 'API_TOKEN holds the access token; a service without tokens takes any text.'",
    ...note,
    ...commands,
  ].join('\n');
}

/** The view as a query of the store by names, for `cropframe sql` on the machine that has it. */
function sqlCode({ request, host, names }: CodeInput): string {
  const { series, regions, from, to, asof, unit, vintages } = request;
  const value = unit === null ? 'value, unit' : 'convert(d.value, d.unit, u.unit) AS value, u.unit';
  const conditions = series.map(({ region_id, ...key }, at) => {
    const others = Object.entries(key).map(([name, id]) => `${name} = ${id}`);
    const isOr = at === 0 ? '   ' : 'OR ';
    return `  ${isOr}(${others.join(' AND ')} AND region_id IN (${(regions ?? [region_id]).join(', ')})) -- ${stringLiteral(names[at] ?? '')}`;
  });
  const table = vintages ? 'history' : asof === null ? 'data' : `as_of('${endOfDay(asof)}')`;
  const left = leftToDo(request);
  return [
    `-- cropframe sql "…" --store STORE, where the store of ${host} is; a service does not answer SQL.`,
    ...left.map((note) => `-- The page shows these values ${note}.`),
    'USE by_name;',
    `SELECT metric, item, region, source, start_date, end_date, ${value}${vintages ? ', reporting_date, available_date' : ''}`,
    `FROM ${table} AS d${unit === null ? '' : `, (SELECT unit FROM units WHERE unit_id = ${unit}) AS u`}`,
    'WHERE (',
    ...conditions,
    ')',
    ...(from === null ? [] : [`  AND end_date >= '${from}'`]),
    ...(to === null ? [] : [`  AND start_date <= '${endOfDay(to)}'`]),
    'ORDER BY metric, item, region, start_date;',
    '',
  ].join('\n');
}

/** The name of a parameter, and its value or values. */
type Parameter = readonly [name: string, value: string | readonly string[]];

/** The query of `GET /v2/data` for a series: names and values in the order of the documentation. */
export function wireQuery(
  key: SeriesKey,
  { regions, from, to, asof, unit, vintages }: DataRequest,
): readonly Parameter[] {
  const query: [string, string | number | readonly number[] | null][] = [
    ['metricId', key.metric_id],
    ['itemId', key.item_id],
    ['regionId', regions ?? key.region_id],
    ['partnerRegionId', key.partner_region_id === 0 ? null : key.partner_region_id],
    ['sourceId', key.source_id],
    ['frequencyId', key.frequency_id],
    ['startDate', from],
    ['endDate', to],
    ['atTime', asof === null ? null : endOfDay(asof)],
    ['unitId', unit],
    ['showHistory', vintages ? 'true' : null],
    ['showAvailableDate', vintages ? 'true' : null],
    ['responseType', 'list_of_series'],
  ];
  return query.flatMap(([name, value]): Parameter[] => {
    if (value === null) return [];
    return [[name, typeof value === 'object' ? value.map(String) : String(value)]];
  });
}

/** Steps that the service does not do, and the program does with the answer. */
export function leftToDo({ every, how, scale }: DataRequest): readonly string[] {
  return [
    ...(every === null ? [] : [`resampled to each ${every} by ${how}`]),
    ...(scale === 'yoy' ? ['compared with the same period of the year before'] : []),
    ...(scale === 'index' ? ['divided by the first value, times 100'] : []),
  ];
}

/** Characters that end a line, or reverse the following text, in programs. */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** A text as a literal of TypeScript and of Python: on one line, and in the order in which it is read. */
export function stringLiteral(text: string): string {
  return literal(text);
}

/** A value as a literal of TypeScript, on several lines where it has parts. */
export function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    UNSAFE,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Any text as one word of a shell. */
export function shellWord(text: string): string {
  if (/^[\w./:=,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A text of data as one word of bash, zsh and fish, on one line: always quoted, and without a backslash inside the quotes. */
function shellLiteral(text: string): string {
  const line = text.replace(UNSAFE, ' ').replace(/[\p{Cc}\\]+/gu, ' ');
  return `'${line.replaceAll("'", '’')}'`;
}
