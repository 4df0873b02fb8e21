import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as ClickHouse from '@clickhouse/client';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { StoreError } from '../../../model/errors.js';
import type { ClickHouseAddress, Credentials } from './address.js';

/** A server says so often how far a query is, and more often where less patience is had. */
const PROGRESS_MS = 10_000;
const MAX_CONNECTIONS = 64;
/** Each report of progress is a header. */
const MAX_HEADER_BYTES = 1 << 20;

/** Independent of the profile of a user. */
const SETTINGS: ClickHouseSettings = {
  output_format_json_quote_64bit_integers: 0,
  // Lists of ids are written into statements.
  max_query_size: '100000000',
  send_progress_in_http_headers: 1,
  async_insert: 0,
  mutations_sync: '2',
  lightweight_deletes_sync: '2',
};

/** A server, and for how long it may say nothing. */
interface Server {
  /** `host:port`. */
  readonly name: string;
  readonly address: ClickHouseAddress;
  readonly credentials: Credentials;
  readonly quietMs: number;
}

/** ClickHouse's client of one server, which logs nothing. */
export function connectClient({ name, address, credentials, quietMs }: Server): ClickHouseClient {
  const { createClient, ClickHouseLogLevel } = loadClickHouse();
  const { user, password, ca } = credentials;
  return createClient({
    url: `${address.tls ? 'https' : 'http'}://${name}`,
    username: user,
    password,
    database: address.database,
    application: 'cropframe',
    request_timeout: quietMs,
    max_open_connections: MAX_CONNECTIONS,
    max_response_headers_size: MAX_HEADER_BYTES,
    // A process that was busy for seconds would send a request into a connection that the server has closed.
    keep_alive: { enabled: true, eagerly_destroy_stale_sockets: true },
    compression: { request: false, response: false },
    clickhouse_settings: {
      ...SETTINGS,
      http_headers_progress_interval_ms: String(Math.min(PROGRESS_MS, Math.ceil(quietMs / 6))),
    },
    log: { level: ClickHouseLogLevel.OFF },
    ...(address.tls && ca !== null && { tls: { ca_cert: ca } }),
  });
}

const PACKAGE = '@clickhouse/client';

/**
 * ClickHouse's client, which is installed only where a store is kept in ClickHouse: from the project that cropframe is
 * installed in, else from the project of the working directory.
 * @throws StoreError when it is in neither
 */
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
  throw new StoreError(`a store in ClickHouse needs the package ${PACKAGE}; run "npm install ${PACKAGE}"`);
}
