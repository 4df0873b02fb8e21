import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import type * as ClickHouse from '@clickhouse/client';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { StoreError } from '../../../model/errors.js';
import { type LinkedAbort, linkAbort } from '../../../model/linked-abort.js';
import { loadOptional } from '../../../model/load-optional.js';
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
  /** How often the server of a running query is pinged, in milliseconds. The server must answer within this time. */
  readonly quietMs?: number | undefined;
  /** Whether queries come from users. If so, the queries have no access to files, URLs or other servers. */
  readonly isConfined?: boolean;
}

const QUIET_MS = 60_000;

/** Settings for reads. A server cancels a query when the client disconnects only if the query is `readonly`. */
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

const WRITING: ClickHouseSettings = {
  wait_end_of_query: 1,
  // Data that equals earlier data is stored again, unless the insert has a token.
  insert_deduplicate: 0,
  // Parallel parsing limits a row of JSON to 10 MB.
  input_format_parallel_parsing: 0,
  // A deletion may list many rows.
  max_query_size: '100000000',
};

export class Shard {
  /** The server's address, as `host:port`. */
  readonly name: string;

  readonly #client: ClickHouseClient;
  /** A separate client for pings, because queries may use all connections of the main client. */
  readonly #pinger: ClickHouseClient;
  readonly #quietMs: number;
  readonly #reading: ClickHouseSettings;
  readonly #running = new Set<LinkedAbort>();
  #isClosed = false;

  constructor(
    name: string,
    address: ClickHouseAddress,
    { quietMs = QUIET_MS, isConfined = false, ...credentials }: Credentials & ShardOptions,
  ) {
    this.#reading = isConfined ? { ...READING, readonly: '1' } : READING;
    this.name = name;
    this.#quietMs = quietMs;
    // A query has no time limit, because pings detect a hung server.
    this.#client = connectClient(name, address, { ...credentials, timeoutMs: 0 });
    this.#pinger = connectClient(name, address, { ...credentials, timeoutMs: quietMs });
  }

