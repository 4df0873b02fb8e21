import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import type { Row } from '../entity-tables.js';
import { prepareSchema, ROW_GROUP_SIZE } from '../schema.js';
import { storeFailure } from './failure.js';
import { canonicalPath, claimFile, dropEmptyFile } from './files.js';
import type { Bound } from './literals.js';
import { ConnectionPool, closedError } from './pool.js';

/** Short reads run on connections of their own, so that no slow consumer of a stream can hold them up. */
const QUERY_CONNECTIONS = 8;
const STREAM_CONNECTIONS = 64;

/** An open database: short queries, streams, and connections for writers. */
export class Engine {
  readonly #queries: ConnectionPool;
  readonly #streams: ConnectionPool;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | null = null;

  readonly #instance: DuckDBInstance;
  readonly #releaseFile: () => void;

  constructor(
    readonly location: string,
    readonly readOnly: boolean,
    instance: DuckDBInstance,
    releaseFile: () => void,
  ) {
    this.#instance = instance;
    this.#releaseFile = releaseFile;
    const connect = () => connectTo(instance);
    this.#queries = new ConnectionPool(connect, QUERY_CONNECTIONS);
    this.#streams = new ConnectionPool(connect, STREAM_CONNECTIONS);
  }

  /** All rows of a short query, as objects by column name. */
  async rows(sql: string, bound: readonly Bound[] = []): Promise<Row[]> {
    const connection = await this.#queries.acquire();
    try {
      const reader = await this.#track(connection.runAndReadAll(sql, ...parameters(bound)));
      return reader.getRowObjectsJS() as Row[];
    } catch (error) {
      throw this.#failure(error);
    } finally {
      this.#queries.release(connection);
    }
  }

  /** A query's chunks as they come. Its connection is free again when the consumer ends, leaves or aborts. */
  async *chunks(
    sql: string,
    { bound = [], signal }: { bound?: readonly Bound[] | undefined; signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<DuckDBDataChunk, void, void> {
    const connection = await this.#streams.acquire(signal);
    const interrupt = () => connection.interrupt();
    signal?.addEventListener('abort', interrupt, { once: true });
    let drained = false;
    try {
      const result = await this.#track(connection.stream(sql, ...parameters(bound)));
      while (!drained) {
        signal?.throwIfAborted();
        if (this.#closing !== null) throw closedError();
        const chunk = await this.#track(result.fetchChunk());
        drained = chunk === null || chunk.rowCount === 0;
        if (!drained) yield chunk!;
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw this.#failure(error);
    } finally {
      signal?.removeEventListener('abort', interrupt);
      if (!drained && this.#closing === null) await this.#track(endStream(connection));
      this.#streams.release(connection);
    }
  }

  /** A connection for one writer, who disconnects it. */
  async connect(): Promise<DuckDBConnection> {
    if (this.#closing !== null) throw closedError();
    if (this.readOnly) {
      throw new StoreError(`${this.location} was opened for reading only; open it without readOnly to write`);
    }
    return connectTo(this.#instance);
  }

  /** Breaks off what runs, and returns when the file is free. Closing twice does no harm. */
  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  /** Detaching closes the file at once; objects that are still referred to would otherwise keep it open. */
  async #shutDown(): Promise<void> {
    const connections = [...this.#queries.close(), ...this.#streams.close()];
    for (const connection of connections) connection.interrupt();
    await Promise.allSettled(this.#running);
    for (const connection of connections) {
      await endStream(connection);
      connection.disconnectSync();
    }
    const last = await this.#instance.connect();
    try {
      await last.run('DETACH store');
    } catch (error) {
      throw storeFailure(error, this.location, 'closing');
    } finally {
      last.disconnectSync();
      this.#instance.closeSync();
      this.#releaseFile();
    }
  }

  #failure(error: unknown): Error {
    return this.#closing === null ? storeFailure(error, this.location, 'reading') : closedError();
  }

  #track<Result>(work: Promise<Result>): Promise<Result> {
    this.#running.add(work);
    const forget = () => this.#running.delete(work);
    work.then(forget, forget);
    return work;
  }
}

function parameters(bound: readonly Bound[]): [DuckDBValue[], DuckDBType[]] {
  return [bound.map(({ value }) => value), bound.map(({ type }) => type)];
}

/** A stream that was left keeps its snapshot, and so old rows, alive until its connection runs something else. */
async function endStream(connection: DuckDBConnection): Promise<void> {
  await connection.run('SELECT 1').catch(() => {});
}

async function connectTo(instance: DuckDBInstance): Promise<DuckDBConnection> {
  const connection = await instance.connect();
  await connection.run('USE store');
  return connection;
}

/** Opens a file (or `:memory:`) and makes sure that it is a store. */
export async function openEngine(location: string, readOnly: boolean): Promise<Engine> {
  const inMemory = location === ':memory:';
  if (inMemory && readOnly) {
    throw new StoreError('a store in memory cannot be opened for reading only: it starts empty');
  }
  const path = inMemory ? location : canonicalPath(location);
  const release = inMemory ? () => {} : claimFile(path, readOnly);
  try {
    if (!inMemory && !readOnly) dropEmptyFile(path);
    if (readOnly && !existsSync(path)) {
      throw new StoreError(`there is no store at ${path}; import a data set first, which creates it`);
    }
    return new Engine(path, readOnly, await openInstance(path, readOnly), release);
  } catch (error) {
    release();
    throw storeFailure(error, path, 'opening');
  }
}

/** The file is attached to an empty database, because only attaching sets the size of row groups. */
async function openInstance(path: string, readOnly: boolean): Promise<DuckDBInstance> {
  const spill = path === ':memory:' ? join(tmpdir(), `cropframe-${process.pid}.tmp`) : `${path}.tmp`;
  const instance = await DuckDBInstance.create(':memory:', {
    temp_directory: spill,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  let connection: DuckDBConnection | null = null;
  try {
    connection = await instance.connect();
    const options = readOnly ? 'READ_ONLY' : `ROW_GROUP_SIZE ${ROW_GROUP_SIZE}`;
    await connection.run(`ATTACH '${path.replaceAll("'", "''")}' AS store (TYPE duckdb, ${options})`);
    await connection.run('USE store');
    await prepareSchema(connection, { location: path, readOnly });
    return instance;
  } catch (error) {
    connection?.disconnectSync();
    connection = null;
    instance.closeSync();
    throw error;
  } finally {
    connection?.disconnectSync();
  }
}
