import { readFormula } from '../../charts/formula.js';
import { toFlagQuery, toQuery } from '../../client/query.js';
import { RESAMPLED, type Scale } from '../../model/chart-choices.js';
import { DERIVATIONS, type Derivation } from '../../model/derivations.js';
import type { PeriodLength } from '../../model/entity.js';
import { FREQUENCIES } from '../../model/frequency.js';
import type { SeriesKey } from '../../model/series.js';
import { endOfDay } from '../../model/time.js';
import { type DataRequest, toClientOptions } from '../state/view-state.js';

/** The languages in which the exported program can be written, with their labels, comment marks and code generators. */
export const LANGUAGES = {
  typescript: { label: 'TypeScript', mark: '//', write: typescriptCode },
  python: { label: 'Python', mark: '#', write: pythonCode },
} as const;
export type Language = keyof typeof LANGUAGES;

/** Returns a program that retrieves the view's data. The program reads the token from an environment variable. */
export function codeOf(language: Language, input: CodeInput): string {
  const { mark, write } = LANGUAGES[language];
  const left = stepsOf(input.request).filter(({ code }) => language !== 'typescript' || code === undefined);
  const named = left.flatMap(({ words }) => words || []).join(', ');
  const note = named === '' ? [] : [`The page shows derived values: ${named}.`];
  const comments = [...note, ...(input.notes ?? [])].map((text) => `${mark} ${text}`);
  return [...comments, write(input)].join('\n');
}

/** A step in deriving the shown values, with its TypeScript code if an exported program can perform the step. */
interface Step {
  /** What is computed, such as `sum of each month`. Empty if the step changes no value. */
  readonly words: string;
  readonly code?: string | undefined;
}

export function stepsOf(request: DataRequest): readonly Step[] {
  const { every, hows = [], scale, formula, formulaUnit, periods, to } = request;
  const steps: Step[] = [];
  if (every !== null) {
    const to = RESAMPLED[every];
    const words = hows.flatMap((how) => (how ? DERIVATIONS.aggregate(how, to, 1).words : []));
    const code = `table = table.resample({ to: ${literal(to)}, how: ${howCode(request)} });`;
    steps.push({ words: [...new Set(words)].join(' and '), code });
  }
  if (formula !== 'none') {
    const { kind, isReversed } = readFormula(formula);
    const [one, other] = isReversed ? ['b', 'a'] : ['a', 'b'];
    const values = {
      over: `${one} / ${other}`,
      minus: `${one} - ${other}`,
      share: `100 * ${one} / ${other}`,
    };
    const options = `{ columns: { a, b }, unit: ${literal(formulaUnit || 'ratio')} }`;
    const code = [
      'const [, a, b] = table.schema.fields.map(({ name }) => name);',
      `table = table.withColumn(${literal(formula)}, ({ a, b }) => ${values[kind]}, ${options});`,
    ];
    steps.push({ words: formula, code: code.join('\n') });
  }
  const window = windowOf(request);
  const rolled = `{ window: ${objectText(window)}, min_values: ${periods} }`;
  const scaled: Partial<Record<Scale, readonly [Derivation, code?: string]>> = {
    yoy: [DERIVATIONS.percentChange(1), 'table = table.yearOverYear({ as: "percent" });'],
    change: [DERIVATIONS.change(1), 'table = table.yearOverYear();'],
    mean: [DERIVATIONS.trailingMean(window), `table = table.rollingMean(${rolled});`],
    index: [DERIVATIONS.index()],
  };
  const [derivation, code] = scaled[scale] ?? [];
  // The service also returns a period that ends later, if it begins by then.
  if (to !== null)
    steps.push({
      words: '',
      code: `table = table.filter(({ end_date }) => end_date <= new Date(${literal(endOfDay(to))}));`,
    });
  // Programs do not scale the column that a formula produces, so the step then has no code.
  if (derivation !== undefined)
    steps.push({ words: derivation.words, code: formula === 'none' ? code : undefined });
  return steps;
}

