import type { Endpoint } from '../../contract/addresses.js';
import { endpoints } from '../../contract/endpoints.js';

const MAX_PATH = 300;
const MAX_QUERY = 2000;
const HIDDEN = '…';

/** An access token, wherever it stands. */
const TOKEN = /cf_[\w-]{20,}/g;

/** Values that cannot be secret: numbers, dates, truth values, and lists of them. */
const PLAIN_VALUE = /^(?:[\d\s.,:+[\]TZ-]*|true|false)$/i;

/** A name as people write parameters. Whatever else stands in the place of a name may be a pasted secret. */
const PLAIN_NAME = /^[a-z_]{1,24}$/i;

/** The words of a search: people paste anything there. */
const SEARCH_WORDS = 'q';

/** Parameters whose plain values are shown. A number in an unknown parameter may be a secret. */
const KNOWN_NAMES: ReadonlySet<string> = new Set(
  Object.values(endpoints as Record<string, Endpoint>)
    .flatMap(({ query }) => Object.keys(query?.shape ?? {}))
    .filter((name) => name !== SEARCH_WORDS),
);

/** The path of a request as it may stand in a log. */
export function loggedPath(request: Request): string {
  return new URL(request.url).pathname.slice(0, MAX_PATH).replace(TOKEN, HIDDEN);
}

/** The query of a request as it may stand in a log: names, and values that cannot be secret. */
export function loggedQuery(request: Request): string {
  const { search } = new URL(request.url);
  if (search === '') return '';
  const shown = [...new URLSearchParams(search.slice(0, MAX_QUERY))].map(([name, value]) => {
    if (KNOWN_NAMES.has(name)) return `${name}=${PLAIN_VALUE.test(value) ? value : HIDDEN}`;
    return PLAIN_NAME.test(name) ? `${name}=${HIDDEN}` : HIDDEN;
  });
  return `?${shown.join('&')}${search.length > MAX_QUERY ? HIDDEN : ''}`;
}
