import type { DuckDBConnection } from '@duckdb/node-api';
import type { StoreLoad } from '../../store.js';
import { closedError } from './errors.js';

/** Called with a connection, or with null when there will be none. */
type Waiter = (connection: DuckDBConnection | null) => void;

/** Up to `max` connections, each used by one caller at a time. Further callers wait in order of arrival. */
export class ConnectionPool {
  readonly #idle: DuckDBConnection[] = [];
  readonly #all = new Set<DuckDBConnection>();
  readonly #waiting: Waiter[] = [];
  #opening = 0;
  #closed = false;

  readonly #connect: () => Promise<DuckDBConnection>;
  readonly #max: number;

  constructor(connect: () => Promise<DuckDBConnection>, max: number) {
    this.#connect = connect;
    this.#max = max;
  }

  /** Connections in use, and callers that wait for one. */
  get load(): StoreLoad {
    return { running: this.#all.size - this.#idle.length, waiting: this.#waiting.length };
  }

  async acquire(signal?: AbortSignal): Promise<DuckDBConnection> {
    signal?.throwIfAborted();
    if (this.#closed) throw closedError();
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    return this.#all.size + this.#opening < this.#max ? this.#open() : this.#wait(signal);
  }

  release(connection: DuckDBConnection): void {
    if (this.#closed) return;
    const next = this.#waiting.shift();
    if (next !== undefined) next(connection);
    else this.#idle.push(connection);
  }

  /** Rejects all waiting and future callers. @returns every connection, in use or not, for the caller to disconnect */
  close(): DuckDBConnection[] {
    this.#closed = true;
    for (const waiter of this.#waiting.splice(0)) waiter(null);
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
      const stopWaiting = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal?.reason);
      };
      const waiter: Waiter = (connection) => {
        signal?.removeEventListener('abort', stopWaiting);
        if (connection === null) reject(closedError());
        else resolve(connection);
      };
      this.#waiting.push(waiter);
      signal?.addEventListener('abort', stopWaiting, { once: true });
    });
  }
}
