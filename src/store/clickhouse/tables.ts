import { ENTITY_TABLES } from '../duckdb/entity-tables.js';
import { COMMON_COLUMNS } from '../duckdb/series-summary.js';

/** A column and its type in ClickHouse, with the codec. Dates are UTC milliseconds as Int64: no date type spans 1565. */
export type Column = readonly [name: string, type: string];

/** A table of the store. */
export interface Table {
  readonly name: string;
  /** Its own columns, without `import` and `gone`. */
  readonly columns: readonly Column[];
  /** What its rows are ordered by, and found by without reading the others. */
  readonly orderBy: readonly string[];
  /** The columns of `orderBy` by which rows are found; all of them by default. */
  readonly primaryKey?: readonly string[] | undefined;
  /** Indexes of columns that are not the first to be ordered by. */
  readonly indexes?: readonly string[] | undefined;
  /** Settings of the engine besides those of all tables. */
  readonly settings?: readonly string[] | undefined;
  /** On the first server, or on each of them. */
  readonly on: 'first' | 'every';
  /** Whether imports bring its rows: they have the columns `import` and `gone`. */
  readonly imported: boolean;
}

/** What imports add to the rows of a table: the import that brought it, and the one that superseded it. */
export const IMPORT_COLUMNS: readonly Column[] = [
  ['import', 'UInt32 CODEC(Delta, LZ4)'],
  ['gone', 'UInt32 DEFAULT 4294967295 CODEC(Delta, LZ4)'],
];

/** ClickHouse's types of the types of DuckDB's tables. */
const TYPES: Readonly<Record<string, string>> = {
  INTEGER: 'Int32',
  DOUBLE: 'Float64',
  VARCHAR: 'String',
  BOOLEAN: 'Bool',
  TIMESTAMP_MS: 'Int64',
};

const NEVER_NULL = new Set(['id', 'name', 'aliases']);

const typeOf = (duckdbType: string): string => TYPES[duckdbType]!;

const imported = (
  name: string,
  columns: readonly Column[],
  { orderBy, ...more }: Pick<Table, 'orderBy'> & Partial<Table>,
): Table => ({ name, columns, orderBy, on: 'first', imported: true, ...more });

const ENTITIES = Object.values(ENTITY_TABLES).map(({ table, columns }) => {
  const own = columns.map(([name, type]): Column => {
    const plain = typeOf(String(type));
    return [name, NEVER_NULL.has(name) ? plain : `Nullable(${plain})`];
  });
  return imported(table, own, { orderBy: ['id'] });
});

/** The columns of points, in the order of `POINT_COLUMNS`. A missing value is NaN, and no date the minimum of Int64. */
const POINT: readonly Column[] = [
  ['series', 'Int32 CODEC(Delta, LZ4)'],
  ['start_date', 'Int64 CODEC(Delta, LZ4)'],
  ['end_date', 'Int64 CODEC(Delta, LZ4)'],
  ['value', 'Float64 CODEC(ZSTD(1))'],
  ['unit_id', 'Int32 CODEC(LZ4)'],
  ['reporting_date', 'Int64 CODEC(Delta, LZ4)'],
  ['available_date', 'Int64 CODEC(Delta, LZ4)'],
  ['metadata', 'String CODEC(ZSTD(1))'],
];

const SERIES: readonly Column[] = [
  ['handle', 'Int32'],
  ...['metric_id', 'item_id', 'region_id', 'partner_region_id', 'source_id', 'frequency_id', 'unit_id'].map(
    (name): Column => [name, 'Int32'],
  ),
  ['start_date', 'Int64'],
  ['end_date', 'Int64'],
  ['point_count', 'Int32'],
  ...Object.entries(COMMON_COLUMNS).map(([name, type]): Column => [name, `Nullable(${typeOf(type)})`]),
];

const SERIES_ORDER = [
  'metric_id',
  'item_id',
  'source_id',
  'frequency_id',
  'region_id',
  'partner_region_id',
  'handle',
];

