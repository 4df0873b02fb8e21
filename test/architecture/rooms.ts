import { loadImporters } from '../../src/ingest/datasets.js';
import { DOCUMENT_NAMES } from '../../src/ingest/document/documents.js';

/** One folder of `src`: its purpose, and the imports that its files may have. */
export interface Room {
  readonly about: string;
  /** The folders in the room, each with its purpose. */
  readonly shelves?: Readonly<Record<string, string>>;
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

/** Each data set that is no document has a shelf of its name. */
const DATASETS = Object.fromEntries(
  (await loadImporters())
    .filter(({ dataset }) => dataset !== 'csv' && !DOCUMENT_NAMES.includes(dataset))
    .map(({ dataset, summary }) => [dataset, summary]),
);

export const isDataset = (shelf: string): boolean => shelf in DATASETS;

const anywhere = (names: string): Record<string, 'anywhere'> =>
  Object.fromEntries(names.split(' ').map((name) => [name, 'anywhere']));

/** Every room of `src`. Change this table when the design changes; do not route around it. */
export const ROOMS: Readonly<Record<string, Room>> = {
  model: {
    about:
      'entities, series, points, selections, errors, reports, progress, dates and calendars, and the table of units: plain types and values',
    shelves: {
      arguments: 'checks of the values that callers pass',
      names: 'labels that tell series apart; the nearest word',
      importing: 'requests and outcomes of imports, for importers, service and client',
    },
    imports: [],
    packages: { 'node:*': ['model/make-folder.ts'] },
  },
  columns: {
    about: 'validity bitmaps, dates and packed points in typed arrays; no Arrow',
    imports: ['model'],
    packages: {},
  },
  compute: {
    about:
      'pure rules over columns: as-of, units, null filling, ranking by coverage, weighting across regions; polygons and nearest places',
    imports: ['model', 'columns'],
    packages: { 'simple-statistics': 'anywhere' },
  },
  search: {
    about: 'words to ids: word folding, synonyms, fuzzy matching, the order of hits',
    shelves: { indexing: 'the index of names, and its form on disk' },
    imports: ['model'],
    packages: {},
  },
  contract: {
    about:
      'the wire: endpoints, parameters, JSON shapes as zod schemas, problems, the reading of the JSON base',
    shelves: {
      requests: 'queries and bodies of requests',
      openapi: 'the OpenAPI document with its examples; clients do not load it',
      points: 'points as runs between our service and our client, and written as Arrow for other tools',
    },
    imports: ['model', 'columns'],
    packages: { zod: 'anywhere', 'apache-arrow': ['contract/points/write-arrow.ts'] },
  },
  store: {
    about:
      'the `Store` interface, the plans and the SQL of both engines, containment, the file of users and tokens',
    shelves: {
      packing: 'points of an engine → packed points',
      duckdb:
        'the embedded store: `engine` opens the database, `reading` queries it, `staging` and `writing` import, `backup` copies and restores',
      clickhouse:
        'the store on ClickHouse servers: `engine` talks to the servers, `reading` queries them, `workspace` is the temporary DuckDB store of an import, `writing` and `committing` import',
      queries: 'queries that both engines run, and the rows that they return alike',
      copying: '`store copy`, and the comparison of all points',
    },
    imports: ['model', 'columns', 'compute'],
    packages: {
      '@duckdb/node-api': ['store/duckdb/', 'store/clickhouse/workspace/', 'store/clickhouse/writing/'],
      '@clickhouse/client': ['store/clickhouse/'],
      'apache-arrow': ['store/clickhouse/'],
      'node:*': 'anywhere',
    },
  },
  ingest: {
    about: 'the `Importer` interface, `importDataset`, the list of data sets, reference data, dry runs',
    shelves: {
      ...DATASETS,
      document:
        'the language of data sets: documents, what they mean for a table, and drafts of documents for unknown tables',
      reading: 'files, archives, lines and cells',
      fetching: 'files from the web: addresses, requests, resumed downloads, the cache',
      batch: 'what texts name, on its way to the store; ids derived from names',
      vocabulary: 'our own metrics, items, units and sources',
      regions:
        'the regions of every store, read from the file that the build makes; ids, names and places of regions',
      hooks: 'functions that documents name, a file for each data set',
      usda: 'US marketing years and release dates',
    },
    imports: ['model', 'columns', 'compute', 'search', 'store'],
    packages: {
      '@duckdb/node-api': ['ingest/document/typed/parquet'],
      'apache-arrow': ['ingest/document/typed/parquet'],
      saxes: 'anywhere',
      undici: ['ingest/fetching/http-client.ts'],
      yauzl: 'anywhere',
      zod: ['ingest/document/form.ts', 'ingest/document/key-schemas.ts', 'ingest/fetching/fetch-keys.ts'],
      'node:*': 'anywhere',
    },
  },
  service: {
    about: '`createService(store)`: `(Request) => Promise<Response>`; one file of handlers for each noun',
    shelves: {
      http: 'reading requests, routing, answers, ETags, compression, the socket',
      log: 'the access log',
      access: 'tokens, passwords, logins, limits, other sites, admission',
      page: 'the page at `/` and the documentation at `/docs`',
      metrics: 'Prometheus metrics',
      cache: 'names, series, places and drawn charts of one store version',
      upkeep: 'imports and backups while serving',
      points: '`/v2/data`: plan, match, read, encode',
    },
    imports: ['model', 'columns', 'compute', 'search', 'contract', 'store'],
    packages: { hono: 'anywhere', '@hono/node-server': 'anywhere', 'node:*': 'anywhere' },
  },
  client: {
    about: 'the operations, one file for each noun',
    shelves: {
      http: 'requests: transport, retries, timeouts, caches',
      sending: 'how a request leaves: `fetch`, or `node:http` to the same machine',
      points: 'batches of points, and their reports',
      upkeep: 'imports and backups of a service',
      discovery: 'finding and ranking series by name',
    },
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
    about: 'Arrow tables of points: build, transform, combine, show, read and write',
    shelves: {
      table: 'columns, series, names and provenance of a frame',
      build: 'points → long and wide frames',
      series: 'the series of a frame as arrays, and frames of such series',
      groups: 'rows in groups and in order: codes of values, aggregates, windows, sorting, over typed arrays',
      verbs: 'table → table',
      combine: 'several frames → one',
      formats: 'Arrow, CSV, Danfo, JSON, Parquet, rows, xlsx; checks of untrusted bytes',
      display: 'text, HTML, sparklines, summaries, progress',
    },
    imports: ['model', 'columns'],
    packages: {
      'apache-arrow': 'anywhere',
      '@noble/hashes': ['frame/table/checksum.ts'],
      flatbuffers: ['frame/formats/ipc/messages.ts'],
      'parquet-wasm': ['frame/formats/load-in-node.ts', 'frame/formats/parquet/'],
      'danfojs-node': ['frame/formats/danfo'],
      '@bokuweb/zstd-wasm': ['frame/formats/load-in-node.ts'],
      'node:fs': ['frame/formats/load-in-node.ts', 'frame/formats/write-file.ts'],
      'node:module': ['frame/formats/load-in-node.ts', 'frame/formats/optional-package.ts'],
      'node:path': ['frame/formats/load-in-node.ts'],
      'node:url': ['frame/formats/optional-package.ts'],
    },
  },
  sql: {
    about: "questions in DuckDB's SQL over frames and other Arrow tables",
    imports: ['model', 'columns', 'store', 'frame'],
    packages: { 'apache-arrow': 'anywhere' },
    packageTypes: ['@duckdb/node-api'],
  },
  saved: {
    about: 'saved series, `getDf`, `refreshDf` and `writeDf`; everything that a service has, as a frame',
    shelves: { fetch: 'the concurrent fan-out' },
    imports: ['model', 'columns', 'compute', 'client', 'frame'],
    packages: { 'p-limit': 'anywhere' },
    packageTypes: ['apache-arrow'],
  },
  agronomy: {
    about: 'degree days, crop weights and weather statistics',
    shelves: {
      'degree-days': 'pure: methods, cut-offs, accumulation, seasons, climatology',
      weighting: 'region weights; means and sums of a frame across regions',
      weather:
        'pure: days beyond thresholds, frosts, seasons, spells, evapotranspiration, precipitation index',
      frames: 'degree days and statistics of every region and season of a frame',
      models: 'the same, requested from a client by name',
    },
    imports: ['model', 'columns', 'compute', 'client', 'frame', 'saved'],
    packages: { 'simple-statistics': 'anywhere' },
    packageTypes: ['apache-arrow'],
  },
  charts: {
    about:
      'Vega-Lite specifications, one kind of chart a file; their texts, colours and panels; drawing them',
    imports: ['model', 'columns', 'frame', 'agronomy'],
    packages: {
      vega: ['charts/draw.ts'],
      'vega-interpreter': ['charts/draw.ts'],
      'vega-lite': ['charts/draw.ts'],
    },
    packageTypes: ['apache-arrow'],
  },
  explorer: {
    about: 'the page that `cropframe serve` shows, in TSX with Preact: its state, panels and controls',
    shelves: {
      state: 'the state that a link restores, and the data loaded for it',
      find: 'search, facets, the chosen series',
      chart: 'the panel of charts',
      table: 'the panel of tables',
      map: 'the panel of maps',
      revisions: 'the panel of revisions',
      'degree-days': 'the panel of degree days',
      weights: 'the panel of crop weights',
      export: 'files, code, links and citations',
      controls: 'fields, tabs, dialogs and lists by their ARIA patterns; numbers and dates by locale',
      styles: 'style sheets',
    },
    imports: ['model', 'columns', 'compute', 'client', 'frame', 'saved', 'agronomy', 'charts'],
    packages: {
      ...anywhere('@preact/signals d3-geo preact topojson-client vega vega-interpreter vega-lite'),
    },
    packageTypes: ['apache-arrow', 'geojson', 'topojson-specification'],
  },
  cli: {
    about: 'the command `cropframe`: its subcommands, options and messages',
    shelves: {
      commands: 'subcommands: arguments, options, help; loads no store, service or Arrow',
      actions: 'the work of each subcommand, loaded when it runs',
      options: 'options that commands share',
      connection: 'a client over a service or a store file; copies of a store file',
      choice: 'series and units from words',
      importing: 'files, progress, report and rejects of imports',
      terminal: 'output, frames, tables, passwords, exit codes',
      mcp: 'the server for assistants, and its tools',
    },
    imports: (
      'model columns compute search contract store ingest service client frame sql saved ' +
      'agronomy charts root'
    ).split(' '),
    packages: {
      commander: 'anywhere',
      '@modelcontextprotocol/sdk': ['cli/mcp/'],
      zod: ['cli/mcp/'],
      'node:*': 'anywhere',
    },
  },
  root: {
    about: 'entry points, and the composition of a client',
    imports: (
      'model columns compute search contract store ingest service client frame sql saved ' + 'agronomy charts'
    ).split(' '),
    packages: { 'node:*': ['embedded.ts'] },
  },
};

/** The files directly in `src`, which compose the rooms into what users import, and which of them each may import. */
export const ENTRY_FILES: Readonly<Record<string, readonly string[]>> = {
  'agronomy.ts': [],
  'browser.ts': ['compose-client.ts'],
  'charts.ts': [],
  'compose-client.ts': [],
  'create-client.ts': ['compose-client.ts'],
  'draw-chart.ts': ['create-client.ts'],
  'embedded.ts': ['create-client.ts'],
  'index.ts': ['browser.ts', 'create-client.ts'],
  'ingest.ts': [],
  'service.ts': ['draw-chart.ts'],
  'sql.ts': [],
  'store.ts': [],
};

/**
 * Shelves that may import only some other shelves of their room. Files directly in the room and shelves that are not
 * listed are free.
 */
export const SHELVES: Readonly<Record<string, readonly string[]>> = {
  'frame/table': [],
  'frame/build': ['frame/table'],
  'frame/series': ['frame/table'],
  'frame/groups': ['frame/table', 'frame/series'],
  'frame/verbs': ['frame/table', 'frame/series', 'frame/groups', 'frame/combine'],
  'frame/combine': ['frame/table', 'frame/series', 'frame/groups'],
  'frame/formats': ['frame/table', 'frame/build'],
  'frame/display': ['frame/table'],
};

/** Words that say nothing about what a file holds. */
export const FORBIDDEN_WORDS = ['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'managers'];
