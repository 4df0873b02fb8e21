import type {
  ContainingType,
  ContainmentDirection,
  EntityOf,
  EntityType,
  SearchableType,
  SearchDocument,
} from '../../model/entity.js';
import {
  buildContainment,
  type ContainedPair,
  type Containment,
  containedEntity,
  isContaining,
  listNeighbours,
  type NeighbourLists,
  neighboursOf,
  traverseFromAll,
} from '../containment.js';
import { aliasesOf, ENTITY_TABLES } from '../duckdb/entity-tables.js';
import type { TraversalPlan } from '../plan.js';
import type {
  IdRedirect,
  ReadOptions,
  ShapeDetail,
  StoredIdentity,
  StoredName,
  StoredShape,
  StoreNames,
  StoreReader,
} from '../store.js';
import { mapInTurns } from '../turns.js';
import type { EngineTables, OpenTables, QueryParts } from './engine-tables.js';

type EntityOperations = Pick<
  StoreReader,
  'lookup' | 'names' | 'list' | 'traverse' | 'shapes' | 'historicalRegions' | 'idRedirects'
> &
  StoreNames;

/** Reads entities. The containment of each type is kept until an import changes the store. */
export class EntityReader implements EntityOperations {
  readonly #containments = new WeakMap<object, Map<ContainingType, Promise<Containment>>>();
  readonly #open: OpenTables;

  constructor(open: OpenTables) {
    this.#open = open;
  }

  async lookup<Type extends EntityType>(
    type: Type,
    ids: readonly number[],
    options?: ReadOptions,
  ): Promise<EntityOf[Type][]> {
    const tables = await this.#open(options);
    const lists = isContaining(type) ? this.#neighbours(tables, type, ids, options) : null;
    const tail = (parts: QueryParts) => `${fromType(parts, type, parts.ids('id', ids))} ORDER BY id`;
    return readEntities(tables, type, { tail, lists }, options);
  }

  async names(type: EntityType, ids: readonly number[]): Promise<StoredName[]> {
    const { rows } = await this.#open();
    const historical = type === 'regions' ? 'historical' : 'false AS historical';
    const read = await rows(
      (parts) =>
        `SELECT id, name, ${historical} FROM ${fromType(parts, type, parts.ids('id', ids))} ORDER BY id`,
    );
    return read as unknown as StoredName[];
  }

  async list<Type extends EntityType>(
    type: Type,
    limit: number,
    options?: ReadOptions,
  ): Promise<EntityOf[Type][]> {
    const tables = await this.#open(options);
    const lists = isContaining(type) ? this.#containment(tables, type) : null;
    const tail = (parts: QueryParts) => `${fromType(parts, type)} ORDER BY id LIMIT ${Math.trunc(limit)}`;
    return readEntities(tables, type, { tail, lists }, options);
  }

  /** `pointCount` counts the points of an entity's series, for regions including those that have it as partner. */
  async searchDocuments(type: SearchableType): Promise<SearchDocument[]> {
    const tables = await this.#open();
    const [rows, counts] = await Promise.all([
      tables.rows(
        (parts) => `SELECT id, name, aliases${placeFields(type)} FROM ${fromType(parts, type)} ORDER BY id`,
      ),
      countPoints(tables, type),
    ]);
    return mapInTurns(rows, (row) => ({
      id: row.id as number,
      name: row.name as string,
      aliases: aliasesOf(row),
      pointCount: counts.get(row.id as number) ?? 0,
      ...containedEntity(row),
    }));
  }

  async namesChecksum(type: SearchableType): Promise<string> {
    const { rows } = await this.#open();
    const places = type === 'regions' ? ', coalesce(level, -1), historical' : '';
    const [row] = await rows(
      (parts) =>
        `SELECT count(*) AS entities, ${parts.hash(`id, name, aliases${places}`)} AS hash FROM ${fromType(parts, type)}`,
    );
    return `${row!.entities}-${row!.hash}`;
  }

