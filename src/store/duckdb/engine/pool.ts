import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';

interface Waiter {
  resolve(connection: DuckDBConnection): void;
  reject(reason: unknown): void;
}

/** At most `bound` connections, lent one user at a time; further users wait their turn, first come first served. */
export class ConnectionPool {
  readonly #idle: DuckDBConnection[] = [];
  readonly #all = new Set<DuckDBConnection>();
  readonly #waiting: Waiter[] = [];
  #opening = 0;
  #closed = false;

  readonly #connect: () => Promise<DuckDBConnection>;
  readonly #bound: number;

  constructor(connect: () => Promise<DuckDBConnection>, bound: number) {
    this.#connect = connect;
    this.#bound = bound;
  }

  async acquire(signal?: AbortSignal): Promise<DuckDBConnection> {
    signal?.throwIfAborted();
    if (this.#closed) throw closedError();
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    return this.#all.size + this.#opening < this.#bound ? this.#open() : this.#wait(signal);
  }

  release(connection: DuckDBConnection): void {
    if (this.#closed) return;
    const next = this.#waiting.shift();
    if (next !== undefined) next.resolve(connection);
    else this.#idle.push(connection);
  }

  /** Refuses what waits and what comes. @returns every connection, lent or not, for the caller to end */
  close(): DuckDBConnection[] {
    this.#closed = true;
    for (const waiter of this.#waiting.splice(0)) waiter.reject(closedError());
    return [...this.#all];
  }

  async #open(): Promise<DuckDBConnection> {
    this.#opening++;
    try {
      const connection = await this.#connect();
      if (this.#closed) {
        connection.disconnectSync();
        throw closedError();
      }
      this.#all.add(connection);
      return connection;
    } finally {
      this.#opening--;
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<DuckDBConnection> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        resolve: (connection) => {
          signal?.removeEventListener('abort', leave);
          resolve(connection);
        },
        reject: (reason) => {
          signal?.removeEventListener('abort', leave);
          reject(reason);
        },
      };
      this.#waiting.push(waiter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}

/** What every use of a closed store is told. */
export function closedError(): StoreError {
  return new StoreError('the store is closed; open it again');
}
