import { ContractError } from '../model/errors.js';
import type { Fetch } from './http/exchange.js';
import { readHost } from './http/host.js';
import { createTransport } from './http/transport.js';

/**
 * An access token for a user's email and password.
 * @throws AuthenticationError when they are wrong; the errors of the transport
 */
export async function getAccessToken(options: {
  api_host?: string | undefined;
  email: string;
  password: string;
  fetch?: Fetch | undefined;
  signal?: AbortSignal | undefined;
}): Promise<string> {
  const { email, password, signal } = options;
  const transport = createTransport({ host: readHost(options.api_host), token: null, fetch: options.fetch });
  const answer = await transport.json('accessToken', { form: { email, password }, signal });
  if (answer === null) throw new ContractError('accessToken', 'accessToken: the answer holds no token');
  return answer.data.accessToken;
}
