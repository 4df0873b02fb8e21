import * as v from 'valibot';
import { badAnswer } from '../model/errors.js';
import { checkRequiredOptions, type OptionKeys, required } from '../model/schema/check.js';
import { FUNCTION, SIGNAL, TEXT } from '../model/schema/schemas.js';
import { readHost } from './http/host.js';
import { createTransport } from './http/transport.js';
import type { Fetch } from './sending/send.js';

const TOKEN_KEYS = {
  api_host: TEXT,
  email: required(TEXT),
  password: required(v.string()),
  fetch: FUNCTION,
  signal: SIGNAL,
} satisfies OptionKeys<Parameters<typeof getAccessToken>[0]>;

/**
 * Exchanges a user's email and password for an access token.
 * @throws AuthenticationError when they are wrong
 */
export async function getAccessToken(options: {
  /** The service; by default as in `ClientOptions`. */
  api_host?: string | undefined;
  /** The user's email. */
  email: string;
  /** The user's password. */
  password: string;
  /** How requests are sent; the global `fetch` by default. */
  fetch?: Fetch | undefined;
  /** Aborting it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}): Promise<string> {
  checkRequiredOptions(options, TOKEN_KEYS, 'getAccessToken');
  const { email, password, signal } = options;
  const transport = createTransport({ host: readHost(options.api_host), token: null, fetch: options.fetch });
  const answer = await transport.json('accessToken', { form: { email, password }, signal });
  if (answer === null) throw badAnswer('accessToken', 'the answer has no token');
  return answer.data.accessToken;
}
