import { setTimeout as sleep } from 'node:timers/promises';
import { readRetryAfter } from '../../model/retry-after.js';

/** A request that failed: whether another try may succeed, and the wait that the server asked for. */
export class FetchFailure extends Error {
  readonly mayRetry: boolean;
  /** Milliseconds; null when the server asked for none. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    options: ErrorOptions & { readonly mayRetry?: boolean; readonly retryAfterMs?: number | null } = {},
  ) {
    super(message, options);
    this.mayRetry = options.mayRetry ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

const FINAL_REASONS: Readonly<Record<number, string>> = {
  401: 'the server asks for a login (401)',
  403: 'the server refuses the request (403); some refuse all programs',
  404: 'there is no such file (404); addresses can change',
  410: 'the file is gone (410); addresses can change',
  451: 'the server may not give it (451)',
};

const RETRIED: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The failure of an answer with an error status. */
export function statusFailure(answer: {
  readonly status: number;
  header(name: string): string | null;
}): FetchFailure {
  const { status } = answer;
  const retryAfterMs = readRetryAfter(answer.header('retry-after'), answer.header('date'));
  if (status === 429 || status === 503) {
    const wait = retryAfterMs === null ? '' : `, and asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
    return new FetchFailure(`the server is busy (${status})${wait}`, { mayRetry: true, retryAfterMs });
  }
  const reason = FINAL_REASONS[status] ?? `the server answers ${status}`;
  return new FetchFailure(reason, { mayRetry: RETRIED.has(status), retryAfterMs });
}

const NETWORK_REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host is not known; check the network, and the proxy in HTTPS_PROXY',
  EAI_AGAIN: 'its host cannot be looked up; check the network, and the proxy in HTTPS_PROXY',
  ECONNREFUSED: 'the connection was refused',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time allowed',
  UND_ERR_HEADERS_TIMEOUT: 'no answer within the time allowed',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped arriving',
};

/** The failure of a connection. Certificates that do not verify fail for good. */
export function networkFailure(cause: unknown): FetchFailure {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const isCertificate = /^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code);
  const reason = NETWORK_REASONS[code] ?? `the connection broke: ${message || code}`;
  return new FetchFailure(reason, { cause, mayRetry: !isCertificate });
}

/** Waits between requests, in milliseconds. */
export interface Pace {
  /** Between the ends and beginnings of two requests. */
  readonly betweenMs: number;
  /** Before the first retry; it doubles with each, up to a minute. */
  readonly firstRetryMs: number;
  /** The longest wait of a server that is heeded; after a longer one the request fails. */
  readonly maxRetryAfterMs: number;
  /** Retries in a row that come no further. */
  readonly retries: number;
}

export const DEFAULT_PACE: Pace = {
  betweenMs: 200,
  firstRetryMs: 1000,
  maxRetryAfterMs: 300_000,
  retries: 5,
};

const MAX_RETRY_MS = 60_000;

/**
 * Runs `attempt` until it succeeds or fails for good. A failed attempt that came further than those before
 * starts the count of retries anew.
 * @param attempt reports when it has come further than any before
 * @throws the last FetchFailure, or the signal's reason
 */
export async function withRetries<Result>(
  attempt: (onAdvance: () => void) => Promise<Result>,
  { pace, signal }: { readonly pace: Pace; readonly signal?: AbortSignal | undefined },
): Promise<Result> {
  for (let failed = 0; ; ) {
    signal?.throwIfAborted();
    try {
      return await attempt(() => {
        failed = 0;
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof FetchFailure) || !error.mayRetry || failed >= pace.retries) throw error;
      if ((error.retryAfterMs ?? 0) > pace.maxRetryAfterMs) throw error;
      const backOff = Math.min(MAX_RETRY_MS, pace.firstRetryMs * 2 ** failed);
      await wait(Math.max(error.retryAfterMs ?? 0, backOff * (0.5 + Math.random() / 2)), signal);
      failed++;
    }
  }
}

/** Waits, and ends with the signal's reason when it is aborted. */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms <= 0) return;
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}
