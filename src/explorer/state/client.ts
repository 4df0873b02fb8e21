import { getAccessToken } from '../../client/access-token.js';
import { createServiceClient, type ServiceClient } from '../../client/client.js';
import type { Fetch } from '../../client/http/request.js';

/** The client retries a request once, after at most one second. If that fails, the page reports the error. */
const RETRY = { retries: 1, maxRetryAfterMs: 1_000 };

let made: { readonly token: string; readonly client: ServiceClient } | undefined;

/** Returns a client with the parts that the page needs. The client and its cache are kept until the token changes. */
export function clientOf(host: string, token: string, fetch: Fetch): ServiceClient {
  if (made?.token === token) return made.client;
  const options = { api_host: host, access_token: token, retry: RETRY, fetch };
  made = { token, client: createServiceClient(options) };
  return made.client;
}

export function tokenOf(host: string, user: { email: string; password: string }): Promise<string> {
  return getAccessToken({ api_host: host, ...user });
}
