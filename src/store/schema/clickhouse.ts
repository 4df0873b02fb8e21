import {
  COMMON_COLUMNS,
  type Columns,
  type ColumnType,
  ENTITY_TABLES,
  IMPORT_TABLES,
  KEYS,
  LAYOUT,
  POINT_COLUMNS,
} from './tables.js';

type Types = Readonly<Record<string, string>>;

interface Table {
  readonly name: string;
  /** The columns, except those that `importColumns` adds. */
  readonly columns: Types;
  readonly codecs?: Types;
  readonly orderBy: string;
  /** The columns of `orderBy` that form the primary index; by default, all of them. */
  readonly primaryKey?: string;
  /** The non-null columns that identify a row, if later imports may replace rows. */
  readonly key?: string | undefined;
  /** Data-skipping indexes on columns other than the first one in `orderBy`. */
  readonly indexes?: readonly string[];
  /** The table engine and, if the table has partitions, the partition key; `MergeTree` by default. */
  readonly engine?: string;
  readonly settings?: readonly string[];
  /** Whether every server has the table; otherwise, only the first server has it. */
  readonly isEverywhere?: boolean;
  readonly imported?: boolean;
}

/** ClickHouse's column types. Dates are stored as UTC milliseconds because no date type covers years such as 1565. */
const TYPES: Readonly<Record<ColumnType, string>> = {
  integer: 'Int32',
  number: 'Float64',
  text: 'String',
  boolean: 'Bool',
  date: 'Int64',
};

function typesOf(columns: Columns, isNullable: (name: string) => boolean): Types {
  const types = Object.entries(columns).map(([name, type]) => [
    name,
    isNullable(name) ? `Nullable(${TYPES[type]})` : TYPES[type],
  ]);
  return Object.fromEntries(types);
}

const ENTITIES = Object.values(ENTITY_TABLES).map(({ table }) => table);

const NEVER_NULL = new Set(['id', 'name', 'aliases']);

const isNullable = (table: string) => (column: string) =>
  ENTITIES.includes(table) ? !NEVER_NULL.has(column) : column in COMMON_COLUMNS || column === 'fetched_at';

/** Defines a table to which imports write. `more.columns` are columns that the table has only in ClickHouse. */
const importTable = (name: string, more: Partial<Table> & Pick<Table, 'orderBy'>): Table => ({
  name,
  key: KEYS[name]?.join(', '),
  imported: true,
  ...more,
  columns: { ...typesOf(IMPORT_TABLES[name]!, isNullable(name)), ...more.columns },
});

/** The columns of points. A missing value is stored as NaN, and a missing date as the minimum Int64. */
const POINT = typesOf(POINT_COLUMNS, () => false);

const POINT_CODECS: Types = {
  ...Object.fromEntries(Object.keys(POINT).map((name) => [name, 'Delta, LZ4'])),
  value: 'ZSTD(1)',
  unit_id: 'LZ4',
  metadata: 'ZSTD(1)',
};

/** The tables to which imports write. Most have the same names as in DuckDB. */
const IMPORTED: readonly Table[] = [
  ...ENTITIES.map((name) => importTable(name, { orderBy: 'id' })),
  importTable('containment', { orderBy: 'entity_type, parent, child' }),
  importTable('shape', {
    orderBy: 'region_id, detail',
    codecs: { geojson: 'ZSTD(3)' },
    settings: ['index_granularity = 64'],
  }),
  // In DuckDB, superseded vintages and units have tables of their own instead of the columns `vintages` and `units`.
  importTable('series', {
    columns: { vintages: 'Int32', units: 'Array(Int32)' },
    orderBy: `${LAYOUT.join(', ')}, handle`,
    indexes: [
      'INDEX by_region region_id TYPE bloom_filter GRANULARITY 1',
      'INDEX by_handle handle TYPE minmax GRANULARITY 1',
      'INDEX by_replaced replaces TYPE minmax GRANULARITY 1',
    ],
  }),
  importTable('known_batch', { orderBy: 'digest' }),
  importTable('source_import', { orderBy: 'source_id' }),
  // A row without a date means that the record of the download was removed.
  importTable('stored_fetch', { orderBy: 'dataset, request' }),
  {
    name: 'point',
    columns: POINT,
    codecs: POINT_CODECS,
    orderBy: 'series, start_date, end_date, reporting_date, available_date, import',
    primaryKey: 'series, start_date',
    isEverywhere: true,
    imported: true,
    // This index finds an import's rows without reading the rows of other imports.
    indexes: ['INDEX by_import import TYPE minmax GRANULARITY 4'],
    // Among 20 million points, one series or 100 scattered series are read faster than with a granularity of 8192.
    settings: [
      'index_granularity = 2048',
      'min_compress_block_size = 16384',
      'max_compress_block_size = 131072',
    ],
  },
];