  async pointCounts(type: SearchableType): Promise<Map<number, number>> {
    return countPoints(await this.#open(), type);
  }

  async identities(type: EntityType): Promise<StoredIdentity[]> {
    const { rows } = await this.#open();
    const read = await rows(
      (parts) => `SELECT id, identity FROM ${fromType(parts, type, 'identity IS NOT NULL')} ORDER BY id`,
    );
    return read as unknown as StoredIdentity[];
  }

  async traverse(
    type: ContainingType,
    direction: ContainmentDirection,
    ids: readonly number[],
    plan: TraversalPlan,
  ): Promise<Map<number, number[]>> {
    return traverseFromAll(await this.#containment(await this.#open(), type), direction, ids, plan);
  }

  /** Shapes by ascending region. A shape without the requested detail is returned in the other one. */
  async shapes(
    regionIds: readonly number[],
    detail: ShapeDetail,
    options?: ReadOptions,
  ): Promise<StoredShape[]> {
    const { rows } = await this.#open(options);
    const read = await rows(
      (parts) => `SELECT region_id, argMax(geojson, detail = '${detail}') AS text
        FROM ${parts.from('shape', parts.ids('region_id', regionIds))} GROUP BY region_id ORDER BY region_id`,
      options,
    );
    return read.map(({ region_id, text }) => ({ region_id: region_id as number, geojson: text as string }));
  }

  async historicalRegions(): Promise<number[]> {
    const { rows } = await this.#open();
    const read = await rows((parts) => `SELECT id FROM ${parts.from('region', 'historical')} ORDER BY id`);
    return read.map(({ id }) => id as number);
  }

  async idRedirects(): Promise<IdRedirect[]> {
    const { rows } = await this.#open();
    const read = await rows(
      (parts) => `SELECT field, old_id AS "oldId", new_id AS "newId", source_id AS "sourceId"
        FROM ${parts.from('moved_id')} ORDER BY field, old_id, source_id NULLS FIRST`,
    );
    return read as unknown as IdRedirect[];
  }

  #containment(tables: EngineTables, type: ContainingType): Promise<Containment> {
    const { snapshot } = tables;
    if (snapshot === null) return loadContainment(tables, type);
    const known = this.#containments.get(snapshot) ?? new Map<ContainingType, Promise<Containment>>();
    this.#containments.set(snapshot, known);
    let loaded = known.get(type);
    if (loaded === undefined) {
      loaded = loadContainment(tables, type);
      known.set(type, loaded);
      loaded.catch(() => known.delete(type));
    }
    return loaded;
  }

  /** The neighbours of some entities: to read the whole containment takes longer, and is left to those who need it. */
  async #neighbours(
    tables: EngineTables,
    type: ContainingType,
    ids: readonly number[],
    options: ReadOptions | undefined,
  ): Promise<NeighbourLists> {
    const { snapshot } = tables;
    const loaded = snapshot && this.#containments.get(snapshot)?.get(type);
    if (loaded) return loaded;
    const pairs = await readPairs(
      tables,
      (parts) => {
        const exists = (column: string) => `${column} IN (SELECT id FROM ${fromType(parts, type)})`;
        const isNeighbour = `(${parts.ids('parent', ids)} OR ${parts.ids('child', ids)})`;
        return `entity_type = '${type}' AND ${isNeighbour} AND ${exists('parent')} AND ${exists('child')}`;
      },
      options,
    );
    const requested = new Set(ids);
    return listNeighbours(pairs, (id) => requested.has(id));
  }
}

function fromType(parts: QueryParts, type: EntityType, where?: string): string {
  return parts.from(ENTITY_TABLES[type].table, where);
}

async function readEntities<Type extends EntityType>(
  { rows }: EngineTables,
  type: Type,
  { tail, lists }: { tail: (parts: QueryParts) => string; lists: Promise<NeighbourLists> | null },
  options: ReadOptions | undefined,
): Promise<EntityOf[Type][]> {
  const { columns, toEntity } = ENTITY_TABLES[type];
  const names = columns.map(([name]) => name).join(', ');
  const [read, neighbours] = await Promise.all([
    rows((parts) => `SELECT ${names} FROM ${tail(parts)}`, options),
    lists,
  ]);
  return mapInTurns(read, (row) => toEntity(row, neighboursOf(row.id as number, neighbours)));
}

/** The number of points of each entity that has any. */
async function countPoints({ rows }: EngineTables, type: SearchableType): Promise<Map<number, number>> {
  const isPartner = 'partner_region_id <> region_id AND partner_region_id <> 0';
  const read = await rows((parts) => {
    const partners = `UNION ALL SELECT partner_region_id AS id, point_count FROM ${parts.from('series', isPartner)}`;
    return `SELECT id, CAST(sum(point_count) AS DOUBLE) AS points FROM (
        SELECT ${ENTITY_TABLES[type].table}_id AS id, point_count FROM ${parts.from('series')}
        ${type === 'regions' ? partners : ''})
      GROUP BY id HAVING sum(point_count) > 0`;
  });
  return new Map(await mapInTurns(read, (row) => [row.id as number, row.points as number] as const));
}

async function loadContainment(tables: EngineTables, type: ContainingType): Promise<Containment> {
  const [entities, pairs] = await Promise.all([
    tables.rows((parts) => `SELECT id${placeFields(type)} FROM ${fromType(parts, type)}`),
    readPairs(tables, () => `entity_type = '${type}'`),
  ]);
  const places = await mapInTurns(entities, (row) => [row.id as number, containedEntity(row)] as const);
  return buildContainment(new Map(places), pairs);
}

/** Parents with their children: there are thousands, of which rows would be objects. */
async function readPairs(
  tables: EngineTables,
  where: (parts: QueryParts) => string,
  options?: ReadOptions,
): Promise<ContainedPair[]> {
  const pairs: ContainedPair[] = [];
  const write = (parts: QueryParts) =>
    `SELECT parent, child FROM ${parts.from('containment', where(parts))} ORDER BY parent, child`;
  for await (const { length, columns } of tables.numbers(write, { integers: 2 }, options))
    for (let row = 0; row < length; row++) pairs.push([columns[0]![row]!, columns[1]![row]!]);
  return pairs;
}

function placeFields(type: EntityType): string {
  return type === 'regions' ? ', level, historical' : '';
}
