import type { CodeInput } from './code-input.js';
import { shellWord, stringLiteral } from './quote.js';
import { leftToDo, wireQuery } from './wire-query.js';

/** The view as commands of a shell, one for each series, or for one of many regions; each prints JSON. */
export function curlCode({ request, host, names }: CodeInput): string {
  const commands = request.series.flatMap((key, at) => [
    `# ${stringLiteral(names[at] ?? '')}`,
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
  const note = left.length === 0 ? [] : [`# The page shows these values ${left.join(', then ')}.`];
  return [
    '# API_TOKEN holds the access token; a service without tokens takes any text.',
    ...note,
    ...commands,
  ].join('\n');
}