/** The time when a row was added, according to the server's clock, which all processes share. */
const NOW_US = 'Int64 DEFAULT toUnixTimestamp64Micro(now64(6))';
const NOW_MS = 'Int64 DEFAULT toUnixTimestamp64Milli(now64(3))';

/** Tables for the store's internal records. Most are append-only: the latest row with a key is the current one. */
const OWN: readonly Table[] = [
  // Staged points that must be compared with stored points. Each import has a partition, which is dropped as a whole.
  {
    name: 'staged_point',
    columns: { ...POINT, import: 'UInt32' },
    codecs: POINT_CODECS,
    orderBy: 'series, start_date',
    engine: 'MergeTree PARTITION BY import',
    isEverywhere: true,
  },
  // Identifies the store and the server's position in it, so that servers listed in the wrong order are refused.
  {
    name: 'shard_meta',
    columns: {
      store_id: 'String',
      schema_version: 'UInt32',
      position: 'UInt32',
      shards: 'UInt32',
      created_ms: 'Int64',
    },
    orderBy: 'store_id',
    isEverywhere: true,
  },
  // The start and the end of each import. The server stores only the first row that is inserted with a given token.
  {
    name: 'import_log',
    columns: {
      import: 'UInt32',
      importer: 'String',
      state: `Enum8('begun' = 1, 'committed' = 2, 'abandoned' = 3)`,
      at_ms: NOW_MS,
    },
    orderBy: 'import, state',
    settings: ['non_replicated_deduplication_window = 1000'],
  },
  // The last heartbeat of each import.
  {
    name: 'import_beat',
    columns: { import: 'UInt32', at_ms: NOW_MS },
    orderBy: 'import',
    engine: 'ReplacingMergeTree',
  },
  {
    name: 'access',
    columns: {
      kind: `Enum8('user' = 1, 'token' = 2)`,
      id: 'String',
      json: 'String',
      revoked: 'Bool',
      changed_us: NOW_US,
    },
    orderBy: 'id, changed_us',
  },
  {
    name: 'kept',
    columns: { name: 'String', base64: 'String', changed_us: NOW_US },
    codecs: { base64: 'ZSTD(1)' },
    orderBy: 'name',
    engine: 'ReplacingMergeTree(changed_us)',
  },
];

export const TABLES: readonly Table[] = [...IMPORTED, ...OWN];

export function tablesOf(position: number): readonly Table[] {
  return position === 0 ? TABLES : TABLES.filter(({ isEverywhere }) => isEverywhere);
}

export const tableOf = (name: string): Table => TABLES.find((table) => table.name === name)!;

export const columnsOf = (name: string): readonly string[] => Object.keys(tableOf(name).columns);

/** Returns columns for the row's import number and, in tables with a key, the replaced row's import number or null. */
function importColumns({ imported, key }: Table): string[] {
  return [
    ...(imported ? ['import UInt32 CODEC(Delta, LZ4)'] : []),
    ...(key === undefined ? [] : ['replaces Nullable(UInt32) CODEC(LZ4)']),
  ];
}

export function createTable(table: Table, name = table.name): string {
  const { columns, codecs = {}, orderBy, primaryKey = orderBy, indexes = [], settings = [] } = table;
  const own = Object.entries(columns).map(
    ([column, type]) => `${column} ${type}${column in codecs ? ` CODEC(${codecs[column]})` : ''}`,
  );
  return [
    `CREATE TABLE IF NOT EXISTS ${name} (\n  ${[...own, ...importColumns(table), ...indexes].join(',\n  ')})`,
    `ENGINE = ${table.engine ?? 'MergeTree'} PRIMARY KEY (${primaryKey}) ORDER BY (${orderBy})`,
    ...(settings.length === 0 ? [] : [`SETTINGS ${settings.join(', ')}`]),
  ].join('\n');
}
