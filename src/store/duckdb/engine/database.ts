import { randomUUID } from 'node:crypto';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { copyFile, link, rm, rmdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { DuckDBConnection, DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api';
import pLimit from 'p-limit';
import { StoreError } from '../../../model/errors.js';
import { onAbort } from '../../../model/linked-abort.js';
import { makeFolder } from '../../../model/make-folder.js';
import type { Row } from '../../queries/engine-tables.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import { SEARCH_PATH } from '../schema.js';
import { keepAccess } from './drafts.js';
import { closedError, LogKeptError, toStoreError } from './errors.js';
import { type FileWatch, fileBytes, freeBytes, logOf } from './files.js';

/** The maximum number of connections. Further queries wait outside the engine, where they can be aborted at once. */
const MAX_CONNECTIONS = 8;

const CHUNKS_PER_TURN = 64;

/** A write-ahead log at least this long is merged into the file after an import, not only when the store closes. */
const LONG_LOG_BYTES = 16_000_000;

interface OpenedFile {
  readonly instance: DuckDBInstance;
  /** The file's name in messages. */
  readonly name: string;
  /** Detects whether others have changed the file; null for an in-memory store. */
  readonly file: FileWatch | null;
  /** The folder that a confined engine may read; null if the engine may read any file. */
  readonly lending: string | null;
  readonly releaseFile: () => void;
}

export class Database {
  readonly #limit = pLimit(MAX_CONNECTIONS);
  readonly #connections = new Set<DuckDBConnection>();
  readonly #idle: DuckDBConnection[] = [];
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | null = null;
  #snapshot: object | null = {};
  readonly #opened: OpenedFile;

  constructor(
    readonly location: string,
    readonly readOnly: boolean,
    opened: OpenedFile,
  ) {
    this.#opened = opened;
  }

  /** Returns all rows of a small result as objects keyed by column name, and lets other work run in between. */
  async rows(sql: string, { signal }: ReadOptions = {}): Promise<Row[]> {
    return this.#use(signal, async (connection) => {
      const rows: Row[] = [];
      for await (const part of (await connection.run(sql)).yieldRowObjectJs()) {
        rows.push(...(part as Row[]));
        await turns.next();
        signal?.throwIfAborted();
      }
      return rows;
    });
  }

  /**
   * Yields the chunks of a query's result once the whole result has been computed. Streaming the result would start
   * later, take more processor time, and return chunks with few rows.
   */
  async *chunks(sql: string, { signal }: ReadOptions = {}): AsyncGenerator<DuckDBDataChunk, void, void> {
    const result = await this.#use(signal, (connection) => connection.run(sql));
    for (let i = 0; i < result.chunkCount; i++) {
      if (i % CHUNKS_PER_TURN === 0) await turns.next();
      signal?.throwIfAborted();
      if (this.#closing !== null) throw closedError();
      yield result.getChunk(i);
    }
  }

  /** Runs a query on a free connection. An abort interrupts the query, or ends the wait for a connection at once. */
  async #use<Result>(
    signal: AbortSignal | undefined,
    query: (connection: DuckDBConnection) => Promise<Result>,
  ): Promise<Result> {
    let stopWaiting = () => {};
    const left = new Promise<never>((_, reject) => {
      if (signal !== undefined) stopWaiting = onAbort(signal, () => reject(signal.reason));
    });
    const using = this.#limit(async () => {
      stopWaiting();
      signal?.throwIfAborted();
      this.requireOpen();
      const connection = this.#idle.pop() ?? (await connectToStore(this.#opened.instance));
      this.#connections.add(connection);
      const stopWatching = interruptOnAbort(connection, signal);
      return query(connection).finally(() => {
        stopWatching();
        this.#idle.push(connection);
      });
    });
    this.#running.add(using);
    try {
      const result = await Promise.race([using, left]);
      signal?.throwIfAborted();
      this.requireOpen();
      return result;
    } catch (error) {
      signal?.throwIfAborted();
      throw this.#unusable ?? toStoreError(error, this.#opened.name, 'reading');
    } finally {
      this.#running.delete(using);
    }
  }

  requireOpen(): void {
    const unusable = this.#unusable;
    if (unusable !== null) throw unusable;
  }

  /** Whether the engine can read only its own files and those that `lend` provides. */
  get isConfined(): boolean {
    return this.#opened.lending !== null;
  }

  /** Calls `read` with a path that the engine can read, which is a temporary link or copy if the engine is confined. */
  async lend<Result>(path: string, read: (path: string) => Promise<Result>): Promise<Result> {
    const folder = this.#opened.lending;
    if (folder === null) return read(path);
    const lent = join(folder, `${randomUUID()}${extname(path)}`);
    await makeFolder(folder, 0o700);
    try {
      await link(path, lent).catch(() => copyFile(path, lent, constants.COPYFILE_FICLONE));
      return await read(lent);
    } finally {
      await rm(lent, { force: true });
      await rmdir(folder).catch(() => {});
    }
  }

  /** Opens a connection. The caller must close it. */
  async connect(): Promise<DuckDBConnection> {
    this.requireOpen();
    return connectToStore(this.#opened.instance);
  }

  /** Identifies the content: the same object until the next commit; null during a commit. Only this process commits. */
  get snapshot(): object | null {
    return this.#snapshot;
  }

  async commit(connection: DuckDBConnection): Promise<void> {
    this.requireOpen();
    if (this.#opened.file?.isNamed === false)
      throw new StoreError(
        `${this.location} was replaced or removed while it was open, so nothing was written; close it and try again`,
      );
    this.#snapshot = null;
    this.#guardLog();
    try {
      await connection.run('COMMIT');
    } finally {
      this.#snapshot = {};
    }
  }

  /** Creates the write-ahead log with the store's mode and owner. DuckDB would let everyone read the log. */
  #guardLog(): void {
    const log = logOf(this.location);
    if (this.location === ':memory:' || existsSync(log)) return;
    closeSync(openSync(log, 'a', 0o600));
    keepAccess(log, this.location);
  }

  /** Merges a long log into the file if there is ample disk space. If this fails, the store must be reopened. */
  async foldLongLog(): Promise<void> {
    const bytes = fileBytes(logOf(this.location));
    if (bytes < LONG_LOG_BYTES || (freeBytes(this.location) ?? 0) < 4 * bytes || this.#problem) return;
    const connection = await connectToStore(this.#opened.instance);
    try {
      await connection.run('CHECKPOINT store');
      this.#opened.file?.renew();
    } catch {
      // Closing the store tries again, and reports a failure.
    } finally {
      connection.disconnectSync();
    }
  }

  /**
   * Interrupts running queries, and resolves once the file is released.
   * @throws LogKeptError if the log cannot be merged into the file
   */
  close(): Promise<void> {
    this.#closing ??= this.#shutdown();
    return this.#closing;
  }

  /** Closes the file by detaching it. Otherwise, it would stay open until DuckDB's objects are garbage-collected. */
  async #shutdown(): Promise<void> {
    const stopInterrupting = interruptUntilStopped(this.#connections);
    await Promise.allSettled(this.#running);
    stopInterrupting();
    for (const connection of this.#connections) connection.disconnectSync();
    const last = await this.#opened.instance.connect();
    try {
      // If the file was overwritten or replaced, the log must not be merged into it.
      const isFolded = this.#problem === null && this.#opened.file?.isNamed !== false;
      const ended = isFolded ? this.#foldLog(last) : last.run('PRAGMA disable_checkpoint_on_shutdown');
      await ended.finally(() => last.run('DETACH store'));
    } catch (error) {
      throw this.#problem ?? toStoreError(error, this.#opened.name, 'closing');
    } finally {
      last.disconnectSync();
      this.#opened.instance.closeSync();
      this.#opened.file?.close();
      this.#opened.releaseFile();
    }
  }

  /** Merges the log into the file, after any running import is rolled back. A failure leaves both files unchanged. */
  async #foldLog(connection: DuckDBConnection): Promise<unknown> {
    const log = logOf(this.location);
    if (this.readOnly || this.location === ':memory:' || fileBytes(log) === 0) return;
    return connection.run('FORCE CHECKPOINT store').catch((cause: unknown) => {
      throw new LogKeptError(this.location, { log, cause });
    });
  }

  get #problem(): StoreError | null {
    return this.#opened.file?.problem ?? null;
  }

  /** The reason why nothing can be read, if the store is closed or its file was overwritten. */
  get #unusable(): StoreError | null {
    return this.#closing === null ? this.#problem : closedError();
  }
}

async function connectToStore(instance: DuckDBInstance): Promise<DuckDBConnection> {
  const connection = await instance.connect();
  await connection.run(SEARCH_PATH);
  return connection;
}

/** The interval between interrupts, which are repeated because the engine ignores any that precede the query. */
const INTERRUPT_AGAIN_MS = 20;

function interruptUntilStopped(connections: Iterable<DuckDBConnection>): () => void {
  const interrupt = () => {
    for (const connection of connections) connection.interrupt();
  };
  interrupt();
  const timer = setInterval(interrupt, INTERRUPT_AGAIN_MS);
  return () => clearInterval(timer);
}

/** Interrupts a connection's queries if the signal is aborted. Call the returned function after the queries. */
export function interruptOnAbort(connection: DuckDBConnection, signal: AbortSignal | undefined): () => void {
  let stop = () => {};
  const interrupt = () => {
    stop = interruptUntilStopped([connection]);
  };
  const unlink = signal && onAbort(signal, interrupt);
  return () => {
    unlink?.();
    stop();
  };
}
