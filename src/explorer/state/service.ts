import { signal } from '@preact/signals';
import type { ServiceClient } from '../../client/client.js';

/** Where the service is: the folder of the page, without a slash at the end, so that the page works under any prefix. */
export const host = new URL('.', document.baseURI).href.replace(/\/$/, '');

const TOKEN_KEY = 'cropframe.token';

/** The access token; null where the service was never asked for one. */
export const token = signal<string | null>(storedToken());

/** Whether the login dialog is asked for, and why. */
export const login = signal<{ readonly reason: string } | null>(null);

interface Waiting {
  readonly resume: () => void;
  readonly refuse: (reason: unknown) => void;
}
const waiting: Waiting[] = [];

/** A service without tokens accepts any text, and a client needs one. */
const NO_TOKEN = 'none';

/** Returns the text that goes with requests. */
function sentToken(): string {
  return token.peek() ?? NO_TOKEN;
}

/** Answers to questions that were sent before the client was there, by their addresses. */
const early = new Map<string, Promise<Response>>();

/** Sends a question that the page will ask, while the client loads, which reads the answer. */
export function askEarly(path: string): void {
  const url = `${host}/${path}`;
  const headers = { accept: 'application/json', authorization: `Bearer ${sentToken()}` };
  const answer = fetch(url, { headers });
  answer.catch(() => {});
  early.set(url, answer);
}

/** Sends a request of the client, or takes the answer that is on its way; each is taken once. */
function send(request: Request): Promise<Response> {
  const answer = request.method === 'GET' ? early.get(request.url) : undefined;
  early.delete(request.url);
  return answer ?? fetch(request);
}

/** Returns the client, which is loaded once, next to the first view. */
export function loadClient(): Promise<typeof import('./client.js')> {
  return import('./client.js');
}

/**
 * Asks the service. Where it refuses the token, the user is asked to log in, and the same is asked again.
 * @throws as the client; the abort's reason when the user gives up
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
      return await question(clientOf(host, sentToken(), send));
    } catch (error) {
      signal?.throwIfAborted();
      if (codeOf(error) !== 'authentication') throw error;
      if (token.peek() === used) await askForLogin(used, signal);
    }
  }
}

/** Returns the kind of an error of the client, or undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code;
}

function askForLogin(used: string | null, signal: AbortSignal | undefined): Promise<void> {
  login.value = {
    reason:
      used === null
        ? 'This service needs an access token.'
        : 'The service no longer accepts the access token. It may have expired or been revoked.',
  };
  return new Promise((resume, refuse) => {
    waiting.push({ resume, refuse });
    signal?.addEventListener('abort', () => refuse(signal.reason), { once: true });
  });
}

/** Takes a token, and sends the refused requests again. The token stays in memory, or until the tab is closed. */
export function enter(given: string, keep: boolean): void {
  token.value = given;
  if (keep) sessionStorage.setItem(TOKEN_KEY, given);
  else sessionStorage.removeItem(TOKEN_KEY);
  settle(({ resume }) => resume());
}

/** Closes the login dialog without a token: the refused requests fail. */
export function giveUpLogin(error: Error): void {
  settle(({ refuse }) => refuse(error));
}

function settle(how: (one: Waiting) => void): void {
  login.value = null;
  for (const one of waiting.splice(0)) how(one);
}

/** Forgets the token. */
export function leave(): void {
  token.value = null;
  sessionStorage.removeItem(TOKEN_KEY);
}

function storedToken(): string | null {
  try {
    return sessionStorage.getItem(TOKEN_KEY);
  } catch {
    return null;
  }
}
