import { signal } from '@preact/signals';
import type { ServiceClient } from '../../client/client.js';

/** The service's base URL without a trailing slash: the page's folder, so that the page works under any prefix. */
export const host = new URL('.', document.baseURI).href.replace(/\/$/, '');

const TOKEN_KEY = 'cropframe.token';

/** The access token, or null if there is none. */
export const token = signal<string | null>(readStoredToken());

/** The reason why the user must log in, or null if no login is needed. */
export const login = signal<{ readonly reason: string } | null>(null);

interface Waiting {
  readonly resume: () => void;
  readonly refuse: (reason: unknown) => void;
}
const waiting: Waiting[] = [];

/** The token to send if there is none. The client requires one; a service without access control accepts any string. */
const NO_TOKEN = 'none';

function tokenToSend(): string {
  return token.peek() ?? NO_TOKEN;
}

/** The responses, by URL, to requests that were sent before the client was loaded. */
const early = new Map<string, Promise<Response>>();

/** Sends a request while the client is still loading. The client later uses the response. */
export function askEarly(path: string): void {
  const url = `${host}/${path}`;
  const headers = { accept: 'application/json', authorization: `Bearer ${tokenToSend()}` };
  const answer = fetch(url, { headers });
  answer.catch(() => {});
  early.set(url, answer);
}

/** Sends a request, or returns the early response for the same URL. Each early response is used only once. */
function send(request: Request): Promise<Response> {
  const answer = request.method === 'GET' ? early.get(request.url) : undefined;
  early.delete(request.url);
  return answer ?? fetch(request);
}

/** Loads the client. It is loaded only once, in parallel with the first view. */
export function loadClient(): Promise<typeof import('./client.js')> {
  return import('./client.js');
}

/**
 * Makes a request with the client. If the service rejects the token, the user is asked to log in and the request is
 * repeated.
 * @throws any client error, or the abort reason if the user cancels the login
 */
export async function ask<Answer>(
  question: (client: ServiceClient) => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer> {
  for (;;) {
    if (login.peek() !== null && waiting.length > 0) await askForLogin(token.peek(), signal);
    const used = token.peek();
    try {
      const { clientOf } = await loadClient();
      return await question(clientOf(host, tokenToSend(), send));
    } catch (error) {
      signal?.throwIfAborted();
      if (errorCode(error) !== 'authentication') throw error;
      if (token.peek() === used) await askForLogin(used, signal);
    }
  }
}

/** Returns the code of a client error, or `undefined` for other errors. */
export function errorCode(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code;
}

function askForLogin(used: string | null, signal: AbortSignal | undefined): Promise<void> {
  login.value = {
    reason:
      used === null
        ? 'This service requires an access token.'
        : 'The service no longer accepts the access token. It may have expired or been revoked.',
  };
  return new Promise((resume, refuse) => {
    waiting.push({ resume, refuse });
    signal?.addEventListener('abort', () => refuse(signal.reason), { once: true });
  });
}

/** Sets the token and repeats the rejected requests. If `keep` is set, the token is stored until the tab is closed. */
export function enter(given: string, keep: boolean): void {
  token.value = given;
  if (keep) sessionStorage.setItem(TOKEN_KEY, given);
  else sessionStorage.removeItem(TOKEN_KEY);
  settle(({ resume }) => resume());
}

/** Closes the login dialog without a token, so that the rejected requests fail. */
export function giveUpLogin(error: Error): void {
  settle(({ refuse }) => refuse(error));
}

function settle(how: (one: Waiting) => void): void {
  login.value = null;
  for (const one of waiting.splice(0)) how(one);
}

export function leave(): void {
  token.value = null;
  sessionStorage.removeItem(TOKEN_KEY);
}

function readStoredToken(): string | null {
  try {
    return sessionStorage.getItem(TOKEN_KEY);
  } catch {
    return null;
  }
}
