/** What the files of one room may reach. */
export interface Room {
  /** Rooms whose files may be imported; a room may always import itself. */
  readonly imports: readonly string[];
  /**
   * Packages, each allowed either in the whole room, or only in the files whose path begins with one of the given texts.
   * `node:*` stands for all of Node's own modules; a room that names none of them runs in a browser as it is.
   */
  readonly packages: Readonly<Record<string, 'anywhere' | readonly string[]>>;
  /** Packages of which only types may be imported, so that nothing is loaded. */
  readonly packageTypes?: readonly string[];
}

/** Every room of `src`. Change this table when the design changes; do not route around it. */
export const ROOMS: Readonly<Record<string, Room>> = {
  model: { imports: [], packages: {} },
  compute: { imports: ['model'], packages: { 'simple-statistics': 'anywhere' } },
  contract: { imports: ['model'], packages: { zod: 'anywhere', 'apache-arrow': 'anywhere' } },
  store: {
    imports: ['model', 'compute'],
    packages: {
      '@duckdb/node-api': ['store/duckdb/'],
      '@clickhouse/client': ['store/clickhouse/'],
      'node:*': 'anywhere',
    },
  },
  ingest: {
    imports: ['model', 'compute', 'store'],
    packages: {
      '@duckdb/node-api': ['ingest/csv/parquet'],
      'countries-list': 'anywhere',
      'd3-geo': 'anywhere',
      'iso-3166': 'anywhere',
      saxes: 'anywhere',
      'topojson-client': 'anywhere',
      'us-atlas': 'anywhere',
      'vega-datasets': 'anywhere',
      'world-atlas': 'anywhere',
      yauzl: 'anywhere',
      'node:*': 'anywhere',
    },
    packageTypes: ['geojson', 'topojson-specification'],
  },
  service: {
    imports: ['model', 'compute', 'contract', 'store'],
    packages: {
      hono: 'anywhere',
      '@hono/node-server': 'anywhere',
      'node:*': 'anywhere',
    },
  },
  client: {
    imports: ['model', 'compute', 'contract'],
    packages: {
      'p-limit': 'anywhere',
      'node:crypto': ['client/disk-cache.ts'],
      'node:fs': ['client/disk-cache.ts'],
      'node:path': ['client/disk-cache.ts'],
    },
    packageTypes: ['apache-arrow', 'zod'],
  },
  frame: {
    imports: ['model'],
    packages: {
      'apache-arrow': 'anywhere',
      'parquet-wasm': ['frame/parquet', 'frame/write-parquet'],
      'danfojs-node': ['frame/danfo'],
      'node:crypto': ['frame/checksum.ts'],
      'node:fs': ['frame/write'],
      'node:module': ['frame/danfo'],
      'node:url': ['frame/danfo'],
    },
  },
  saved: {
    imports: ['model', 'compute', 'client', 'frame'],
    packages: { 'p-limit': 'anywhere' },
    packageTypes: ['apache-arrow'],
  },
  agronomy: {
    imports: ['model', 'compute', 'client', 'frame', 'saved'],
    packages: { 'simple-statistics': 'anywhere' },
    packageTypes: ['apache-arrow'],
  },
  explorer: { imports: ['model', 'client', 'frame'], packages: {} },
  cli: {
    imports: [
      'model',
      'compute',
      'contract',
      'store',
      'ingest',
      'service',
      'client',
      'frame',
      'saved',
      'agronomy',
      'explorer',
      'root',
    ],
    packages: { commander: 'anywhere', 'node:*': 'anywhere' },
  },
  root: {
    imports: [
      'model',
      'compute',
      'contract',
      'store',
      'ingest',
      'service',
      'client',
      'frame',
      'saved',
      'agronomy',
      'explorer',
    ],
    packages: { 'node:*': ['embedded.ts'] },
  },
};

/** The files directly in `src`, which compose the rooms into what users import, and which of them each may import. */
export const ENTRY_FILES: Readonly<Record<string, readonly string[]>> = {
  'create-client.ts': [],
  'embedded.ts': ['create-client.ts'],
  'index.ts': ['create-client.ts'],
};

/** Words that say nothing about what a file holds. */
export const FORBIDDEN_WORDS = ['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'managers'];

export const MAX_CODE_LINES = 300;
