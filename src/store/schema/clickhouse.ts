import type { Columns, ColumnType } from './columns.js';
import { ENTITY_TABLES } from './entity-tables.js';
import { COMMON_COLUMNS, LAYOUT, OTHER_TABLES } from './tables.js';

/** The types of columns in ClickHouse. */
type Types = Readonly<Record<string, string>>;

/** A table of a store on servers. */
interface Table {
  readonly name: string;
  /** Its own columns, without those that imports add. */
  readonly columns: Types;
  /** Codecs of its columns, where they are not the server's. */
  readonly codecs?: Types;
  /** The order of its rows, by which they are found without reading the others. */
  readonly orderBy: string;
  /** The columns of `orderBy` by which rows are found; all of them by default. */
  readonly primaryKey?: string;
  /** The columns that identify a row, none of them null, where a later import may replace it. */
  readonly key?: string;
  /** Indexes of columns that are not the first to be ordered by. */
  readonly indexes?: readonly string[];
  readonly partitionBy?: string;
  /** `MergeTree` by default. */
  readonly engine?: string;
  readonly settings?: readonly string[];
  /** Whether each server has it, or only the first one. */
  readonly isEverywhere?: boolean;
  /** Whether imports bring its rows, each with the number of its import. */
  readonly imported?: boolean;
}

/** Dates are UTC milliseconds, because no date type spans 1565. */
const TYPES: Readonly<Record<ColumnType, string>> = {
  integer: 'Int32',
  number: 'Float64',
  text: 'String',
  boolean: 'Bool',
  date: 'Int64',
};

/** Returns the types of the columns of every engine. */
function typesOf(columns: Columns, isNullable: (name: string) => boolean): Types {
  const types = Object.entries(columns).map(([name, type]) => [
    name,
    isNullable(name) ? `Nullable(${TYPES[type]})` : TYPES[type],
  ]);
  return Object.fromEntries(types);
}

const NEVER_NULL = new Set(['id', 'name', 'aliases']);

const ENTITIES: readonly Table[] = Object.values(ENTITY_TABLES).map(({ table, columns }) => ({
  name: table,
  columns: typesOf(columns, (name) => !NEVER_NULL.has(name)),
  orderBy: 'id',
  key: 'id',
  imported: true,
}));

/** Returns a table that DuckDB has too. */
const other = (name: keyof typeof OTHER_TABLES, more: Omit<Table, 'name' | 'columns'>): Table => ({
  name,
  columns: typesOf(OTHER_TABLES[name], (column) => column in COMMON_COLUMNS || column === 'fetched_at'),
  imported: true,
  ...more,
});

/** The columns of points, in the order of `POINT_COLUMNS`. A missing value is NaN, and no date the minimum of Int64. */
const POINT: Types = {
  series: 'Int32',
  start_date: 'Int64',
  end_date: 'Int64',
  value: 'Float64',
  unit_id: 'Int32',
  reporting_date: 'Int64',
  available_date: 'Int64',
  metadata: 'String',
};

const POINT_CODECS: Types = {
  series: 'Delta, LZ4',
  start_date: 'Delta, LZ4',
  end_date: 'Delta, LZ4',
  value: 'ZSTD(1)',
  unit_id: 'LZ4',
  reporting_date: 'Delta, LZ4',
  available_date: 'Delta, LZ4',
  metadata: 'ZSTD(1)',
};

const SERIES = other('series', {
  orderBy: `${LAYOUT.join(', ')}, handle`,
  key: 'handle',
  indexes: [
    'INDEX by_region region_id TYPE bloom_filter GRANULARITY 1',
    'INDEX by_handle handle TYPE minmax GRANULARITY 1',
    'INDEX by_replaced replaces TYPE minmax GRANULARITY 1',
  ],
});

