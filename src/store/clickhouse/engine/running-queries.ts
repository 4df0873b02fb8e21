import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { closedError } from '../../duckdb/engine/errors.js';
import type { Failure } from './errors.js';

/** How long closing waits for the server to end queries. */
const MAX_END_MS = 1_000;

/** A query that runs. */
export interface RunningQuery {
  readonly id: string;
  /** Ends it: that of the caller, or closing. */
  readonly signal: AbortSignal;
  readonly abort: (reason: Error) => void;
  readonly failure: Failure;
  /** Called when nothing is left to be ended. */
  readonly settle: () => void;
}

/** The queries that run on a server. One that is given up is ended there too. */
export class RunningQueries {
  readonly #server: Omit<Failure, 'queryId'>;
  readonly #endOnServer: (queryId: string) => Promise<unknown>;
  readonly #running = new Set<AbortController>();
  readonly #ending = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(server: Omit<Failure, 'queryId'>, endOnServer: (queryId: string) => Promise<unknown>) {
    this.#server = server;
    this.#endOnServer = endOnServer;
  }

  get size(): number {
    return this.#running.size;
  }

  /** @throws StoreError after `close`; what `given` was aborted with */
  begin(given: AbortSignal | undefined, onAbort = () => {}): RunningQuery {
    if (this.#isClosed) throw closedError();
    given?.throwIfAborted();
    const id = randomUUID();
    const query = new AbortController();
    const forward = () => query.abort(given?.reason);
    given?.addEventListener('abort', forward);
    const abort = () => {
      onAbort();
      this.end(id);
    };
    query.signal.addEventListener('abort', abort);
    this.#running.add(query);
    const settle = () => {
      this.#running.delete(query);
      given?.removeEventListener('abort', forward);
      query.signal.removeEventListener('abort', abort);
    };
    const failure = { ...this.#server, queryId: id };
    return { id, signal: query.signal, abort: (reason) => query.abort(reason), failure, settle };
  }

  /** Ends a query on the server. A server that cannot be reached ends it itself, or has ended. */
  end(queryId: string): void {
    const ending = this.#endOnServer(queryId)
      .catch(() => {})
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Ends all queries, and begins no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const query of this.#running) query.abort(closedError());
    const timeout = new AbortController();
    const late = sleep(MAX_END_MS, null, { signal: timeout.signal }).catch(() => {});
    await Promise.race([late, Promise.all(this.#ending)]);
    timeout.abort();
  }
}
