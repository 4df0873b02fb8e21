import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { addAbortSignal } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { linkAbort } from '../../../model/linked-abort.js';
import { closedError } from '../../duckdb/engine/errors.js';
import type { Row } from '../../queries/engine-tables.js';
import type { ReadOptions } from '../../store.js';
import type { ClickHouseAddress, Credentials } from './address.js';
import { brokenOffError, type Failure, isSilence, silentError, toStoreError } from './errors.js';
import { connectClient } from './http-client.js';

/** Values for the parameters that a statement contains as `{name:Type}`. */
export type Parameters = Readonly<
  Record<string, string | number | bigint | boolean | readonly (number | string)[] | null>
>;

/** How long a reader waits for a server that sends nothing. Servers report progress during long queries. */
export interface Patience {
  readonly quietMs?: number | undefined;
}

/** What a server's queries may access. */
interface Reach {
  /** Whether the queries come from users. If so, they cannot read files, URLs or other servers. */
  readonly isConfined?: boolean;
}

const QUIET_MS = 60_000;
/**
 * Maximum time to wait for a server during a write. Servers report no progress for deletions and updates, but respond
 * to other requests meanwhile.
 */
const WRITING_QUIET_MS = 30 * 60_000;

/** Settings for reads. With `readonly`, a server ends a query if its client disconnects. */
const READING: ClickHouseSettings = {
  readonly: '2',
  cancel_http_readonly_queries_on_client_close: 1,
  // With this setting, an error cuts off a JSON response. Otherwise, the response would be valid JSON with too few
  // rows.
  http_write_exception_in_output_format: 0,
  // Without this setting, truncating dates before 1970 to months or years returns 1970.
  enable_extended_results_for_datetime_functions: 1,
  output_format_arrow_compression_method: 'none',
  output_format_arrow_string_as_string: 1,
  output_format_arrow_unsupported_types_as_binary: 0,
};

/** Maximum time that `close` waits for the server to end queries. */
const MAX_END_MS = 1_000;

interface RunningQuery {
  readonly id: string;
  /** Aborted when the caller aborts the query, or the connection is closed. */
  readonly signal: AbortSignal;
  readonly abort: (reason: Error) => void;
  readonly failure: Failure;
  readonly settle: () => void;
}

export class Shard {
  /** `host:port`. */
  readonly name: string;

