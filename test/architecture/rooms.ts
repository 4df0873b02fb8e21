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
  /** With `root` among the imports: the only files of it that may be imported; all by default. */
  readonly entries?: readonly string[];
}

/** Every room of `src`. Change this table when the design changes; do not route around it. */
export const ROOMS: Readonly<Record<string, Room>> = {
  model: { imports: [], packages: {} },
  columns: { imports: ['model'], packages: {} },
  compute: { imports: ['model', 'columns'], packages: { 'simple-statistics': 'anywhere' } },
  search: { imports: ['model'], packages: {} },
  contract: { imports: ['model', 'columns'], packages: { zod: 'anywhere', 'apache-arrow': 'anywhere' } },
  store: {
    imports: ['model', 'columns', 'compute'],
    packages: {
      '@duckdb/node-api': [
        'store/duckdb/',
        'store/clickhouse/workspace/',
        'store/clickhouse/writing/',
        'store/copying/',
      ],
      '@clickhouse/client': ['store/clickhouse/'],
      'apache-arrow': ['store/clickhouse/'],
      'node:*': 'anywhere',
    },
  },
  ingest: {
    imports: ['model', 'columns', 'compute', 'search', 'store'],
    packages: {
      '@duckdb/node-api': ['ingest/csv/typed/parquet'],
      'countries-list': 'anywhere',
      'd3-geo': 'anywhere',
      'iso-3166': 'anywhere',
      saxes: 'anywhere',
      'topojson-client': 'anywhere',
      'us-atlas': 'anywhere',
      'world-atlas': 'anywhere',
      'read-excel-file': ['ingest/csv/typed/workbook-file.ts'],
      undici: ['ingest/fetching/http-client.ts'],
      yauzl: 'anywhere',
      'node:*': 'anywhere',
    },
    packageTypes: ['geojson', 'topojson-specification'],
  },
  service: {
    imports: ['model', 'columns', 'compute', 'search', 'contract', 'store'],
    packages: {
      hono: 'anywhere',
      '@hono/node-server': 'anywhere',
      'node:*': 'anywhere',
    },
  },
  client: {
    imports: ['model', 'columns', 'compute', 'contract'],
    packages: {
      'p-limit': 'anywhere',
      'node:crypto': ['client/http/disk-cache.ts'],
      'node:fs': ['client/http/disk-cache.ts'],
      'node:http': ['client/sending/node-send.ts'],
      'node:path': ['client/http/disk-cache.ts'],
      'node:stream': ['client/sending/node-send.ts'],
      'node:zlib': ['client/sending/node-send.ts'],
    },
    packageTypes: ['apache-arrow', 'zod'],
  },
  frame: {
    imports: ['model', 'columns'],
    packages: {
      'apache-arrow': 'anywhere',
      jsep: ['frame/expression/parse.ts'],
      'parquet-wasm': ['frame/formats/parquet/'],
      'danfojs-node': ['frame/formats/danfo'],
      'node:fs': ['frame/formats/write-file.ts'],
      'node:module': ['frame/formats/optional-package.ts'],
      'node:url': ['frame/formats/optional-package.ts'],
    },
  },
  saved: {
    imports: ['model', 'columns', 'compute', 'client', 'frame'],
    packages: { 'p-limit': 'anywhere' },
    packageTypes: ['apache-arrow'],
  },
  agronomy: {
    imports: ['model', 'columns', 'compute', 'client', 'frame', 'saved'],
    packages: { 'simple-statistics': 'anywhere' },
    packageTypes: ['apache-arrow'],
  },
  charts: {
    imports: ['model', 'columns', 'frame', 'agronomy'],
    packages: {
      vega: ['charts/render-svg.ts'],
      'vega-interpreter': ['charts/render-svg.ts'],
      'vega-lite': ['charts/render-svg.ts'],
    },
    packageTypes: ['apache-arrow'],
  },
  explorer: {
    imports: ['root', 'model'],
    entries: ['agronomy.ts', 'browser.ts', 'charts.ts', 'frame.ts'],
    packages: {
      '@preact/signals': 'anywhere',
      'd3-geo': 'anywhere',
      preact: 'anywhere',
      'topojson-client': 'anywhere',
      vega: 'anywhere',
      'vega-interpreter': 'anywhere',
      'vega-lite': 'anywhere',
    },
    packageTypes: ['apache-arrow', 'geojson', 'topojson-specification'],
  },
  cli: {
    imports: [
      'model',
      'columns',
      'compute',
      'search',
      'contract',
      'store',
      'ingest',
      'service',
      'client',
      'frame',
      'saved',
      'agronomy',
      'charts',
      'root',
    ],
    packages: {
      commander: 'anywhere',
      '@modelcontextprotocol/sdk': ['cli/mcp/'],
      zod: ['cli/mcp/'],
      'node:*': 'anywhere',
    },
  },
  root: {
    imports: [
      'model',
      'columns',
      'compute',
      'search',
      'contract',
      'store',
      'ingest',
      'service',
      'client',
      'frame',
      'saved',
      'agronomy',
      'charts',
    ],
    packages: { 'node:*': ['embedded.ts'] },
  },
};

/** The files directly in `src`, which compose the rooms into what users import, and which of them each may import. */
export const ENTRY_FILES: Readonly<Record<string, readonly string[]>> = {
  'agronomy.ts': [],
  'browser.ts': ['compose-client.ts'],
  'charts.ts': [],
  'client-arguments.ts': ['client-option-keys.ts'],
  'client-option-keys.ts': [],
  'compose-client.ts': ['client-arguments.ts'],
  'create-client.ts': ['compose-client.ts'],
  'embedded.ts': ['create-client.ts'],
  'frame.ts': [],
  'index.ts': ['create-client.ts'],
  'ingest.ts': [],
  'service.ts': [],
  'store.ts': [],
};

/**
 * Folders within a room, and the other folders of it that each may import. Files directly in the room and folders that
 * are not listed are free.
 */
export const SHELVES: Readonly<Record<string, readonly string[]>> = {
  'frame/table': [],
  'frame/build': ['frame/table'],
  'frame/series': ['frame/table'],
  'frame/expression': [],
  'frame/verbs': ['frame/table', 'frame/series', 'frame/expression'],
  'frame/combine': ['frame/table', 'frame/series'],
  'frame/formats': ['frame/table', 'frame/build'],
  'frame/display': ['frame/table'],
};

/** Modules imported for their effect: an entry file that loads `of` must load `needs` too. */
export const EFFECTS: readonly { readonly of: string; readonly needs: string }[] = [
  { of: 'frame/table/frame-table.ts', needs: 'frame/display/show-frames.ts' },
];

/** Words that say nothing about what a file holds. */
export const FORBIDDEN_WORDS = ['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'managers'];
