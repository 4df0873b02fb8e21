import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import type { ReadOptions } from '../../store.js';
import type { ClickHouseAddress } from './address.js';
import { checkedArrow } from './arrow-bytes.js';
import type { Credentials } from './credentials.js';
import { toStoreError } from './errors.js';
import { loadClickHouse } from './library.js';
import { type Row, readRows } from './rows.js';

/** Values that a statement names as `{name:Type}`. */
export type Parameters = Readonly<
  Record<string, string | number | bigint | boolean | readonly (number | string)[] | null>
>;

/** An insert of a block. */
interface InsertOptions {
  /** Blocks with the token of an earlier one are not stored again. */
  readonly token: string;
  readonly signal?: AbortSignal | undefined;
}

/** How long a server may say nothing before it is given up. It reports progress, however long a query takes. */
export interface Patience {
  readonly quietMs?: number | undefined;
}

const QUIET_MS = 60_000;
const PROGRESS_MS = 10_000;
const MAX_CONNECTIONS = 64;
/** Each report of progress is a header. */
const MAX_HEADER_BYTES = 1 << 20;

/** Independent of what the profile of a user sets. */
const SETTINGS: ClickHouseSettings = {
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 1,
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: String(PROGRESS_MS),
  async_insert: 0,
  mutations_sync: '2',
  lightweight_deletes_sync: '2',
};

/** With `readonly`, a server ends a query whose client has left. */
const READING: ClickHouseSettings = { readonly: '2', cancel_http_readonly_queries_on_client_close: 1 };

/** One server. */
export class Shard {
  /** `host:port`. */
  readonly name: string;

  readonly #client: ClickHouseClient;
  readonly #location: string;
  readonly #quietMs: number;
  #running = 0;

  constructor(
    name: string,
    address: ClickHouseAddress,
    { user, password, ca, quietMs = QUIET_MS }: Credentials & Patience,
  ) {
    this.#quietMs = quietMs;
    const { createClient, ClickHouseLogLevel } = loadClickHouse();
    this.name = name;
    this.#location = address.location;
    this.#client = createClient({
      url: `${address.tls ? 'https' : 'http'}://${name}`,
      username: user,
      password,
      database: address.database,
      application: 'cropframe',
      request_timeout: quietMs,
      max_open_connections: MAX_CONNECTIONS,
      max_response_headers_size: MAX_HEADER_BYTES,
      compression: { request: false, response: false },
      clickhouse_settings: SETTINGS,
      log: { level: ClickHouseLogLevel.OFF },
      ...(address.tls && ca !== null && { tls: { ca_cert: ca } }),
    });
  }

  /** Queries under way. */
  get running(): number {
    return this.#running;
  }

  /** The rows of a small result: 64-bit integers and floats are numbers, NaN and infinities are kept, booleans are booleans. */
  rows(sql: string, parameters: Parameters = {}, options: ReadOptions = {}): Promise<Row[]> {
    return this.#request(options.signal, async (query) => {
      const { stream } = await this.#client.exec({
        ...query,
        query: `${sql}\nFORMAT JSONCompact`,
        query_params: parameters,
        clickhouse_settings: { ...READING, wait_end_of_query: 1 },
      });
      return readRows(await textOf(stream));
    });
  }

  /** The bytes of a result as an uncompressed Arrow stream, which is whole when it ends. */
  async *arrow(
    sql: string,
    parameters: Parameters = {},
    options: ReadOptions = {},
  ): AsyncGenerator<Uint8Array> {
    const { signal } = options;
    const id = randomUUID();
    const failure = { shard: this.name, location: this.#location, queryId: id };
    let stream: IncomingMessage | null = null;
    let isWhole = false;
    const leave = () => {
      stream?.destroy();
      if (!isWhole) this.#end(id);
    };
    signal?.throwIfAborted();
    signal?.addEventListener('abort', leave);
    this.#running++;
    try {
      const answer = await this.#client.exec({
        query: `${sql}\nFORMAT ArrowStream`,
        query_id: id,
        query_params: parameters,
        clickhouse_settings: {
          ...READING,
          output_format_arrow_compression_method: 'none',
          output_format_arrow_string_as_string: 1,
        },
        ...(signal && { abort_signal: signal }),
      });
      stream = answer.stream as IncomingMessage;
      yield* checkedArrow(stream, failure, this.#quietMs);
      isWhole = true;
    } catch (error) {
      signal?.throwIfAborted();
      throw toStoreError(error, failure);
    } finally {
      this.#running--;
      signal?.removeEventListener('abort', leave);
      if (!isWhole) leave();
    }
  }

  /** Runs a statement that returns nothing. */
  run(sql: string, parameters: Parameters = {}, options: ReadOptions = {}): Promise<void> {
    return this.#request(options.signal, async (query) => {
      await this.#client.command({
        ...query,
        query: sql,
        query_params: parameters,
        clickhouse_settings: { enable_lightweight_update: 1, wait_end_of_query: 1 },
      });
    });
  }

  /** Stores the rows of an Arrow stream. */
  insert(
    table: string,
    columns: readonly string[],
    arrowStream: Uint8Array,
    { token, signal }: InsertOptions,
  ): Promise<void> {
    return this.#request(signal, async (query) => {
      const { stream } = await this.#client.exec({
        ...query,
        query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT ArrowStream`,
        // In object mode, which is the default, the client crashes the process.
        values: Readable.from(
          [Buffer.from(arrowStream.buffer, arrowStream.byteOffset, arrowStream.byteLength)],
          {
            objectMode: false,
          },
        ),
        clickhouse_settings: {
          insert_deduplicate: 1,
          insert_deduplication_token: token,
          wait_end_of_query: 1,
        },
      });
      await textOf(stream);
    });
  }

  /** Stores a few rows, which are not part of the address as the parameters of a statement are. Columns left out have their default. */
  insertRows(table: string, rows: readonly Row[], { signal }: ReadOptions = {}): Promise<void> {
    return this.#request(signal, async (query) => {
      await this.#client.insert({
        ...query,
        table,
        values: rows,
        format: 'JSONEachRow',
        clickhouse_settings: { wait_end_of_query: 1, input_format_defaults_for_omitted_fields: 1 },
      });
    });
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #request<Result>(
    signal: AbortSignal | undefined,
    send: (query: { query_id: string; abort_signal?: AbortSignal }) => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const id = randomUUID();
    const end = () => this.#end(id);
    signal?.addEventListener('abort', end);
    this.#running++;
    try {
      return await send({ query_id: id, ...(signal && { abort_signal: signal }) });
    } catch (error) {
      signal?.throwIfAborted();
      throw toStoreError(error, { shard: this.name, location: this.#location, queryId: id });
    } finally {
      this.#running--;
      signal?.removeEventListener('abort', end);
    }
  }

  /** Ends a query on the server. A server that cannot be reached ends it itself, or has ended. */
  #end(queryId: string): void {
    this.#client
      .command({
        query: 'KILL QUERY WHERE query_id = {id:String} ASYNC',
        query_params: { id: queryId },
      })
      .catch(() => {});
  }
}

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
