import * as v from 'valibot';
import { badAnswer } from '../model/errors.js';
import { checkRequiredOptions, type OptionsOf, required } from '../model/schema/check.js';
import { functionOf, SIGNAL, TEXT } from '../model/schema/schemas.js';
import { readHost } from './http/host.js';
import type { Fetch } from './http/request.js';
import { createTransport } from './http/transport.js';

const TOKEN_KEYS = {
  /** The service's origin, as in `ClientOptions`. */
  api_host: TEXT,
  /** The user's email. */
  email: required(TEXT),
  /** The user's password. */
  password: required(v.string()),
  /** The function that sends the request; defaults to the global `fetch`. */
  fetch: functionOf<Fetch>(),
  /** Aborts the request. The promise then rejects with the signal's reason. */
  signal: SIGNAL,
};

/**
 * Exchanges a user's email and password for an access token.
 * @throws AuthenticationError if the email or password is wrong
 */
export async function getAccessToken(options: OptionsOf<typeof TOKEN_KEYS>): Promise<string> {
  checkRequiredOptions(options, TOKEN_KEYS, 'getAccessToken');
  const { email, password, signal } = options;
  const transport = createTransport({ host: readHost(options.api_host), token: null, fetch: options.fetch });
  const answer = await transport.json('accessToken', { form: { email, password }, signal });
  if (answer === null) throw badAnswer('accessToken', 'the response has no token');
  return answer.data.accessToken;
}
