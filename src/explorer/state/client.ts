import { getAccessToken } from '../../client/access-token.js';
import { createServiceClient, type ServiceClient } from '../../client/client.js';
import { loadContract } from '../../client/http/contract.js';

/** A service without tokens accepts any text, and a client needs one. */
const NO_TOKEN = 'none';
/** Longer waits are told to the user, who sees them counted down. */
const RETRY = { retries: 1, maxRetryAfterMs: 1_000 };

/** What asks a service: `createClient` without the half that the page has no use for. */
export function clientOf(host: string, token: string | null): ServiceClient {
  const { operations, internals } = createServiceClient(
    { api_host: host, access_token: token ?? NO_TOKEN, retry: RETRY },
    { redirect: 'follow' },
  );
  // At the same time as the first request, which reports a failure.
  loadContract().catch(() => {});
  return { ...operations, ...internals };
}

/** The access token of a user. */
export function tokenOf(host: string, user: { email: string; password: string }): Promise<string> {
  return getAccessToken({ api_host: host, ...user });
}
