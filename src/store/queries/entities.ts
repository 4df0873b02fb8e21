import {
  CONTAINING_TYPES,
  type ContainingType,
  type ContainmentDirection,
  ENTITY_TYPES,
  type EntityType,
  type SearchableType,
} from '../../model/entity.js';
import type { TraversalPlan } from '../plan.js';
import { aliasesOf, ENTITY_TABLES } from '../schema/tables.js';
import type { ReadOptions, StoreNames, StoreReader } from '../store.js';
import { mapInTurns, turns } from '../turns.js';
import type { EngineTables, OpenTables, QueryParts, Row } from './engine-tables.js';

type EntityOperations = Pick<StoreReader, 'lookup' | 'names' | 'traverse' | 'shapes'> & StoreNames;

export function entityOperations(open: OpenTables): EntityOperations {
  const loaded = new WeakMap<object, Partial<Record<ContainingType, Promise<Containment>>>>();
  function containmentOf(tables: EngineTables, type: ContainingType): Promise<Containment> {
    const { snapshot } = tables;
    if (snapshot === null) return loadContainment(tables, type);
    const ofSnapshot = loaded.get(snapshot) ?? {};
    loaded.set(snapshot, ofSnapshot);
    ofSnapshot[type] ??= loadContainment(tables, type).catch((error: unknown) => {
      delete ofSnapshot[type];
      throw error;
    });
    return ofSnapshot[type];
  }
  const read = async <Found>(write: (parts: QueryParts) => string, options?: ReadOptions) => {
    const tables = await open(options);
    return (await tables.rows(write(tables), options)) as unknown as Found[];
  };
  return {
    async lookup(type, ids, options) {
      const tables = await open(options);
      const { columns, toEntity } = ENTITY_TABLES[type];
      const names = Object.keys(columns).join(', ');
      const limit = options?.limit === undefined ? '' : `LIMIT ${Math.trunc(options.limit)}`;
      const where = ids === null ? undefined : tables.ids('id', ids);
      const [rows, { contains, belongsTo }] = await Promise.all([
        tables.rows(`SELECT ${names} FROM ${fromType(tables, type, where)} ORDER BY id ${limit}`, options),
        isContaining(type)
          ? ids === null
            ? containmentOf(tables, type)
            : readNeighbours(tables, type, ids)
          : NO_NEIGHBOURS,
      ]);
      const near = (lists: Neighbours['contains'], row: Row) => [...(lists.get(row.id as number) ?? [])];
      return mapInTurns(rows, (row) =>
        toEntity(row, { contains: near(contains, row), belongsTo: near(belongsTo, row) }),
      );
    },
    names(type, ids) {
      const historical = type === 'regions' ? 'historical' : 'false AS historical';
      const where = (parts: QueryParts) => (ids === 'historical' ? ids : parts.ids('id', ids));
      return read(
        (parts) => `SELECT id, name, ${historical} FROM ${fromType(parts, type, where(parts))} ORDER BY id`,
      );
    },
    /** Reads search documents. A region's `pointCount` includes points of series in which the region is the partner. */
    async searchDocuments(type) {
      const tables = await open();
      const [rows, counts] = await Promise.all([
        tables.rows(
          `SELECT id, name, aliases${placeFields(type)} FROM ${fromType(tables, type)} ORDER BY id`,
        ),
        countPoints(tables, type),
      ]);
      return mapInTurns(rows, (row) => ({
        id: row.id as number,
        name: row.name as string,
        aliases: aliasesOf(row),
        pointCount: counts.get(row.id as number) ?? 0,
        ...toContainedEntity(row),
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
    identities: () =>
      read((parts) => {
        const found = ENTITY_TYPES.map(
          (type) =>
            `SELECT '${type}' AS type, id, identity FROM ${fromType(parts, type, 'identity IS NOT NULL')}`,
        );
        return `SELECT type, id, identity FROM (${found.join(' UNION ALL ')}) AS found ORDER BY type, id`;
      }),
    async traverse(type, direction, ids, plan) {
      const containment = await containmentOf(await open(), type);
      const existing = [...new Set(ids)].filter((id) => containment.entities.has(id));
      const reach = (id: number) => [id, traverseFrom(containment, direction, id, plan)] as const;
      return new Map(await mapInTurns(existing, reach));
    },
    shapes: (regionIds, detail, options) =>
      read(
        // ClickHouse would read a name inside the aggregate as the alias, so the alias differs from the column's name.
        (parts) => `SELECT region_id, text AS geojson FROM (
          SELECT region_id, argMax(geojson, detail = '${detail}') AS text
          FROM ${parts.from('shape', parts.ids('region_id', regionIds))} GROUP BY region_id) AS chosen ORDER BY region_id`,
        options,
      ),
  };
}

function fromType(parts: QueryParts, type: EntityType, where?: string): string {
  return parts.from(ENTITY_TABLES[type].table, where);
}

async function countPoints(tables: EngineTables, type: SearchableType): Promise<Map<number, number>> {
  const isPartner = 'partner_region_id <> region_id AND partner_region_id <> 0';
  const partners = `UNION ALL SELECT partner_region_id AS id, point_count FROM ${tables.from('series', isPartner)}`;
  const read = await tables.rows(`SELECT id, CAST(sum(point_count) AS DOUBLE) AS points FROM (
      SELECT ${ENTITY_TABLES[type].table}_id AS id, point_count FROM ${tables.from('series')}
      ${type === 'regions' ? partners : ''})
    GROUP BY id HAVING sum(point_count) > 0`);
  return new Map(await mapInTurns(read, (row) => [row.id as number, row.points as number] as const));
}

async function loadContainment(tables: EngineTables, type: ContainingType): Promise<Containment> {
  const rows = await tables.rows(`SELECT id${placeFields(type)} FROM ${fromType(tables, type)}`);
  const entities = await mapInTurns(rows, (row) => [row.id as number, toContainedEntity(row)] as const);
  return { entities: new Map(entities), ...(await readNeighbours(tables, type, null)) };
}

/** Reads the direct parents and children of entities. If `ids` is null, reads those of all entities (about 100 ms). */
async function readNeighbours(
  tables: EngineTables,
  type: ContainingType,
  ids: readonly number[] | null,
): Promise<Neighbours> {
  const isNear = ids === null ? 'true' : `(${tables.ids('parent', ids)} OR ${tables.ids('child', ids)})`;
  const pairs = tables.from('containment', `entity_type = '${type}' AND ${isNear}`);
  const sql = `SELECT parent, child FROM ${pairs} ORDER BY parent, child`;
  const [contains, belongsTo] = [new Map<number, number[]>(), new Map<number, number[]>()];
  for await (const { length, columns } of tables.numbers(sql)) {
    await turns.next();
    for (let row = 0; row < length; row++) {
      const [parent, child] = [columns[0]![row]!, columns[1]![row]!];
      addTo(contains, parent, child);
      addTo(belongsTo, child, parent);
    }
  }
  return { contains, belongsTo };
}

function addTo(lists: Map<number, number[]>, key: number, id: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [id]);
  else list.push(id);
}

const placeFields = (type: EntityType): string => (type === 'regions' ? ', level, historical' : '');

interface ContainedEntity {
  readonly level: number | null;
  readonly historical: boolean;
}

/** The ids of each entity's children and parents, in ascending order. */
interface Neighbours {
  readonly contains: ReadonlyMap<number, readonly number[]>;
  readonly belongsTo: ReadonlyMap<number, readonly number[]>;
}

const NO_NEIGHBOURS: Neighbours = { contains: new Map(), belongsTo: new Map() };

interface Containment extends Neighbours {
  readonly entities: ReadonlyMap<number, ContainedEntity>;
}

/** Returns the ids reached from `start`. Paths end at excluded historical entities. `distance` overrides `level`. */
function traverseFrom(
  { entities, contains, belongsTo }: Containment,
  direction: ContainmentDirection,
  start: number,
  { distance, level, includeHistorical }: TraversalPlan,
): number[] {
  const neighbours = direction === 'contains' ? contains : belongsTo;
  const seen = new Set([start]);
  let frontier = [start];
  for (let step = 0; frontier.length > 0 && (distance === null || step < distance); step++) {
    const next: number[] = [];
    for (const id of frontier) {
      for (const neighbour of neighbours.get(id) ?? []) {
        const entity = entities.get(neighbour);
        if (entity === undefined || seen.has(neighbour)) continue;
        if (!includeHistorical && entity.historical) continue;
        seen.add(neighbour);
        next.push(neighbour);
      }
    }
    frontier = next;
  }
  seen.delete(start);
  const reached = [...seen].sort((a, b) => a - b);
  if (distance !== null || level === null) return reached;
  return reached.filter((id) => entities.get(id)!.level === level);
}

export function isContaining(type: EntityType): type is ContainingType {
  return (CONTAINING_TYPES as readonly string[]).includes(type);
}

function toContainedEntity({ level, historical }: Row): ContainedEntity {
  return { level: (level as number | undefined) ?? null, historical: historical === true };
}