  readonly #reader: ClickHouseClient;
  readonly #writer: ClickHouseClient;
  readonly #quietMs: number;
  readonly #settings: ClickHouseSettings;
  readonly #running = new Set<AbortController>();
  readonly #ending = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(
    name: string,
    address: ClickHouseAddress,
    { quietMs = QUIET_MS, isConfined = false, ...credentials }: Credentials & Patience & Reach,
  ) {
    this.#settings = isConfined ? { ...READING, readonly: '1' } : READING;
    this.name = name;
    this.#quietMs = quietMs;
    this.#reader = connectClient({ name, address, credentials, quietMs });
    this.#writer = connectClient({ name, address, credentials, quietMs: WRITING_QUIET_MS });
  }

  requireOpen(): void {
    if (this.#isClosed) throw closedError();
  }

  get running(): number {
    return this.#running.size;
  }

  /**
   * Returns the rows of a small result. 64-bit integers and floats become numbers; NaN and infinities become null. The
   * result is not requested with `wait_end_of_query`, because the server would buffer it in a file, which would be
   * empty if the disk were full.
   */
  async rows(sql: string, parameters: Parameters = {}, options: ReadOptions = {}): Promise<Row[]> {
    const text = await textOf(this.#bytes('JSON', sql, { parameters, ...options }));
    return (JSON.parse(text) as { data: Row[] }).data;
  }

  /**
   * Returns a query's result as an uncompressed Arrow stream. The result is complete if the stream ends without an
   * error.
   */
  arrow(sql: string, parameters: Parameters = {}, options: ReadOptions = {}): AsyncGenerator<Uint8Array> {
    return this.#bytes('ArrowStream', sql, { parameters, ...options });
  }

  /** Writes a query's result to a new Parquet file, which is complete when the promise resolves. */
  async download(path: string, sql: string, options: ReadOptions = {}): Promise<void> {
    await writeFile(path, this.#bytes('Parquet', sql, options), { flag: 'wx' });
  }

  async *#bytes(
    format: ByteFormat,
    sql: string,
    { parameters, signal }: ReadOptions & { readonly parameters?: Parameters },
  ): AsyncGenerator<Uint8Array> {
    let stream: IncomingMessage | null = null;
    let isWhole = false;
    const request = this.#begin(signal);
    try {
      const answer = await this.#reader.exec({
        query: `${sql}\nFORMAT ${format}`,
        query_id: request.id,
        ...(parameters && { query_params: parameters }),
        clickhouse_settings: this.#settings,
        abort_signal: request.signal,
      });
      stream = addAbortSignal(request.signal, answer.stream as IncomingMessage);
      yield* checkBytes(stream, format, { ...request.failure, quietMs: this.#quietMs });
      isWhole = true;
    } catch (error) {
      request.signal.throwIfAborted();
      throw toStoreError(error, request.failure);
    } finally {
      request.settle();
      if (!isWhole && !request.signal.aborted) {
        stream?.destroy();
        this.#end(request.id);
      }
    }
  }

  run(sql: string, parameters: Parameters = {}, { signal }: ReadOptions = {}): Promise<void> {
    return this.#write(signal, (query) =>
      this.#writer.command({
        ...query,
        query: sql,
        query_params: parameters,
        clickhouse_settings: { wait_end_of_query: 1 },
      }),
    );
  }

  /**
   * Inserts the rows of a Parquet file. They are stored even if an identical file was inserted earlier.
   * @param sql the INSERT statement without its FORMAT clause
   */
  insertFile(sql: string, path: string, { signal }: ReadOptions = {}): Promise<void> {
    return this.#write(signal, async (query) => {
      const { stream } = await this.#writer.exec({
        ...query,
        query: `${sql} FORMAT Parquet`,
        values: createReadStream(path),
        clickhouse_settings: { insert_deduplicate: 0, wait_end_of_query: 1 },
      });
      await textOf(stream);
    });
  }

  /** Inserts a few rows, which are sent in the request body. Omitted columns get their default values. */
  insertRows(table: string, rows: readonly Row[], { signal }: ReadOptions = {}): Promise<void> {
    return this.#write(signal, (query) =>
      this.#writer.insert({
        ...query,
        table,
        values: rows,
        format: 'JSONEachRow',
        clickhouse_settings: { wait_end_of_query: 1, input_format_defaults_for_omitted_fields: 1 },
      }),
    );
  }

  /** Sends a request, and aborts it if the server no longer responds to pings. */
  async #write(
    signal: AbortSignal | undefined,
    send: (query: { query_id: string; abort_signal: AbortSignal }) => Promise<unknown>,
  ): Promise<void> {
    const request = this.#begin(signal);
    const timer = setInterval(async () => {
      const pinged = await this.#reader.ping({ select: false });
      if (!pinged.success && isSilence(pinged.error)) request.abort(silentError(request.failure));
    }, this.#quietMs);
    timer.unref();
    try {
      await send({ query_id: request.id, abort_signal: request.signal });
    } catch (error) {
      request.signal.throwIfAborted();
      throw toStoreError(error, request.failure);
    } finally {
      clearInterval(timer);
      request.settle();
    }
  }

  /**
   * Begins a query. If it is aborted, it is also ended on the server.
   * @throws StoreError after `close`; if `outer` is already aborted, its reason is thrown
   */
  #begin(outer: AbortSignal | undefined): RunningQuery {
    this.requireOpen();
    outer?.throwIfAborted();
    const id = randomUUID();
    const query = linkAbort(outer);
    const { signal } = query;
    const end = () => this.#end(id);
    signal.addEventListener('abort', end);
    this.#running.add(query);
    const settle = () => {
      this.#running.delete(query);
      signal.removeEventListener('abort', end);
      query.unlink();
    };
    const failure = { shard: this.name, queryId: id };
    return { id, signal, abort: (reason) => query.abort(reason), failure, settle };
  }

  /** Ends a query on the server. Failures are ignored: an unreachable server ends the query itself, or is down. */
  #end(query_id: string): void {
    const query = 'KILL QUERY WHERE query_id = {query_id:String} ASYNC';
    const ending = this.#reader
      .command({ query, query_params: { query_id } })
      .catch(() => {})
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const query of this.#running) query.abort(closedError());
    const timeout = new AbortController();
    const late = sleep(MAX_END_MS, null, { signal: timeout.signal }).catch(() => {});
    await Promise.race([late, Promise.all(this.#ending)]);
    timeout.abort();
    await Promise.all([this.#reader.close(), this.#writer.close()]);
  }
}

/** The last bytes of a complete response in each format. An Arrow stream ends with a marker and a length of 0. */
const ENDS = {
  JSON: Buffer.from('\n}\n'),
  ArrowStream: Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
  Parquet: Buffer.from('PAR1'),
} as const;

type ByteFormat = keyof typeof ENDS;

const MAX_ERROR_BYTES = 4096;

/** Yields a response's chunks, and checks that it is complete. The timeout excludes the time that the caller takes. */
async function* checkBytes(
  stream: IncomingMessage,
  format: ByteFormat,
  { quietMs, ...failure }: Failure & { readonly quietMs: number },
): AsyncGenerator<Uint8Array> {
  // The request's own timeout would include the time during which the caller does not read.
  stream.socket?.setTimeout(0);
  let tail = Buffer.alloc(0);
  const chunks = stream[Symbol.asyncIterator]();
  for (;;) {
    const timer = setTimeout(() => stream.destroy(silentError(failure)), quietMs);
    const { done, value } = await chunks.next().finally(() => clearTimeout(timer));
    if (done) break;
    const chunk = value as Buffer;
    tail = Buffer.concat([tail, chunk.subarray(-MAX_ERROR_BYTES)]).subarray(-MAX_ERROR_BYTES);
    yield chunk;
  }
  const end = ENDS[format];
  if (tail.subarray(-end.length).equals(end)) return;
  throw brokenOffError(failure, tail.toString());
}
