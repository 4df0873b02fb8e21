import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { addAbortSignal } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type * as ClickHouse from '@clickhouse/client';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { StoreError } from '../../../model/errors.js';
import { linkAbort } from '../../../model/linked-abort.js';
import { closedError } from '../../duckdb/engine/errors.js';
import type { Row } from '../../queries/engine-tables.js';
import type { ReadOptions } from '../../store.js';
import type { ClickHouseAddress, Credentials } from './address.js';
import { type Failure, isSilence, silentError, toStoreError } from './errors.js';

/** Values for the parameters that a statement contains as `{name:Type}`. */
export type Parameters = Readonly<
  Record<string, string | number | bigint | boolean | readonly (number | string)[] | null>
>;

interface QueryOptions extends ReadOptions {
  readonly parameters?: Parameters | undefined;
}

export interface ShardOptions {
  /** The time, in ms, after which a silent server counts as hung. Servers report progress during long queries. */
  readonly quietMs?: number | undefined;
  /** Whether the queries come from users. If so, they have no access to files, URLs or other servers. */
  readonly isConfined?: boolean;
}

const QUIET_MS = 60_000;
/** Maximum wait for a write's response. It is long because deletions report no progress; pings detect hung servers. */
const WRITING_QUIET_MS = 30 * 60_000;

/** Settings for reads. With `readonly`, a server ends a query if its client disconnects. */
const READING: ClickHouseSettings = {
  readonly: '2',
  cancel_http_readonly_queries_on_client_close: 1,
  // Otherwise, an error in the middle of a JSON response would leave valid JSON with too few rows.
  http_write_exception_in_output_format: 0,
  // Without this setting, truncating dates before 1970 to months or years returns 1970.
  enable_extended_results_for_datetime_functions: 1,
  output_format_arrow_compression_method: 'none',
  output_format_arrow_string_as_string: 1,
  output_format_arrow_unsupported_types_as_binary: 0,
};

const MAX_END_MS = 1_000;

export class Shard {
  /** The server's address, as `host:port`. */
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
    { quietMs = QUIET_MS, isConfined = false, ...credentials }: Credentials & ShardOptions,
  ) {
    this.#settings = isConfined ? { ...READING, readonly: '1' } : READING;
    this.name = name;
    this.#quietMs = quietMs;
    this.#reader = connectClient(name, address, { ...credentials, quietMs });
    this.#writer = connectClient(name, address, { ...credentials, quietMs: WRITING_QUIET_MS });
  }

  requireOpen(): void {
    if (this.#isClosed) throw closedError();
  }

  get running(): number {
    return this.#running.size;
  }

  /**
   * Returns the rows of a small result. NaN and infinities become null. `wait_end_of_query` is not used, because the
   * server would buffer the result in a file, which is empty if the disk is full.
   */
  async rows(sql: string, options?: QueryOptions): Promise<Row[]> {
    const text = await textOf(this.#bytes('JSON', sql, options));
    return (JSON.parse(text) as { data: Row[] }).data;
  }

  /** Returns a result as an uncompressed Arrow stream, which is complete if it ends without an error. */
  arrow(sql: string, options?: QueryOptions): AsyncGenerator<Uint8Array> {
    return this.#bytes('ArrowStream', sql, options);
  }

  async download(path: string, sql: string, options?: ReadOptions): Promise<void> {
    await writeFile(path, this.#bytes('Parquet', sql, options), { flag: 'wx' });
  }

  async *#bytes(
    format: ByteFormat,
    sql: string,
    { parameters = {}, signal }: QueryOptions = {},
  ): AsyncGenerator<Uint8Array> {
    let stream: IncomingMessage | null = null;
    let isWhole = false;
    const request = this.#begin(signal);
    try {
      const answer = await this.#reader.exec({
        query: `${sql}\nFORMAT ${format}`,
        query_id: request.id,
        query_params: parameters,
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

  run(sql: string, { parameters = {}, signal }: QueryOptions = {}): Promise<void> {
    return this.#write(signal, (query) =>
      this.#writer.command({
        ...query,
        query: sql,
        query_params: parameters,
        clickhouse_settings: { wait_end_of_query: 1 },
      }),
    );
  }

  /** Inserts the rows of a Parquet file, even if the same file was inserted before. `sql` has no FORMAT clause. */
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

  /** Begins a query. Aborting the query also ends it on the server. @throws StoreError after `close` */
  #begin(outer: AbortSignal | undefined) {
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
    return { id, signal, abort: query.abort, failure, settle };
  }

  /** Ends a query on the server. Ignores failures, because an unreachable server ends the query itself or is down. */
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
  // A server appends an error to the rows that it has already sent.
  const [text = 'its end is missing'] = /Code: \d+\. DB::Exception: .*/s.exec(tail.toString()) ?? [];
  const { shard, queryId } = failure;
  throw new StoreError(
    `the shard ${shard} ended its response early (${text.trim()}; query ${queryId}); try again`,
  );
}

/** The interval at which a server reports a query's progress, unless a short timeout requires a shorter one. */
const PROGRESS_MS = 10_000;
const MAX_CONNECTIONS = 64;
/** Maximum length of a response's headers, which include the progress reports. */
const MAX_HEADER_BYTES = 1 << 20;

/** Settings for every query. They override those in the user's profile. */
const QUERY_SETTINGS: ClickHouseSettings = {
  output_format_json_quote_64bit_integers: 0,
  // Statements may contain long lists of ids.
  max_query_size: '100000000',
  send_progress_in_http_headers: 1,
  async_insert: 0,
  mutations_sync: '2',
  lightweight_deletes_sync: '2',
};

function connectClient(
  name: string,
  address: ClickHouseAddress,
  { user, password, ca, quietMs }: Credentials & { readonly quietMs: number },
): ClickHouseClient {
  const { createClient, ClickHouseLogLevel } = loadClickHouse();
  return createClient({
    url: `${address.tls ? 'https' : 'http'}://${name}`,
    username: user,
    password,
    database: address.database,
    application: 'cropframe',
    request_timeout: quietMs,
    max_open_connections: MAX_CONNECTIONS,
    max_response_headers_size: MAX_HEADER_BYTES,
    // Otherwise, a process that was busy for seconds could send a request over a connection that the server has
    // already closed.
    keep_alive: { enabled: true, eagerly_destroy_stale_sockets: true },
    compression: { request: false, response: false },
    clickhouse_settings: {
      ...QUERY_SETTINGS,
      http_headers_progress_interval_ms: String(Math.min(PROGRESS_MS, Math.ceil(quietMs / 6))),
    },
    log: { level: ClickHouseLogLevel.OFF },
    ...(address.tls && ca !== null && { tls: { ca_cert: ca } }),
  });
}

const PACKAGE = '@clickhouse/client';

/** Loads the client, which only ClickHouse stores need, from cropframe's project or else the working directory's. */
function loadClickHouse(): typeof ClickHouse {
  for (const from of [import.meta.url, `${pathToFileURL(process.cwd())}/`]) {
    const require = createRequire(from);
    let path: string;
    try {
      path = require.resolve(PACKAGE);
    } catch {
      continue;
    }
    return require(path) as typeof ClickHouse;
  }
  throw new StoreError(`a ClickHouse store needs the package ${PACKAGE}; run "npm install ${PACKAGE}"`);
}
