/** The rooms of `src`, in the order of their data flow, each with the rooms that its files may import. */
export const ROOMS: Readonly<Record<string, string>> = {
  model: '',
  columns: 'model',
  compute: 'model columns',
  search: 'model',
  http: 'model',
  contract: 'model columns',
  store: 'model columns compute',
  ingest: 'model columns compute search http store',
  service: 'model columns compute search contract store',
  client: 'model columns compute http contract',
  frame: 'model columns',
  sql: 'model columns store frame',
  saved: 'model columns compute client frame',
  agronomy: 'model columns compute client frame saved',
  charts: 'model columns frame agronomy',
  explorer: 'model columns compute client frame saved agronomy charts',
  cli: 'model columns compute search http contract store ingest service client frame sql saved agronomy charts root',
  root: 'model columns compute search http contract store ingest service client frame sql saved agronomy charts',
};

/** The entry points: files directly in `src`, each with those of them that it may import. */
export const ENTRY_FILES: Readonly<Record<string, string>> = {
  'agronomy.ts': '',
  'browser.ts': 'compose-client.ts',
  'charts.ts': '',
  'compose-client.ts': '',
  'create-client.ts': 'compose-client.ts',
  'draw-chart.ts': 'create-client.ts draw-views.ts',
  'draw-views.ts': '',
  'embedded.ts': 'create-client.ts',
  'index.ts': 'browser.ts create-client.ts',
  'service.ts': 'draw-chart.ts',
  'sql.ts': '',
};

/** Shelves that may import only some other shelves of their room. */
export const SHELVES: Readonly<Record<string, string>> = {
  'frame/table': '',
  'frame/build': 'frame/table',
  'frame/series': 'frame/table',
  'frame/groups': 'frame/table frame/series',
  'frame/verbs': 'frame/table frame/series frame/groups frame/combine',
  'frame/combine': 'frame/table frame/series frame/groups',
  'frame/formats': 'frame/table frame/build',
  'frame/display': 'frame/table',
};

/** Packages, each with the beginnings of the paths that may import it. A room that imports no `node:` module runs in browsers. */
export const PACKAGES: Readonly<Record<string, string>> = {
  '@clickhouse/client': 'store/clickhouse/',
  '@duckdb/node-api': 'store/duckdb/ store/clickhouse/importing/ ingest/document/typed/parquet',
  '@hono/node-server': 'service/',
  '@modelcontextprotocol/sdk': 'cli/mcp/',
  '@noble/hashes': 'frame/table/checksum.ts',
  '@preact/signals': 'explorer/',
  '@valibot/to-json-schema': 'model/schema/json-schema.ts',
  'apache-arrow':
    'contract/points/write-arrow.ts store/clickhouse/ ingest/document/typed/parquet frame/ sql/',
  commander: 'cli/',
  'd3-geo': 'explorer/',
  'danfojs-node': 'frame/formats/danfo',
  'prom-client': 'service/metrics/service-metrics.ts',
  flatbuffers: 'frame/formats/ipc/messages.ts',
  hono: 'service/',
  hyparquet: 'frame/formats/parquet/read-parquet.ts',
  lz4js: 'frame/formats/ipc/read-ipc.ts',
  node:
    'model/make-folder.ts model/load-optional.ts store/ ingest/ service/ client/http/disk-cache.ts ' +
    'frame/formats/load-in-node.ts frame/formats/write-file.ts cli/ embedded.ts',
  'p-limit': 'store/ service/access/ client/ saved/',
  'parquet-wasm': 'frame/formats/load-in-node.ts frame/formats/parquet/',
  preact: 'explorer/',
  saxes: 'ingest/',
  'simple-statistics': 'compute/ agronomy/',
  'topojson-client': 'explorer/',
  undici: 'ingest/fetching/http-client.ts',
  vega: 'charts/draw.ts explorer/',
  'vega-interpreter': 'charts/draw.ts explorer/',
  'vega-lite': 'charts/draw.ts explorer/',
  'write-excel-file': 'explorer/export/files.ts',
  yauzl: 'ingest/',
  valibot:
    'model/ contract/ store/ ingest/ service/ client/ frame/ sql/ saved/ agronomy/ charts/ cli/ embedded.ts',
};

/** Paths that may import only the types of a package, so that nothing is loaded. */
export const PACKAGE_TYPES: Readonly<Record<string, string>> = {
  '@duckdb/node-api': 'sql/',
  'apache-arrow': 'client/ saved/ agronomy/ charts/ explorer/',
  geojson: 'explorer/',
  'topojson-specification': 'explorer/',
};
