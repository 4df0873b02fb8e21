import { effect, signal } from '@preact/signals';
import type { ServiceClient } from '../../client/client.js';

/** The service's base URL without a trailing slash: the page's folder, so that the page works under any prefix. */
export const host = new URL('.', document.baseURI).href.replace(/\/$/, '');
/** The access token, which is kept until the tab is closed. */
export const token = signal<string | null>(null);
const TOKEN = 'cropframe.token';
try {
  token.value = sessionStorage.getItem(TOKEN);
  effect(() =>
    token.value === null ? sessionStorage.removeItem(TOKEN) : sessionStorage.setItem(TOKEN, token.value),
  );
} catch {
  // Without session storage, the token is kept until the page is closed.
}

export const login = signal<string | null>(null);
/** Functions that resume the rejected requests after the login, or make them fail with an error. */
const waiting: ((error?: Error) => void)[] = [];

/** Returns the token or, if there is none, a placeholder, because the client requires a token. */
function tokenToSend(): string {
  return token.peek() ?? 'none';
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
export const loadClient = () => import('./client.js');

/** Makes a request. Asks for a login if the token is rejected. @throws client errors, and if the login is cancelled */
export async function ask<Answer>(question: (client: ServiceClient) => Promise<Answer>): Promise<Answer> {
  for (;;) {
    if (waiting.length > 0) await askForLogin(token.peek());
    const used = token.peek();
    try {
      const { clientOf } = await loadClient();
      return await question(clientOf(host, tokenToSend(), send));
    } catch (error) {
      if (errorCode(error) !== 'authentication') throw error;
      if (token.peek() === used) await askForLogin(used);
    }
  }
}

export function errorCode(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code;
}

function askForLogin(used: string | null): Promise<void> {
  login.value =
    used === null
      ? 'This service requires an access token.'
      : 'The service no longer accepts the access token. It may have expired or been revoked.';
  return new Promise((resume, refuse) => {
    waiting.push((error) => (error === undefined ? resume() : refuse(error)));
  });
}

/** Closes the login dialog. If an error is given, the rejected requests fail with it; otherwise, they are repeated. */
export function endLogin(error?: Error): void {
  login.value = null;
  for (const settle of waiting.splice(0)) settle(error);
}
