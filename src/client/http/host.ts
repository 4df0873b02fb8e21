import { DEFAULT_PORT } from '../../contract/wire-names.js';
import { isLoopback } from '../../model/access.js';
import { badArgument } from '../../model/errors.js';

const DEFAULT_HOST = `http://127.0.0.1:${DEFAULT_PORT}`;

/**
 * Returns the service's base URL, taken from the given host, or else from the environment variable `CROPFRAME_HOST`, or
 * else from the default. If the host has no scheme, http is used for loopback addresses and https for all others.
 * @throws ArgumentError if the string is not a host
 */
export function readHost(api_host: string | undefined): string {
  const host = api_host ?? globalThis.process?.env.CROPFRAME_HOST ?? DEFAULT_HOST;
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(host) ? host : `${schemeOf(host)}://${host}`;
  if (!URL.canParse(withScheme) || !/^https?:/i.test(withScheme))
    throw badArgument('api_host', `"${host}" is not a host; use, for example, data.example.org:8470`);
  const { origin, pathname } = new URL(withScheme);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

function schemeOf(host: string): 'http' | 'https' {
  const url = `http://${host}`;
  return URL.canParse(url) && isLoopback(new URL(url).hostname) ? 'http' : 'https';
}