/** Every table that imports write, with DuckDB's names. */
const IMPORTED: readonly Table[] = [
  ...ENTITIES,
  imported(
    'containment',
    [
      ['entity_type', 'LowCardinality(String)'],
      ['parent', 'Int32'],
      ['child', 'Int32'],
    ],
    { orderBy: ['entity_type', 'parent', 'child'] },
  ),
  imported(
    'shape',
    [
      ['region_id', 'Int32'],
      ['detail', 'LowCardinality(String)'],
      ['geojson', 'String CODEC(ZSTD(3))'],
    ],
    { orderBy: ['region_id', 'detail'], settings: ['index_granularity = 64'] },
  ),
  imported(
    'moved_id',
    [
      ['field', 'LowCardinality(String)'],
      ['old_id', 'Int32'],
      ['new_id', 'Int32'],
      ['source_id', 'Nullable(Int32)'],
    ],
    { orderBy: ['field', 'old_id'] },
  ),
  imported('series', SERIES, {
    orderBy: SERIES_ORDER,
    indexes: [
      'INDEX by_region region_id TYPE bloom_filter GRANULARITY 1',
      'INDEX by_handle handle TYPE minmax GRANULARITY 1',
    ],
  }),
  imported(
    'series_unit',
    [
      ['series', 'Int32'],
      ['unit_id', 'Int32'],
    ],
    { orderBy: ['series', 'unit_id'] },
  ),
  imported(
    'known_batch',
    [
      ['digest', 'String'],
      ['kinds', 'String'],
    ],
    { orderBy: ['digest'] },
  ),
  imported(
    'source_import',
    [
      ['source_id', 'Int32'],
      ['dataset', 'String'],
      ['imported', 'Float64'],
    ],
    { orderBy: ['source_id'] },
  ),
  imported(
    'stored_fetch',
    [
      ['dataset', 'String'],
      ['request', 'String'],
      ['settings', 'String'],
      ['files', 'String'],
      ['fetched_at', 'Float64'],
    ],
    { orderBy: ['dataset', 'request'] },
  ),
  imported('point', POINT, {
    on: 'every',
    orderBy: ['series', 'start_date', 'end_date', 'reporting_date', 'available_date', 'import'],
    primaryKey: ['series', 'start_date'],
    // Finds the rows of one import without reading those of others.
    indexes: ['INDEX by_import import TYPE minmax GRANULARITY 4'],
    // Measured on 20 M points: one series, and 100 scattered ones, are read faster than with the default of 8192.
    settings: [
      'index_granularity = 2048',
      'min_compress_block_size = 16384',
      'max_compress_block_size = 131072',
    ],
  }),
];

const plain = (
  name: string,
  columns: readonly Column[],
  orderBy: readonly string[],
  on: Table['on'] = 'first',
) => ({ name, columns, orderBy, on, imported: false }) satisfies Table;

/** When a row was added, by the clock of the server, which all processes share. */
const CHANGED: Column = ['changed_us', 'Int64 DEFAULT toUnixTimestamp64Micro(now64(6))'];

/** What the store knows of itself, and what imports do not touch. Rows are only added; the latest of a key is true. */
const OWN: readonly Table[] = [
  plain(
    'store_meta',
    [
      ['store_id', 'String'],
      ['schema_version', 'UInt32'],
      ['shards', 'UInt32'],
      ['created_ms', 'Int64'],
    ],
    ['store_id'],
  ),
  // Which server of which store this is, so that servers named in another order are refused.
  plain(
    'shard_meta',
    [
      ['store_id', 'String'],
      ['position', 'UInt32'],
      ['shards', 'UInt32'],
      ['created_ms', 'Int64'],
    ],
    ['store_id'],
    'every',
  ),
  plain(
    'import_log',
    [
      ['import', 'UInt32'],
      ['state', "Enum8('begun' = 1, 'committed' = 2, 'abandoned' = 3, 'cleaned' = 4, 'written' = 5)"],
      ['importer', 'UUID'],
      ['at_ms', 'Int64'],
    ],
    ['import', 'at_ms'],
  ),
  plain(
    'claim',
    [
      ['importer', 'UUID'],
      ['state', "Enum8('wanted' = 1, 'held' = 2, 'released' = 3)"],
      ['holder', 'String'],
      ['at_ms', 'Int64'],
    ],
    ['importer'],
  ),
  plain('access_user', [['email', 'String'], ['password_hash', 'String'], CHANGED], ['email', 'changed_us']),
  plain(
    'access_token',
    [
      ['hash', 'String'],
      ['name', 'String'],
      ['email', 'Nullable(String)'],
      ['created_ms', 'Int64'],
      ['expires_ms', 'Nullable(Int64)'],
      ['revoked_ms', 'Nullable(Int64)'],
      ['rights', 'Array(String)'],
      ['login', 'Bool'],
      CHANGED,
    ],
    ['hash', 'changed_us'],
  ),
  plain(
    'kept',
    [
      ['name', 'String'],
      ['part', 'UInt32'],
      ['parts', 'UInt32'],
      ['digest', 'String'],
      ['base64', 'String CODEC(ZSTD(1))'],
      CHANGED,
    ],
    ['name', 'part'],
  ),
];

/** Every table of a store. */
export const TABLES: readonly Table[] = [...IMPORTED, ...OWN];

/** The tables of a server, by its place in the address. */
export function tablesOf(position: number): readonly Table[] {
  return position === 0 ? TABLES : TABLES.filter(({ on }) => on === 'every');
}

/** The names of a table's columns, without `import` and `gone`. */
export function columnsOf(name: string): readonly string[] {
  return TABLES.find((table) => table.name === name)!.columns.map(([column]) => column);
}
