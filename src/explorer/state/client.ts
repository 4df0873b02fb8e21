import { type Client, createClient, getAccessToken } from '../../browser.js';

/** A service without tokens accepts any text, and a client needs one. */
const NO_TOKEN = 'none';
/** Longer waits are told to the user, who sees them counted down. */
const RETRY = { retries: 1, maxRetryAfterMs: 1_000 };

/** A client of a service, with an empty list of saved series. */
export function clientOf(host: string, token: string | null): Client {
  return createClient({ api_host: host, access_token: token ?? NO_TOKEN, retry: RETRY });
}

/** The access token of a user. */
export function tokenOf(host: string, user: { email: string; password: string }): Promise<string> {
  return getAccessToken({ api_host: host, ...user });
}