export interface CodeInput {
  readonly request: DataRequest;
  /** The service's base URL, without a trailing slash. */
  readonly host: string;
  /** The name of each series, in the order of the request's series. The program contains the names as comments. */
  readonly names: readonly string[];
  readonly notes?: readonly string[] | undefined;
}

function typescriptCode({ request, host, names }: CodeInput): string {
  const { start_date, end_date, ...flags } = toClientOptions(request);
  const series = request.series.map(
    (key, at) => `  ${objectText({ ...key, start_date, end_date })}, // ${literal(names[at] ?? '')}`,
  );
  const steps = stepsOf(request).flatMap(({ code = [] }) => code);
  const shape = request.formula === 'none' ? { include_names: true } : { compress_format: true };
  return clientProgram(host, [
    'const series = [',
    ...series,
    '];',
    'for (const one of series) client.addSingleDataSeries(one);',
    `${steps.length === 0 ? 'const' : 'let'} table = await client.getDf(${objectText({ ...shape, ...flags })});`,
    ...steps,
    'console.log(table);',
  ]);
}

/** Returns the length of the rolling mean's window. It is counted in the chosen periods, or else in the first series' own. */
function windowOf({ every, series, periods }: DataRequest): PeriodLength {
  const frequency = FREQUENCIES.find(({ id, name }) =>
    every === null ? id === series[0]?.frequency_id : name === RESAMPLED[every],
  );
  const lengths = Object.entries(frequency?.periodLength ?? { days: 1 });
  return Object.fromEntries(lengths.map(([unit, count]) => [unit, count * periods]));
}

/** Returns TypeScript code for the aggregation: a string, or a function if the aggregation differs between series. */
function howCode({ series, how, hows = [] }: DataRequest): string {
  const [first, ...others] = new Set(hows.flatMap((one) => one ?? []));
  if (others.length === 0) return literal(first ?? how ?? 'mean');
  const sums = series.flatMap(({ metric_id, item_id }, at) =>
    hows[at] === 'sum' ? `'${metric_id}-${item_id}'` : [],
  );
  return `({ key }) => ([${[...new Set(sums)].join(', ')}].includes([key.metric_id, key.item_id].join('-')) ? 'sum' : 'mean')`;
}

export function callCode(host: string, [operation, ...given]: readonly [string, ...unknown[]]): string {
  return clientProgram(host, [`console.log(await client.${operation}(${given.map(literal).join(', ')}));`]);
}

function clientProgram(host: string, body: readonly string[]): string {
  return [
    "import { createClient } from 'cropframe';",
    '',
    `const client = createClient({ api_host: ${literal(host)}, access_token: process.env.API_TOKEN ?? 'none' });`,
    ...body,
    '',
  ].join('\n');
}

function objectText(values: object): string {
  const fields = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${literal(value)}`);
  return `{ ${fields.join(', ')} }`;
}

/** Returns a Python program that reads the view's data as JSON into an Arrow table. */
function pythonCode({ request, host, names }: CodeInput): string {
  const queries = request.series.map(
    (key, at) => `    ${pythonQuery(key, request)},  # ${literal(names[at] ?? '')}`,
  );
  return [
    'import os',
    '',
    'import pyarrow as pa',
    'import requests',
    '',
    `HOST = ${literal(host)}`,
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
    'print(table)',
    '',
  ].join('\n');
}

/** Returns the `GET /v2/data` query parameters for a series, or for the same series in several regions, as Python. */
function pythonQuery(key: SeriesKey, { regions, ...request }: DataRequest): string {
  const { unit_id, ...flags } = toClientOptions(request);
  const query = {
    ...toQuery({ ...key, region_id: regions ?? key.region_id }),
    ...toFlagQuery(flags),
    unitId: unit_id,
    responseType: 'list_of_series',
  };
  const fields = Object.entries(query).flatMap(([name, value]) =>
    value == null
      ? []
      : `"${name}": ${Array.isArray(value) ? `[${value.join(', ')}]` : literal(String(value))}`,
  );
  return `{${fields.join(', ')}}`;
}

/** Characters that end a line or change the text direction in source code. */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Returns a value as a TypeScript literal. A string is on one line, and is also valid in Python. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    UNSAFE,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