  requireOpen(): void {
    if (this.#isClosed) throw closedError();
  }

  /**
   * Returns the rows of a small result. NaN and infinities become null. `wait_end_of_query` is not used, because the
   * server would buffer the result in a file, and that file is empty if the disk is full.
   */
  async rows(sql: string, options?: QueryOptions): Promise<Row[]> {
    const text = await textOf(this.#read('JSON', sql, options));
    return (JSON.parse(text) as { data: Row[] }).data;
  }

  /** Returns a result as an uncompressed Arrow stream, which is complete if it ends without an error. */
  arrow(sql: string, options?: QueryOptions): AsyncGenerator<Uint8Array> {
    return this.#read('ArrowStream', sql, options);
  }

  async download(path: string, sql: string, options?: ReadOptions): Promise<void> {
    await writeFile(path, this.#read('Parquet', sql, options), { flag: 'wx' });
  }

  /** Runs a statement that writes. The server ignores an insert whose `token` it already knows. */
  async run(sql: string, { token, ...options }: WriteOptions = {}): Promise<void> {
    const once: ClickHouseSettings =
      token === undefined ? {} : { insert_deduplicate: 1, insert_deduplication_token: token };
    await textOf(this.#send(sql, { ...options, settings: { ...WRITING, ...once } }));
  }

  /** Inserts the rows of a Parquet file. `sql` has no FORMAT clause. */
  insertFile(sql: string, path: string, options?: ReadOptions): Promise<void> {
    return this.run(`${sql} FORMAT Parquet`, { ...options, values: createReadStream(path) });
  }

  insertRows(table: string, rows: readonly Row[], options?: WriteOptions): Promise<void> {
    const values = Readable.from(rows.map((row) => `${JSON.stringify(row)}\n`));
    return this.run(`INSERT INTO ${table} FORMAT JSONEachRow`, { ...options, values });
  }

  #read(format: ByteFormat, sql: string, options?: QueryOptions): AsyncGenerator<Uint8Array> {
    return this.#send(`${sql}\nFORMAT ${format}`, { ...options, settings: this.#reading, end: ENDS[format] });
  }

  /**
   * Sends a statement, and yields the bytes of its response. If the caller aborts or stops reading, the server cancels
   * a read but completes a write. Rows that are written after their import was abandoned are never visible.
   */
  async *#send(
    query: string,
    { parameters = {}, signal: outer, values, settings, end }: Statement,
  ): AsyncGenerator<Uint8Array> {
    this.requireOpen();
    outer?.throwIfAborted();
    const failure = { shard: this.name, queryId: randomUUID() };
    const request = linkAbort(outer);
    const { signal } = request;
    this.#running.add(request);
    const watch = setInterval(async () => {
      const pinged = await this.#pinger.ping({ select: false });
      if (!pinged.success && isSilence(pinged.error)) request.abort(silentError(failure));
    }, this.#quietMs);
    watch.unref();
    try {
      const { stream } = await this.#client.exec({
        query,
        query_id: failure.queryId,
        query_params: parameters,
        clickhouse_settings: settings,
        abort_signal: signal,
        ...(values && { values }),
      });
      yield* wholeBytes(addAbortSignal(signal, stream as Readable), { end, ...failure });
    } catch (error) {
      signal.throwIfAborted();
      throw toStoreError(error, failure);
    } finally {
      clearInterval(watch);
      this.#running.delete(request);
      request.unlink();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const query of this.#running) query.abort(closedError());
    await Promise.all([this.#client.close(), this.#pinger.close()]);
  }
}

interface WriteOptions extends QueryOptions {
  readonly token?: string | undefined;
  /** The data of an INSERT. */
  readonly values?: Readable | undefined;
}

interface Statement extends WriteOptions {
  readonly settings: ClickHouseSettings;
  /** The last bytes of a complete response; by default, they are not checked. */
  readonly end?: Buffer | undefined;
}

/** The last bytes of a complete response in each format. An Arrow stream ends with a marker and a length of 0. */
const ENDS = {
  JSON: Buffer.from('\n}\n'),
  ArrowStream: Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
  Parquet: Buffer.from('PAR1'),
} as const;

type ByteFormat = keyof typeof ENDS;

const MAX_ERROR_BYTES = 4096;

async function* wholeBytes(
  stream: Readable,
  { end, shard, queryId }: Failure & Pick<Statement, 'end'>,
): AsyncGenerator<Uint8Array> {
  let tail = Buffer.alloc(0);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    tail = Buffer.concat([tail, chunk.subarray(-MAX_ERROR_BYTES)]).subarray(-MAX_ERROR_BYTES);
    yield chunk;
  }
  if (end === undefined || tail.subarray(-end.length).equals(end)) return;
  // A server appends an error to the rows that it has already sent.
  const [text = 'its end is missing'] = /Code: \d+\. DB::Exception: .*/s.exec(tail.toString()) ?? [];
  throw new StoreError(
    `the shard ${shard} ended its response early (${text.trim()}; query ${queryId}); try again`,
  );
}

const MAX_CONNECTIONS = 64;
/** The maximum length of a response's headers, which include the progress reports. */
const MAX_HEADER_BYTES = 1 << 20;

/** Settings for every query. They override those in the user's profile. */
const QUERY_SETTINGS: ClickHouseSettings = {
  output_format_json_quote_64bit_integers: 0,
  // Statements may contain long lists of ids.
  max_query_size: '100000000',
  // Proxies close a connection on which nothing is sent for too long.
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: '10000',
  async_insert: 0,
  mutations_sync: '2',
  lightweight_deletes_sync: '2',
};

function connectClient(
  name: string,
  address: ClickHouseAddress,
  { user, password, ca, timeoutMs }: Credentials & { readonly timeoutMs: number },
): ClickHouseClient {
  const { createClient, ClickHouseLogLevel } = loadClickHouse();
  return createClient({
    url: `${address.tls ? 'https' : 'http'}://${name}`,
    username: user,
    password,
    database: address.database,
    application: 'cropframe',
    request_timeout: timeoutMs,
    max_open_connections: MAX_CONNECTIONS,
    max_response_headers_size: MAX_HEADER_BYTES,
    // Otherwise, a process that was busy for seconds could send a request over a connection that the server has
    // closed meanwhile.
    keep_alive: { enabled: true, eagerly_destroy_stale_sockets: true },
    compression: { request: false, response: false },
    clickhouse_settings: QUERY_SETTINGS,
    log: { level: ClickHouseLogLevel.OFF },
    ...(address.tls && ca !== null && { tls: { ca_cert: ca } }),
  });
}

const PACKAGE = '@clickhouse/client';

/** Loads the client library, which only ClickHouse stores need. */
function loadClickHouse(): typeof ClickHouse {
  const loaded = loadOptional(PACKAGE);
  if (loaded !== undefined) return loaded as typeof ClickHouse;
  throw new StoreError(`a ClickHouse store needs the package ${PACKAGE}; run "npm install ${PACKAGE}"`);
}
