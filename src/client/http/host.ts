import { DEFAULT_PORT } from '../../contract/wire-names.js';
import { ArgumentError } from '../../model/errors.js';

/** Where `cropframe serve` listens unless told otherwise. */
export const DEFAULT_HOST = `http://127.0.0.1:${DEFAULT_PORT}`;

/**
 * The origin that requests go to: the given host, `CROPFRAME_HOST`, or the default. A host without a scheme is https,
 * on loopback http.
 * @throws ArgumentError when the text is not a host
 */
export function readHost(api_host: string | undefined): string {
  const given = api_host ?? globalThis.process?.env.CROPFRAME_HOST ?? DEFAULT_HOST;
  const withScheme = /^https?:\/\//i.test(given)
    ? given
    : `${isLoopback(given) ? 'http' : 'https'}://${given}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : null;
  if (url === null)
    throw new ArgumentError(
      'api_host',
      `api_host: "${given}" is not a host; write for example data.example.org:8470`,
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Whether a host, with or without a port, is this machine. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(\/|$)/i.test(host);
}