/** Every table that imports write, most of them with DuckDB's names. */
const IMPORTED: readonly Table[] = [
  ...ENTITIES,
  other('containment', { orderBy: 'entity_type, parent, child' }),
  other('shape', {
    orderBy: 'region_id, detail',
    key: 'region_id, detail',
    codecs: { geojson: 'ZSTD(3)' },
    settings: ['index_granularity = 64'],
  }),
  // DuckDB counts vintages by their table, and has a table of units.
  { ...SERIES, columns: { ...SERIES.columns, vintages: 'Int32', units: 'Array(Int32)' } },
  other('known_batch', { orderBy: 'digest' }),
  other('source_import', { orderBy: 'source_id', key: 'source_id' }),
  // A fetch that was forgotten has no date.
  other('stored_fetch', { orderBy: 'dataset, request', key: 'dataset, request' }),
  {
    name: 'point',
    columns: POINT,
    codecs: POINT_CODECS,
    orderBy: 'series, start_date, end_date, reporting_date, available_date, import',
    primaryKey: 'series, start_date',
    isEverywhere: true,
    imported: true,
    // Finds the rows of one import without reading those of others.
    indexes: ['INDEX by_import import TYPE minmax GRANULARITY 4'],
    // Measured on 20 M points: one series, and 100 scattered ones, are read faster than with the default of 8192.
    settings: [
      'index_granularity = 2048',
      'min_compress_block_size = 16384',
      'max_compress_block_size = 131072',
    ],
  },
];

/** When a row was added, by the clock of the server, which all processes share. */
const NOW_US = 'Int64 DEFAULT toUnixTimestamp64Micro(now64(6))';

/** The store's record of itself, and data that imports do not touch. Rows are only added; the latest of a key is true. */
const OWN: readonly Table[] = [
  // Points of an import that must be compared with stored ones. A partition is dropped as a whole.
  {
    name: 'staged_point',
    columns: { ...POINT, import: 'UInt32' },
    codecs: POINT_CODECS,
    orderBy: 'series, start_date',
    partitionBy: 'import',
    isEverywhere: true,
  },
  // Which server of which store this is, so that servers named in another order are refused.
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
  // The committed imports.
  {
    name: 'import_log',
    columns: { import: 'UInt32', importer: 'String', at_ms: 'Int64' },
    orderBy: 'import',
  },
  // What importers say of their numbers. The last row of each state is kept.
  {
    name: 'import_claim',
    columns: {
      import: 'UInt32',
      importer: 'String',
      state: `Enum8('wanted' = 1, 'begun' = 2, 'abandoned' = 3, 'cleaned' = 4)`,
      at_ms: 'Int64',
    },
    orderBy: 'import, importer, state',
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
    columns: { name: 'String', part: 'UInt32', digest: 'String', base64: 'String', changed_us: NOW_US },
    codecs: { base64: 'ZSTD(1)' },
    orderBy: 'name, part',
  },
];

/** Every table of a store. */
export const TABLES: readonly Table[] = [...IMPORTED, ...OWN];

/** Returns the tables of a server, by its place in the address. */
export function tablesOf(position: number): readonly Table[] {
  return position === 0 ? TABLES : TABLES.filter(({ isEverywhere }) => isEverywhere);
}

export function tableOf(name: string): Table {
  return TABLES.find((table) => table.name === name)!;
}

/** Returns the names of a table's columns, without those that imports add. */
export function columnsOf(name: string): readonly string[] {
  return Object.keys(tableOf(name).columns);
}

/**
 * Returns the columns that imports add: the import of a row, and the import whose row of the same key it replaces, null
 * for none.
 */
function importColumns({ imported, key }: Table): string[] {
  return [
    ...(imported ? ['import UInt32 CODEC(Delta, LZ4)'] : []),
    ...(key === undefined ? [] : ['replaces Nullable(UInt32) CODEC(LZ4)']),
  ];
}

/** Prints the statement that creates a table, under a name that may say more than the table's own. */
export function createTable(table: Table, name = table.name): string {
  const { columns, codecs = {}, orderBy, primaryKey = orderBy, indexes = [], settings = [] } = table;
  const own = Object.entries(columns).map(
    ([column, type]) => `${column} ${type}${column in codecs ? ` CODEC(${codecs[column]})` : ''}`,
  );
  const partition = table.partitionBy === undefined ? '' : ` PARTITION BY ${table.partitionBy}`;
  return [
    `CREATE TABLE IF NOT EXISTS ${name} (\n  ${[...own, ...importColumns(table), ...indexes].join(',\n  ')})`,
    `ENGINE = ${table.engine ?? 'MergeTree'}${partition} PRIMARY KEY (${primaryKey}) ORDER BY (${orderBy})`,
    ...(settings.length === 0 ? [] : [`SETTINGS ${settings.join(', ')}`]),
  ].join('\n');
}
