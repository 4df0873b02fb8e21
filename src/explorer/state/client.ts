import { getAccessToken } from '../../client/access-token.js';
import { createServiceClient, type ServiceClient } from '../../client/client.js';
import type { Fetch } from '../../client/http/request.js';

/** Longer waits are told to the user, who sees them counted down. */
const RETRY = { retries: 1, maxRetryAfterMs: 1_000 };

let made: { readonly token: string; readonly client: ServiceClient } | undefined;

/** What asks a service: `createClient` without the half that the page has no use for. It keeps the entities of a token. */
export function clientOf(host: string, token: string, fetch: Fetch): ServiceClient {
  if (made?.token === token) return made.client;
  const options = { api_host: host, access_token: token, retry: RETRY, fetch };
  const { operations, internals } = createServiceClient(options);
  made = { token, client: { ...operations, ...internals } };
  return made.client;
}

/** Returns the access token of a user. */
export function tokenOf(host: string, user: { email: string; password: string }): Promise<string> {
  return getAccessToken({ api_host: host, ...user });
}
