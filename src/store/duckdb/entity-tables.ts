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

function entityTable<Type extends EntityType>(
  table: string,
  columns: EntityTable<Type>['columns'],
  convert: Pick<EntityTable<Type>, 'toRow' | 'toEntity'>,
): EntityTable<Type> {
  const all = [
    ['id', INTEGER],
    ['name', VARCHAR],
    ...columns,
    ['aliases', VARCHAR],
    ['identity', VARCHAR],
  ] as const;
  const ddl = all.map(([name, type]) => `"${name}" ${type}`).join(', ');
  const toRow = (entity: NewEntity<Type>) => [...convert.toRow(entity), entity.identity ?? null];
  return { table, columns: all, ddl, toRow, toEntity: convert.toEntity };
}

const DESCRIBED = [['definition', VARCHAR]] as const;

const described = {
  toRow: (entity: NewEntity<'metrics'>) => [entity.id, entity.name, entity.definition, aliasText(entity)],
  toEntity: (row: Row, neighbours: Neighbours): EntityOf['metrics'] => ({
    id: row.id as number,
    name: row.name as string,
    definition: row.definition as string,
    ...neighbours,
  }),
};

/** The table of each entity type, and the conversion from and to its rows. */
export const ENTITY_TABLES: { readonly [Type in EntityType]: EntityTable<Type> } = {
  metrics: entityTable<'metrics'>('metric', DESCRIBED, described),
  items: entityTable<'items'>('item', DESCRIBED, described),
  regions: entityTable<'regions'>(
    'region',
    [
      ['definition', VARCHAR],
      ['level', INTEGER],
      ['latitude', DOUBLE],
      ['longitude', DOUBLE],
      ['historical', BOOLEAN],
    ],
    {
      toRow: (region) => [
        region.id,
        region.name,
        region.definition,
        region.level,
        region.latitude,
        region.longitude,
        region.historical,
        aliasText(region),
      ],
      toEntity: (row, neighbours) => ({
        ...described.toEntity(row, neighbours),
        level: row.level as number,
        latitude: row.latitude as number | null,
        longitude: row.longitude as number | null,
        historical: row.historical as boolean,
      }),
    },
  ),
  frequencies: entityTable<'frequencies'>(
    'frequency',
    [
      ['abbrev', VARCHAR],
      ['days', INTEGER],
      ['months', INTEGER],
      ['years', INTEGER],
    ],
    {
      toRow: ({ id, name, abbrev, periodLength: { days, months, years }, ...rest }) => [
        id,
        name,
        abbrev,
        days ?? null,
        months ?? null,
        years ?? null,
        aliasText(rest),
      ],
      toEntity: ({ id, name, abbrev, days, months, years }) => ({
        id: id as number,
        name: name as string,
        abbrev: abbrev as string,
        periodLength: present({ days, months, years }),
      }),
    },
  ),
  sources: entityTable<'sources'>(
    'source',
    [
      ['long_name', VARCHAR],
      ['licence', VARCHAR],
      ['citation', VARCHAR],
      ['url', VARCHAR],
    ],
    {
      toRow: (source) => [
        source.id,
        source.name,
        source.longName,
        source.licence,
        source.citation,
        source.url,
        aliasText(source),
      ],
      toEntity: (row) => ({
        id: row.id as number,
        name: row.name as string,
        longName: row.long_name as string,
        licence: row.licence as string,
        citation: row.citation as string,
        url: row.url as string,
      }),
    },
  ),
  units: entityTable<'units'>(
    'unit',
    [
      ['name_plural', VARCHAR],
      ['abbreviation', VARCHAR],
      ['factor', DOUBLE],
      ['base_offset', DOUBLE],
      ['dimension', VARCHAR],
    ],
    {
      toRow: (unit) => [
        unit.id,
        unit.name,
        unit.namePlural,
        unit.abbreviation,
        unit.baseConvFactor.factor ?? null,
        unit.baseConvFactor.offset ?? null,
        unit.dimension ?? null,
        aliasText(unit),
      ],
      toEntity: (row) => ({
        id: row.id as number,
        name: row.name as string,
        namePlural: row.name_plural as string,
        abbreviation: row.abbreviation as string,
        baseConvFactor: present({ factor: row.factor, offset: row.base_offset }),
        ...(row.dimension !== null && { dimension: row.dimension as string }),
      }),
    },
  ),
};

/** The aliases of a row, as `aliasText` wrote them. */
export function aliasesOf(row: Row): string[] {
  return JSON.parse(row.aliases as string) as string[];
}

/** The parents of an entity; only containing types have any. */
export function parentsOf(entity: Omit<Entity, 'contains'>): readonly number[] {
  return 'belongsTo' in entity ? (entity.belongsTo as readonly number[]) : [];
}

function aliasText({ aliases = [] }: { readonly aliases?: readonly string[] | undefined }): string {
  return JSON.stringify(aliases);
}

function present(fields: Row): Record<string, number> {
  const known = Object.entries(fields).filter(([, value]) => value !== null);
  return Object.fromEntries(known) as Record<string, number>;
}
