import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { Entity, EntityOf, EntityType } from '../../model/entity.js';
import type { NewEntity } from '../store.js';
import { BOOLEAN, DOUBLE, INTEGER, VARCHAR } from './engine/library.js';

export type Row = Record<string, unknown>;

/** The direct containment of one entity; both lists ascend. */
interface Neighbours {
  readonly contains: number[];
  readonly belongsTo: number[];
}

interface EntityTable<Type extends EntityType> {
  readonly table: string;
  readonly columns: readonly (readonly [name: string, type: DuckDBType])[];
  readonly ddl: string;
  toRow(entity: NewEntity<Type>): DuckDBValue[];
  toEntity(row: Row, neighbours: Neighbours): EntityOf[Type];
}

const TYPES: Readonly<Record<string, DuckDBType>> = { INTEGER, DOUBLE, VARCHAR, BOOLEAN };

/** @param own the columns between `name` and `aliases`, with their types */
function entityTable<Type extends EntityType>(
  table: string,
  own: string,
  toEntity: (row: Row & { id: number; name: string }, neighbours: Neighbours) => object,
): EntityTable<Type> {
  const ddl = `id INTEGER, name VARCHAR, ${own}, aliases VARCHAR, identity VARCHAR`;
  const columns = ddl.split(', ').map((column) => {
    const [name, type] = column.split(' ') as [string, string];
    return [name, TYPES[type]!] as const;
  });
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
    toEntity: toEntity as unknown as EntityTable<Type>['toEntity'],
  };
}

const DEFINITION = 'definition VARCHAR';

function toDescribed({ id, name, definition }: Row, neighbours: Neighbours): object {
  return { id, name, definition, ...neighbours };
}

/** The table of each entity type, and the conversion from and to its rows. */
export const ENTITY_TABLES: { readonly [Type in EntityType]: EntityTable<Type> } = {
  metrics: entityTable('metric', DEFINITION, toDescribed),
  items: entityTable('item', DEFINITION, toDescribed),
  regions: entityTable(
    'region',
    `${DEFINITION}, level INTEGER, latitude DOUBLE, longitude DOUBLE, historical BOOLEAN`,
    ({ level, latitude, longitude, historical, ...row }, neighbours) => ({
      ...toDescribed(row, neighbours),
      level,
      latitude,
      longitude,
      historical,
    }),
  ),
  frequencies: entityTable(
    'frequency',
    'abbrev VARCHAR, days INTEGER, months INTEGER, years INTEGER',
    ({ id, name, abbrev, days, months, years }) => ({
      id,
      name,
      abbrev,
      periodLength: present({ days, months, years }),
    }),
  ),
  sources: entityTable(
    'source',
    'long_name VARCHAR, licence VARCHAR, citation VARCHAR, url VARCHAR',
    ({ id, name, long_name: longName, licence, citation, url }) => ({
      id,
      name,
      longName,
      licence,
      citation,
      url,
    }),
  ),
  units: entityTable(
    'unit',
    'name_plural VARCHAR, abbreviation VARCHAR, factor DOUBLE, base_offset DOUBLE, dimension VARCHAR',
    ({ id, name, name_plural: namePlural, abbreviation, factor, base_offset: offset, dimension }) => ({
      id,
      name,
      namePlural,
      abbreviation,
      baseConvFactor: present({ factor, offset }),
      ...present({ dimension }),
    }),
  ),
};

/** The aliases of a row, as `toRow` wrote them. */
export function aliasesOf(row: Row): string[] {
  return JSON.parse(row.aliases as string) as string[];
}

/** The parents of an entity; only containing types have any. */
export function parentsOf(entity: Omit<Entity, 'contains'>): readonly number[] {
  return 'belongsTo' in entity ? (entity.belongsTo as readonly number[]) : [];
}

/** The fields that are not null. */
function present(fields: Row): Row {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
