import * as v from 'valibot';
import { CLIENT_KEYS } from './client/client.js';
import { type Client, createClient } from './create-client.js';
import { importerOf } from './ingest/datasets.js';
import { importDataset } from './ingest/import-dataset.js';
import { importsIn } from './ingest/import-host.js';
import { SOURCES } from './ingest/vocabulary/sources.js';
import { makeFolderOf } from './model/make-folder.js';
import type { LongOperation } from './model/progress.js';
import { checkOptions, type OptionsOf } from './model/schema/check.js';
import { LONG_OPERATION } from './model/schema/fields.js';
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
  /** Maximum number of concurrent requests; default 10. */
  concurrency: CLIENT_KEYS.concurrency,
  /** Maximum time without receiving a byte from the service, in milliseconds; default one minute. */
  timeout_ms: CLIENT_KEYS.timeout_ms,
  /** The number of retries of a failed request, and the waits between them; by default four retries. */
  retry: CLIENT_KEYS.retry,
  /** The store's file, or the address of a ClickHouse store. Without it, the store is in memory. */
  path: TEXT,
  /** Opens the store for reading only, which several processes can do at once. Imports are refused. Default false. */
  read_only: v.boolean(),
  /** Creates the file if it is absent. Default false, or true with `demo`. */
  create: v.boolean(),
  /** Imports the demo data set, unless the store already has it. */
  demo: v.boolean(),
};
/** Options of an embedded service. */
export interface EmbeddedOptions extends LongOperation, OptionsOf<typeof EMBEDDED_KEYS> {}

/** A client that can also query its store in SQL. */
export interface EmbeddedClient extends Client {
  /**
   * Queries the store in DuckDB's SQL, by names, together with your own tables. It has the views `data`, `history`,
   * `series`, `regions`, `units` and `sources`, and the macros `as_of(date)` and `convert(value, unit, unit)`. It reads
   * nothing else. The answer is an Arrow table with the sources of the store and of the tables.
   * @throws ArgumentError if the query is not a single SELECT, reads anything else, or the engine rejects it, with its
   * reason
   * @example
   * ```ts
   * const rain = await client.sql()`SELECT region, sum(value) AS rain FROM data WHERE item = ${'Precipitation'} GROUP BY ALL`;
   * ```
   */
  readonly sql: AskStore;
}

/** The whole service in this process: its client and its store. */
export interface Embedded {
  /** A client of the service, which can import with `importFiles` and query the store with `sql`. */
  readonly client: EmbeddedClient;
  /** The store that the service reads. */
  readonly store: Store;
  /** Closes the store. */
  close(): Promise<void>;
}

/**
 * Runs the whole service in this process, without a socket: opens the store, and returns a client with its own token.
 * @throws StoreError if the path has no store and `create` is not set, or the store is damaged or in use; the signal's
 * reason if aborted, after which the store can be opened again
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

/** Checks whether every source of the demo data set has a series. A failed import leaves none. */
async function hasDemo(store: Store): Promise<boolean> {
  const present = new Set((await store.sourceImports()).map(({ sourceId }) => sourceId));
  return DEMO_SOURCES.every(({ id }) => present.has(id));
}
