import type { EntityOf, EntityType } from '../../model/entity.js';
import type { Row } from '../queries/engine-tables.js';
import type { NewEntity } from '../store.js';
import type { Columns, ColumnType } from './tables.js';

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

export function aliasesOf(row: Row): string[] {
  return JSON.parse(row.aliases as string) as string[];
}

function omitNulls(fields: Row): Row {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
