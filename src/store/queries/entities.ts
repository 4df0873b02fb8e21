import type { ContainingType, EntityOf, EntityType, SearchableType } from '../../model/entity.js';
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
import type { ReadOptions, StoreNames, StoreReader } from '../store.js';
import { mapInTurns } from '../turns.js';
import type { EngineTables, OpenTables, QueryParts } from './engine-tables.js';

type EntityOperations = Pick<
  StoreReader,
  'lookup' | 'names' | 'list' | 'traverse' | 'shapes' | 'historicalRegions' | 'idRedirects'
> &
  StoreNames;

/** Reads entities. The containment of each type is kept until an import changes the store. */
export function entityOperations(open: OpenTables): EntityOperations {
  const containments = new Containments();
  const read = async <Found>(write: (parts: QueryParts) => string, options?: ReadOptions) =>
    (await (await open(options)).rows(write, options)) as unknown as Found[];
  return {
    async lookup(type, ids, options) {
      const tables = await open(options);
      const lists = isContaining(type) ? containments.neighboursOf(tables, { type, ids }, options) : null;
      const tail = (parts: QueryParts) => `${fromType(parts, type, parts.ids('id', ids))} ORDER BY id`;
      return readEntities(tables, type, { tail, lists }, options);
    },
    names(type, ids) {
      const historical = type === 'regions' ? 'historical' : 'false AS historical';
      return read(
        (parts) =>
          `SELECT id, name, ${historical} FROM ${fromType(parts, type, parts.ids('id', ids))} ORDER BY id`,
      );
    },
    async list(type, limit, options) {
      const tables = await open(options);
      const lists = isContaining(type) ? containments.of(tables, type) : null;
      const tail = (parts: QueryParts) => `${fromType(parts, type)} ORDER BY id LIMIT ${Math.trunc(limit)}`;
      return readEntities(tables, type, { tail, lists }, options);
    },
    /** `pointCount` counts the points of an entity's series, for regions including those that have it as partner. */
    async searchDocuments(type) {
      const tables = await open();
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
    },
    async namesChecksum(type) {
      const places = type === 'regions' ? ', coalesce(level, -1), historical' : '';
      const [row] = await read<{ entities: number; hash: string }>(
        (parts) =>
          `SELECT count(*) AS entities, ${parts.hash(`id, name, aliases${places}`)} AS hash FROM ${fromType(parts, type)}`,
      );
      return `${row!.entities}-${row!.hash}`;
    },
    pointCounts: async (type) => countPoints(await open(), type),
    identities: (type) =>
      read(
        (parts) => `SELECT id, identity FROM ${fromType(parts, type, 'identity IS NOT NULL')} ORDER BY id`,
      ),
    traverse: async (type, direction, ids, plan) =>
      traverseFromAll(await containments.of(await open(), type), direction, ids, plan),
    /** Shapes by ascending region. A shape without the requested detail is returned in the other one. */
    async shapes(regionIds, detail, options) {
      const shapes = await read<{ region_id: number; text: string }>(
        (parts) => `SELECT region_id, argMax(geojson, detail = '${detail}') AS text
          FROM ${parts.from('shape', parts.ids('region_id', regionIds))} GROUP BY region_id ORDER BY region_id`,
        options,
      );
      return shapes.map(({ region_id, text }) => ({ region_id, geojson: text }));
    },
    async historicalRegions() {
      const regions = await read<{ id: number }>(
        (parts) => `SELECT id FROM ${parts.from('region', 'historical')} ORDER BY id`,
      );
      return regions.map(({ id }) => id);
    },
    idRedirects: () =>
      read(
        (parts) => `SELECT field, old_id AS "oldId", new_id AS "newId", source_id AS "sourceId"
          FROM ${parts.from('moved_id')} ORDER BY field, old_id, source_id NULLS FIRST`,
      ),
  };
}

/** The containment of each type, as long as the store does not change. */
class Containments {
  readonly #loaded = new WeakMap<object, Map<ContainingType, Promise<Containment>>>();

  /** The whole containment of a type. */
  of(tables: EngineTables, type: ContainingType): Promise<Containment> {
    const { snapshot } = tables;
    if (snapshot === null) return loadContainment(tables, type);
    const known = this.#loaded.get(snapshot) ?? new Map<ContainingType, Promise<Containment>>();
    this.#loaded.set(snapshot, known);
    let loaded = known.get(type);
    if (loaded === undefined) {
      loaded = loadContainment(tables, type);
      known.set(type, loaded);
      loaded.catch(() => known.delete(type));
    }
    return loaded;
  }

  /** The neighbours of some entities: to read the whole containment takes longer, and is left to those who need it. */
  async neighboursOf(
    tables: EngineTables,
    { type, ids }: { type: ContainingType; ids: readonly number[] },
    options: ReadOptions | undefined,
  ): Promise<NeighbourLists> {
    const { snapshot } = tables;
    const loaded = snapshot && this.#loaded.get(snapshot)?.get(type);
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
