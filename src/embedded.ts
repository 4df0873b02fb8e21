import * as v from 'valibot';
import { CLIENT_KEYS } from './client/client.js';
import { type Client, createClient } from './create-client.js';
import { importerOf } from './ingest/datasets.js';
import { importDataset } from './ingest/import-dataset.js';
import { importsIn } from './ingest/import-host.js';
import { SOURCES } from './ingest/vocabulary/entities.js';
import { makeFolderOf } from './model/make-folder.js';
import { LONG_OPERATION, type LongOperation } from './model/progress.js';
import { checkOptions, type OptionsOf } from './model/schema/check.js';
import { TEXT } from './model/schema/schemas.js';
import { newToken, singleTokenAuthorizer } from './service/access/auth.js';
import { createService } from './service/service.js';
import { type AskStore, sqlOf } from './sql/store-sql.js';
import { isClickHouseAddress } from './store/clickhouse/engine/address.js';
import { requireFile } from './store/duckdb/engine/files.js';
import { openStoreToAsk } from './store/open.js';
import type { Store } from './store/store.js';

const EMBEDDED_KEYS = {
  ...LONG_OPERATION,
  /** The maximum number of concurrent requests; default 10. */
  concurrency: CLIENT_KEYS.concurrency,
  /** The maximum time to wait for the next byte from the service, in milliseconds; default 60,000. */
  timeout_ms: CLIENT_KEYS.timeout_ms,
  /** How many times a failed request is retried, and the delays between retries; by default, up to four retries. */
  retry: CLIENT_KEYS.retry,
  /** The path of the store's file, or the address of a ClickHouse store. If omitted, the store is kept in memory. */
  path: TEXT,
  /** Opens the store read-only, which several processes can do at once. Imports are then rejected. Default false. */
  read_only: v.boolean(),
  /** Creates the store's file if it does not exist. Default false, or true if `demo` is set. */
  create: v.boolean(),
  /** Imports the demo data set, unless the store already contains it. */
  demo: v.boolean(),
};
/** Options of an embedded service. */
export interface EmbeddedOptions extends LongOperation, OptionsOf<typeof EMBEDDED_KEYS> {}

/** A client that can also query its store with SQL. */
export interface EmbeddedClient extends Client {
  /**
   * Queries the store and your own tables with DuckDB SQL, using entity names. A query can use your tables,
   * the views `data`, `history`, `series`, `regions`, `units` and `sources`, and the macros `as_of(date)` and
   * `convert(value, unit, unit)`. The result is an Arrow table that lists the sources of the store and of your tables.
   * @throws ArgumentError if the query is not a single SELECT, if it reads anything else, or if the engine rejects it
   * @example
   * ```ts
   * const rain = await client.sql()`SELECT region, sum(value) AS rain FROM data WHERE item = ${'Precipitation'} GROUP BY ALL`;
   * ```
   */
  readonly sql: AskStore;
}

/** A service that runs in this process: its client and its store. */
export interface Embedded {
  /** A client of the service. The client can also import with `importFiles` and query the store with `sql`. */
  readonly client: EmbeddedClient;
  /** The store that the service reads. */
  readonly store: Store;
  /** Closes the store. */
  close(): Promise<void>;
}

/**
 * Opens a store and runs the whole service in this process, without a socket. The client has its own access token.
 * @throws StoreError if there is no store at the path and `create` is not set, or if the store is damaged or in use;
 * the signal's reason if the signal aborts. After an abort, the store can be opened again
 */
export async function openEmbedded(options: EmbeddedOptions = {}): Promise<Embedded> {
  checkOptions(options, EMBEDDED_KEYS, 'openEmbedded');
  const { path, read_only: readOnly = false, demo: wantsDemo = false, create = wantsDemo } = options;
  const { signal, onProgress, concurrency, timeout_ms, retry } = options;
  if (path !== undefined && !readOnly && !isClickHouseAddress(path)) {
    if (create) await makeFolderOf(path, 'path');
    else requireFile(path, 'Set create: true to make a new one');
  }
  const store = await openStoreToAsk(path ?? ':memory:', { read_only: readOnly });
  try {
    if (wantsDemo && !(await hasDemo(store)))
      await importDataset(store, await importerOf('demo'), { signal, onProgress });
    const access_token = newToken();
    const imports = importsIn();
    const holder = { name: 'embedded', rights: ['read', 'import'] } as const;
    const service = createService(store, { authorize: singleTokenAuthorizer(access_token, holder), imports });
    const client = createClient({
      api_host: 'http://embedded',
      access_token,
      fetch: service,
      concurrency,
      timeout_ms,
      retry,
    });
    return {
      client: Object.assign(client, { sql: sqlOf(store) }),
      store,
      async close() {
        try {
          await imports.close();
        } finally {
          await store.close();
        }
      },
    };
  } catch (error) {
    await store.close().catch(() => {});
    throw error;
  }
}

const DEMO_SOURCES = [SOURCES.vegaWeather, SOURCES.playfairWheat, SOURCES.nassCornStates];

/** Checks whether every source in the demo data set has a series. A failed import leaves no series. */
async function hasDemo(store: Store): Promise<boolean> {
  const present = new Set((await store.sourceImports()).map(({ sourceId }) => sourceId));
  return DEMO_SOURCES.every(({ id }) => present.has(id));
}
