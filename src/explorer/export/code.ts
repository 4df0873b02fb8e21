import { readFormula } from '../../frame/series/formula.js';
import { RESAMPLED, type Scale } from '../../model/chart-choices.js';
import { DERIVATIONS, type Derivation } from '../../model/derivations.js';
import { type DataRequest, toClientOptions } from '../state/view-state.js';

/** Returns a program that retrieves the view's data. It reads the token from an environment variable. */
export function codeOf({ request, host, names, notes = [] }: CodeInput): string {
  const steps = stepsOf(request);
  const left = steps.flatMap(({ words, code }) => (words && code === undefined ? words : []));
  const comments = [
    ...(left.length === 0 ? [] : [`The page shows derived values: ${left.join(', ')}.`]),
    ...notes,
  ];
  const { start_date, end_date, ...flags } = toClientOptions(request);
  const dates = { start_date, end_date };
  const codes = steps.flatMap(({ code = [] }) => code);
  // Values of a period can be computed from dates outside the shown range, so the range is applied last.
  const isFiltered = codes.length > 0 && (start_date !== undefined || end_date !== undefined);
  if (isFiltered) codes.push(`table = table.filter(${objectText(dates)});`);
  const series = request.series.map(
    (key, at) => `  ${objectText(isFiltered ? key : { ...key, ...dates })}, // ${literal(names[at] ?? '')}`,
  );
  const shape = request.formula === 'none' ? { include_names: true } : { compress_format: true };
  return clientProgram(host, [
    ...comments.map((text) => `// ${text}`),
    'const series = [',
    ...series,
    '];',
    'for (const one of series) client.addSingleDataSeries(one);',
    `${codes.length === 0 ? 'const' : 'let'} table = await client.getDf(${objectText({ ...shape, ...flags })});`,
    ...codes,
    'console.log(table);',
  ]);
}

/** A step in deriving the shown values, with its TypeScript code if an exported program can perform the step. */
interface Step {
  /** What is computed, such as `sum of each month`. Empty if the step does not change any values. */
  readonly words: string;
  readonly code?: string | undefined;
}

function stepsOf(request: DataRequest): readonly Step[] {
  const { every, hows = [], scale, formula, formulaUnit, periods, window = { days: periods } } = request;
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
  const rolled = `{ window: ${objectText(window)}, min_values: ${periods} }`;
  const scaled: Partial<Record<Scale, readonly [Derivation, code?: string]>> = {
    yoy: [DERIVATIONS.percentChange(1), 'table = table.yearOverYear({ as: "percent" });'],
    change: [DERIVATIONS.change(1), 'table = table.yearOverYear();'],
    mean: [DERIVATIONS.trailingMean(window), `table = table.rollingMean(${rolled});`],
    index: [DERIVATIONS.index()],
  };
  const [derivation, code] = scaled[scale] ?? [];
  // Exported programs do not scale the column that a formula produces, so this step has no code after a formula.
  if (derivation !== undefined)
    steps.push({ words: derivation.words, code: formula === 'none' ? code : undefined });
  return steps;
}

export interface CodeInput {
  readonly request: DataRequest;
  /** The service's base URL, without a trailing slash. */
  readonly host: string;
  /** The name of each series, in the order of the request's series. The program includes these names as comments. */
  readonly names: readonly string[];
  readonly notes?: readonly string[] | undefined;
}

/** Returns TypeScript code for the aggregation: a string, or a function if it differs between series. */
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

/** Characters that end a line or change the text direction in source code. */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    UNSAFE,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
