import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { EntityOf, EntityType } from '../../model/entity.js';
import type { Row } from '../queries/engine-tables.js';
import type { NewEntity } from '../store.js';
import { BOOLEAN, DOUBLE, INTEGER, TIMESTAMP_MS, VARCHAR } from './engine/library.js';
import { COMMON_COLUMNS } from './point-tables.js';

/** The direct containment of one entity; both lists ascend. */
interface Neighbours {
  readonly contains: number[];
  readonly belongsTo: number[];
}

/** The columns of a table, with their types. */
export type TableColumns = readonly (readonly [name: string, type: DuckDBType])[];

interface EntityTable<Type extends EntityType> {
  readonly table: string;
  readonly columns: TableColumns;
  readonly ddl: string;
  toRow(entity: NewEntity<Type>): DuckDBValue[];
  toEntity(row: Row, neighbours: Neighbours): EntityOf[Type];
}

const TYPES: Readonly<Record<string, DuckDBType>> = { INTEGER, DOUBLE, VARCHAR, BOOLEAN, TIMESTAMP_MS };

/** Returns the value of a field that an import left out. */
function emptyOf(type: DuckDBType): '' | false | null {
  if (type === VARCHAR) return '';
  return type === BOOLEAN ? false : null;
}

/** The columns of a table, as `CREATE TABLE` has them. */
export const columnsIn = (ddl: string): TableColumns =>
  ddl.split(/,\s+/).map((column) => {
    const [name, type] = column.split(' ') as [string, string];
    return [name, TYPES[type]!] as const;
  });

/** An entity's own fields from those of its row, and those that only some types have. */
type ToEntity = (fields: Row, neighbours: Neighbours) => object;

/** @param own the columns between `name` and `aliases`, with their types */
function entityTable<Type extends EntityType>(
  table: string,
  own: string,
  toEntity: ToEntity = (fields, neighbours) => ({ ...fields, ...neighbours }),
): EntityTable<Type> {
  const ddl = `id INTEGER, name VARCHAR, ${own}, aliases VARCHAR, identity VARCHAR`;
  const columns = columnsIn(ddl);
  const fields = columns.map(([name]) => name.replace(/_[a-z]/g, (part) => part[1]!.toUpperCase()));
  return {
    table,
    columns,
    ddl,
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
      return fields.map((field) => (all[field] ?? null) as DuckDBValue);
    },
    toEntity(row, neighbours) {
      const read = columns.map(([name, type], at) => [fields[at]!, row[name] ?? emptyOf(type)] as const);
      const { aliases: _, identity: __, ...all } = Object.fromEntries(read);
      return toEntity(all, neighbours) as EntityOf[Type];
    },
  };
}

/** The table of each entity type, and the conversion from and to its rows. */
export const ENTITY_TABLES: { readonly [Type in EntityType]: EntityTable<Type> } = {
  metrics: entityTable('metric', 'definition VARCHAR'),
  items: entityTable('item', 'definition VARCHAR'),
  regions: entityTable(
    'region',
    'definition VARCHAR, level INTEGER, latitude DOUBLE, longitude DOUBLE, historical BOOLEAN',
  ),
  frequencies: entityTable(
    'frequency',
    'abbrev VARCHAR, days INTEGER, months INTEGER, years INTEGER',
    ({ days, months, years, ...own }) => ({ ...own, periodLength: present({ days, months, years }) }),
  ),
  sources: entityTable(
    'source',
    'long_name VARCHAR, licence VARCHAR, citation VARCHAR, url VARCHAR',
    (fields) => fields,
  ),
  units: entityTable(
    'unit',
    'name_plural VARCHAR, abbreviation VARCHAR, factor DOUBLE, base_offset DOUBLE, dimension VARCHAR',
    ({ factor, baseOffset: offset, dimension, ...own }) => ({
      ...own,
      baseConvFactor: present({ factor, offset }),
      ...(dimension === '' ? {} : { dimension }),
    }),
  ),
};

/** The columns of the other tables that imports write, but for those of points. */
export const OTHER_TABLES = {
  containment: 'entity_type VARCHAR, parent INTEGER, child INTEGER',
  shape: 'region_id INTEGER, detail VARCHAR, geojson VARCHAR',
  series: `handle INTEGER, metric_id INTEGER, item_id INTEGER, region_id INTEGER, partner_region_id INTEGER,
    source_id INTEGER, frequency_id INTEGER, unit_id INTEGER, start_date TIMESTAMP_MS, end_date TIMESTAMP_MS,
    point_count INTEGER, ${Object.entries(COMMON_COLUMNS)
      .map((column) => column.join(' '))
      .join(', ')}`,
  series_unit: 'series INTEGER, unit_id INTEGER',
  source_import: 'source_id INTEGER, dataset VARCHAR, imported DOUBLE',
  stored_fetch: 'dataset VARCHAR, request VARCHAR, settings VARCHAR, files VARCHAR, fetched_at DOUBLE',
  known_batch: 'digest VARCHAR, kinds VARCHAR',
};

/** The aliases of a row, as `toRow` wrote them. */
export function aliasesOf(row: Row): string[] {
  return JSON.parse(row.aliases as string) as string[];
}

/** The fields that are not null. */
function present(fields: Row): Row {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
