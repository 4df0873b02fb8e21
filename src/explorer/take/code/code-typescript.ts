import { endOfDay, RESAMPLED } from '../../state/request.js';
import type { CodeInput } from './code-input.js';
import { stringLiteral } from './quote.js';
import { leftToDo } from './wire-query.js';

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

/** A program in TypeScript that makes a client of a service, and then does what its lines say. */
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
