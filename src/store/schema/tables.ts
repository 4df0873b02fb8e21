import type { EntityOf, EntityType } from '../../model/entity.js';
import type { SeriesKey } from '../../model/series.js';
import type { Row } from '../queries/engine-tables.js';
import type { NewEntity } from '../store.js';

/** A column's type, independent of the engine. A `date` is a time in milliseconds. */
export type ColumnType = 'integer' | 'number' | 'text' | 'boolean' | 'date';

export type Columns = Readonly<Record<string, ColumnType>>;

/** The sort order in which series are numbered. Series that differ only in region get neighbouring numbers. */
export const LAYOUT = [
  'metric_id',
  'item_id',
  'source_id',
  'frequency_id',
  'region_id',
  'partner_region_id',
] as const satisfies (keyof SeriesKey)[];

/** The columns of the table `series` that hold facts about all points of a series. */
export const COMMON_COLUMNS = {
  /** Whether all points have the unit of the series. */
  has_one_unit: 'boolean',
  /** The number of days from start to end of every period; null if it varies. */
  period_days: 'integer',
  has_times: 'boolean',
  has_reporting_dates: 'boolean',
  has_metadata: 'boolean',
  /** The date when all points became available; null if they became available on different dates. */
  available_date: 'date',
} as const satisfies Columns;

/** The columns of points and their vintages. */
export const POINT_COLUMNS = {
  series: 'integer',
  start_date: 'date',
  end_date: 'date',
  value: 'number',
  unit_id: 'integer',
  reporting_date: 'date',
  available_date: 'date',
  metadata: 'text',
} as const satisfies Columns;

interface Neighbours {
  readonly contains: number[];
  readonly belongsTo: number[];
}

export type RowValue = string | number | boolean | null;

interface EntityTable<Type extends EntityType> {
  readonly table: string;
  readonly columns: Columns;
  toRow(entity: NewEntity<Type>): RowValue[];
  toEntity(row: Row, neighbours: Neighbours): EntityOf[Type];
}

function emptyOf(type: ColumnType): '' | false | null {
  if (type === 'text') return '';
  return type === 'boolean' ? false : null;
}

type ToEntity = (fields: Row, neighbours: Neighbours) => object;

function entityTable<Type extends EntityType>(
  table: string,
  own: Columns,
  toEntity: ToEntity = (fields, neighbours) => ({ ...fields, ...neighbours }),
): EntityTable<Type> {
  const columns: Columns = { id: 'integer', name: 'text', ...own, aliases: 'text', identity: 'text' };
  const fields = Object.keys(columns).map((name) =>
    name.replace(/_[a-z]/g, (part) => part[1]!.toUpperCase()),
  );
  return {
    table,
    columns,
    toRow(entity) {
      const { periodLength, baseConvFactor, aliases = [], ...own } = entity as Row;
      const { factor, offset: baseOffset } = (baseConvFactor ?? {}) as Row;
      const all: Row = {
        ...own,
        ...(periodLength as Row),
        factor,
        baseOffset,
        aliases: JSON.stringify(aliases),
      };
      return fields.map((field) => (all[field] ?? null) as RowValue);
    },
    toEntity(row, neighbours) {
      const read = Object.entries(columns).map(
        ([name, type], at) => [fields[at]!, row[name] ?? emptyOf(type)] as const,
      );
      const { aliases: _, identity: __, ...all } = Object.fromEntries(read);
      return toEntity(all, neighbours) as EntityOf[Type];
    },
  };
}

export const ENTITY_TABLES: { readonly [Type in EntityType]: EntityTable<Type> } = {
  metrics: entityTable('metric', { definition: 'text' }),
  items: entityTable('item', { definition: 'text' }),
  regions: entityTable('region', {
    definition: 'text',
    level: 'integer',
    latitude: 'number',
    longitude: 'number',
    historical: 'boolean',
  }),
  frequencies: entityTable(
    'frequency',
    { abbrev: 'text', days: 'integer', months: 'integer', years: 'integer' },
    ({ days, months, years, ...own }) => ({ ...own, periodLength: omitNulls({ days, months, years }) }),
  ),
  sources: entityTable(
    'source',
    { long_name: 'text', licence: 'text', citation: 'text', url: 'text' },
    (fields) => fields,
  ),
  units: entityTable(
    'unit',
    { name_plural: 'text', abbreviation: 'text', factor: 'number', base_offset: 'number', dimension: 'text' },
    ({ factor, baseOffset: offset, dimension, ...own }) => ({
      ...own,
      baseConvFactor: omitNulls({ factor, offset }),
      ...(dimension === '' ? {} : { dimension }),
    }),
  ),
};

const entityTables = Object.values(ENTITY_TABLES);

/** The tables to which imports write, except the tables of points. */
export const IMPORT_TABLES: Readonly<Record<string, Columns>> = {
  ...Object.fromEntries(entityTables.map(({ table, columns }) => [table, columns])),
  containment: { entity_type: 'text', parent: 'integer', child: 'integer' },
  shape: { region_id: 'integer', detail: 'text', geojson: 'text' },
  series: {
    handle: 'integer',
    metric_id: 'integer',
    item_id: 'integer',
    region_id: 'integer',
    partner_region_id: 'integer',
    source_id: 'integer',
    frequency_id: 'integer',
    unit_id: 'integer',
    start_date: 'date',
    end_date: 'date',
    point_count: 'integer',
    ...COMMON_COLUMNS,
  },
  series_unit: { series: 'integer', unit_id: 'integer' },
  source_import: { source_id: 'integer', dataset: 'text', imported: 'number' },
  stored_fetch: { dataset: 'text', request: 'text', settings: 'text', files: 'text', fetched_at: 'number' },
  known_batch: { digest: 'text', kinds: 'text' },
};

/** The columns that identify a row, in tables whose rows may be replaced by later imports. */
export const KEYS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(entityTables.map(({ table }) => [table, ['id']])),
  shape: ['region_id', 'detail'],
  series: ['handle'],
  source_import: ['source_id'],
  stored_fetch: ['dataset', 'request'],
};

export const aliasesOf = (row: Row): string[] => JSON.parse(row.aliases as string) as string[];

function omitNulls(fields: Row): Row {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
