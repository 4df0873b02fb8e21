import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as ClickHouse from '@clickhouse/client';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { StoreError } from '../../../model/errors.js';
import type { ClickHouseAddress, Credentials } from './address.js';

/** Maximum interval at which a server reports a query's progress. It is shorter if the timeout is short. */
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

interface Server {
  /** `host:port`. */
  readonly name: string;
  readonly address: ClickHouseAddress;
  readonly credentials: Credentials;
  readonly quietMs: number;
}

/** Creates a ClickHouse client for one server. It logs nothing. */
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

/**
 * Loads the ClickHouse client, which is installed only for ClickHouse stores. It is looked up in the project in which
 * cropframe is installed, and then in the working directory's project.
 * @throws StoreError if it is not installed in either project
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
  throw new StoreError(`a ClickHouse store needs the package ${PACKAGE}; run "npm install ${PACKAGE}"`);
}
