import { ENTITY_TABLES, OTHER_TABLES } from '../duckdb/entity-tables.js';
import { COMMON_COLUMNS, LAYOUT } from '../duckdb/point-tables.js';

/** A column and its type in ClickHouse, with the codec. Dates are UTC milliseconds as Int64: no date type spans 1565. */
export type Column = readonly [name: string, type: string];

/** A table of the store. */
export interface Table {
  readonly name: string;
  /** Its own columns, without those that imports add. */
  readonly columns: readonly Column[];
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
  readonly imported: boolean;
}

/** The columns of a text: names with their types, between commas. */
const columnsIn = (text: string): Column[] =>
  text.split(/,\s+(?![^(]*\))/).map((column) => {
    const [name, ...type] = column.trim().split(' ');
    return [name!, type.join(' ')];
  });

/** The import that brought a row. */
const IMPORT: Column = ['import', 'UInt32 CODEC(Delta, LZ4)'];

/** The import whose row of the same key a row replaces, null for none. */
const REPLACES: Column = ['replaces', 'Nullable(UInt32) CODEC(LZ4)'];

/** All columns of a table. */
export function allColumnsOf({ columns, key, imported }: Table): readonly Column[] {
  return [...columns, ...(imported ? [IMPORT] : []), ...(key === undefined ? [] : [REPLACES])];
}

/** ClickHouse's types of the types of DuckDB's tables. */
const TYPES: Readonly<Record<string, string>> = {
  INTEGER: 'Int32',
  DOUBLE: 'Float64',
  VARCHAR: 'String',
  BOOLEAN: 'Bool',
  TIMESTAMP_MS: 'Int64',
};

/** Types that those of DuckDB do not say. */
const OWN_TYPES: Readonly<Record<string, string>> = {
  'containment.entity_type': 'LowCardinality(String)',
  'shape.detail': 'LowCardinality(String)',
  'shape.geojson': 'String CODEC(ZSTD(3))',
  // A fetch that was forgotten has no date.
  'stored_fetch.fetched_at': 'Nullable(Float64)',
};

/** The columns of one of DuckDB's tables. */
const alike = (table: string, ddl: string, isNullable: (name: string) => boolean): Column[] =>
  columnsIn(ddl).map(([name, duckdbType]) => {
    const type = OWN_TYPES[`${table}.${name}`] ?? TYPES[duckdbType]!;
    return [name, isNullable(name) ? `Nullable(${type})` : type];
  });

/** A table that imports write. */
const imported = (
  name: string,
  columns: readonly Column[],
  orderBy: string,
  more: Partial<Table> = {},
): Table => ({ name, columns, orderBy, imported: true, ...more });

const NEVER_NULL = new Set(['id', 'name', 'aliases']);

const ENTITIES = Object.values(ENTITY_TABLES).map(({ table, ddl }) =>
  imported(
    table,
    alike(table, ddl, (name) => !NEVER_NULL.has(name)),
    'id',
    { key: 'id' },
  ),
);

const other = (table: keyof typeof OTHER_TABLES, orderBy: string, more?: Partial<Table>): Table => {
  const columns = alike(table, OTHER_TABLES[table], (name) => name in COMMON_COLUMNS);
  return imported(table, columns, orderBy, more);
};

/** The columns of points, in the order of `POINT_COLUMNS`. A missing value is NaN, and no date the minimum of Int64. */
const POINT =
  columnsIn(`series Int32 CODEC(Delta, LZ4), start_date Int64 CODEC(Delta, LZ4), end_date Int64 CODEC(Delta, LZ4),
  value Float64 CODEC(ZSTD(1)), unit_id Int32 CODEC(LZ4), reporting_date Int64 CODEC(Delta, LZ4),
  available_date Int64 CODEC(Delta, LZ4), metadata String CODEC(ZSTD(1))`);

/** The columns of `series` that DuckDB has not: all its vintages, and the units of the latest ones. */
const OF_SERIES = columnsIn('vintages Int32, units Array(Int32)');

/** Every table that imports write, most of them with DuckDB's names. */
const IMPORTED: readonly Table[] = [
  ...ENTITIES,
  other('containment', 'entity_type, parent, child'),
  other('shape', 'region_id, detail', { key: 'region_id, detail', settings: ['index_granularity = 64'] }),
  imported(
    'series',
    [...alike('series', OTHER_TABLES.series, (name) => name in COMMON_COLUMNS), ...OF_SERIES],
    `${LAYOUT.join(', ')}, handle`,
    {
      key: 'handle',
      indexes: [
        'INDEX by_region region_id TYPE bloom_filter GRANULARITY 1',
        'INDEX by_handle handle TYPE minmax GRANULARITY 1',
        'INDEX by_replaced replaces TYPE minmax GRANULARITY 1',
      ],
    },
  ),
  other('known_batch', 'digest'),
  other('source_import', 'source_id', { key: 'source_id' }),
  other('stored_fetch', 'dataset, request', { key: 'dataset, request' }),
  imported('point', POINT, 'series, start_date, end_date, reporting_date, available_date, import', {
    primaryKey: 'series, start_date',
    isEverywhere: true,
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

const plain = (name: string, columns: readonly Column[], orderBy: string, more?: Partial<Table>): Table =>
  imported(name, columns, orderBy, { imported: false, ...more });

/** When a row was added, by the clock of the server, which all processes share. */
const CHANGED = 'changed_us Int64 DEFAULT toUnixTimestamp64Micro(now64(6))';

/** The store's record of itself, and data that imports do not touch. Rows are only added; the latest of a key is true. */
const OWN: readonly Table[] = [
  // Points of an import that must be compared with stored ones. A partition is dropped as a whole.
  plain('staged_point', [...POINT, IMPORT], 'series, start_date', {
    partitionBy: 'import',
    isEverywhere: true,
  }),
  // Which server of which store this is, so that servers named in another order are refused.
  plain(
    'shard_meta',
    columnsIn('store_id String, schema_version UInt32, position UInt32, shards UInt32, created_ms Int64'),
    'store_id',
    { isEverywhere: true },
  ),
  // The committed imports.
  plain('import_log', columnsIn('import UInt32, importer String, at_ms Int64'), 'import'),
  // What importers say of their numbers. The last row of each state is kept.
  plain(
    'import_claim',
    columnsIn(`import UInt32, importer String,
      state Enum8('wanted' = 1, 'begun' = 2, 'abandoned' = 3, 'cleaned' = 4), at_ms Int64`),
    'import, importer, state',
    { engine: 'ReplacingMergeTree' },
  ),
  plain(
    'access',
    columnsIn(`kind Enum8('user' = 1, 'token' = 2), id String, json String, revoked Bool, ${CHANGED}`),
    'id, changed_us',
  ),
  plain(
    'kept',
    columnsIn(`name String, part UInt32, digest String, base64 String CODEC(ZSTD(1)), ${CHANGED}`),
    'name, part',
  ),
];

/** Every table of a store. */
export const TABLES: readonly Table[] = [...IMPORTED, ...OWN];

/** The tables of a server, by its place in the address. */
export function tablesOf(position: number): readonly Table[] {
  return position === 0 ? TABLES : TABLES.filter(({ isEverywhere }) => isEverywhere);
}

export function tableOf(name: string): Table {
  return TABLES.find((table) => table.name === name)!;
}

/** The names of a table's columns, without those that imports add. */
export function columnsOf(name: string): readonly string[] {
  return tableOf(name).columns.map(([column]) => column);
}
