import type { DuckDBDataChunk } from '@duckdb/node-api';
import type {
  ContainingType,
  EntityOf,
  EntityType,
  SearchableType,
  SearchDocument,
} from '../../../model/entity.js';
import {
  buildContainment,
  type ContainedPair,
  type Containment,
  containedEntity,
  isContaining,
  listNeighbours,
  type NeighbourLists,
  neighboursOf,
} from '../../containment.js';
import type {
  IdRedirect,
  ReadOptions,
  ShapeDetail,
  StoredIdentity,
  StoredName,
  StoredShape,
} from '../../store.js';
import { mapInTurns } from '../../turns.js';
import type { Database, StreamOptions } from '../engine/database.js';
import { idCondition, integerParameter, type Parameter, textParameter } from '../engine/sql-values.js';
import { rawVector } from '../engine/vectors.js';
import { aliasesOf, ENTITY_TABLES } from '../entity-tables.js';

/** Which rows of a type are read, and what tells the neighbours of their entities; null for types without. */
interface EntityQuery {
  readonly clause: string;
  readonly parameters: readonly Parameter[];
  readonly lists: (() => Promise<NeighbourLists>) | null;
}

/** Reads entities. The containment of each type is cached until the next import. */
export class EntityReader {
  readonly #containments = new Map<ContainingType, Promise<Containment>>();
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Must be called after every committed import. */
  clearCache(): void {
    this.#containments.clear();
  }

  async lookup<Type extends EntityType>(
    type: Type,
    ids: readonly number[],
    options?: ReadOptions,
  ): Promise<EntityOf[Type][]> {
    const { where, parameters } = idCondition('id', ids);
    const lists = isContaining(type) ? () => this.#neighbours(type, ids, options) : null;
    return this.#read(type, { clause: `WHERE ${where} ORDER BY id`, parameters, lists }, options);
  }

  async names(type: EntityType, ids: readonly number[]): Promise<StoredName[]> {
    const { where, parameters } = idCondition('id', ids);
    const historical = type === 'regions' ? 'historical' : 'false AS historical';
    const sql = `SELECT id, name, ${historical} FROM ${ENTITY_TABLES[type].table} WHERE ${where} ORDER BY id`;
    return (await this.#database.rows(sql, parameters)) as unknown as StoredName[];
  }

  async list<Type extends EntityType>(
    type: Type,
    limit: number,
    options?: ReadOptions,
  ): Promise<EntityOf[Type][]> {
    const parameters = [integerParameter(limit)];
    const lists = isContaining(type) ? () => this.containment(type) : null;
    return this.#read(type, { clause: 'ORDER BY id LIMIT ?', parameters, lists }, options);
  }

  /** `pointCount` counts the points of an entity's series, for regions including those that have it as partner. */
  async searchDocuments(type: SearchableType): Promise<SearchDocument[]> {
    const { table } = ENTITY_TABLES[type];
    const rows = await this.#database.rows(`
      WITH counted AS (${countPoints(type)})
      SELECT id, name, aliases, coalesce(points, 0) AS points, ${placeFields(type)}
      FROM ${table} LEFT JOIN counted USING (id) ORDER BY id`);
    return mapInTurns(rows, (row) => ({
      id: row.id as number,
      name: row.name as string,
      aliases: aliasesOf(row),
      pointCount: row.points as number,
      level: row.level as number | null,
      historical: row.historical as boolean,
    }));
  }

  async namesChecksum(type: SearchableType): Promise<string> {
    const { table } = ENTITY_TABLES[type];
    const [row] = await this.#database.rows(`
      SELECT count(*) || '-' || coalesce(sum(hash(id, name, aliases, level, historical)::HUGEINT), 0) AS checksum
      FROM (SELECT id, name, aliases, ${placeFields(type)} FROM ${table})`);
    return row!.checksum as string;
  }

  async pointCounts(type: SearchableType): Promise<Map<number, number>> {
    const rows = await this.#database.rows(`FROM (${countPoints(type)}) WHERE points > 0`);
    return new Map(await mapInTurns(rows, (row) => [row.id as number, row.points as number] as const));
  }

  async identities(type: EntityType): Promise<StoredIdentity[]> {
    const { table } = ENTITY_TABLES[type];
    const sql = `SELECT id, identity FROM ${table} WHERE identity IS NOT NULL ORDER BY id`;
    return (await this.#database.rows(sql)) as unknown as StoredIdentity[];
  }

  containment(type: ContainingType): Promise<Containment> {
    let loaded = this.#containments.get(type);
    if (loaded === undefined) {
      loaded = this.#loadContainment(type);
      this.#containments.set(type, loaded);
      loaded.catch(() => this.#containments.delete(type));
    }
    return loaded;
  }

  async #read<Type extends EntityType>(
    type: Type,
    { clause, parameters, lists }: EntityQuery,
    options: ReadOptions | undefined,
  ): Promise<EntityOf[Type][]> {
    const { table, toEntity } = ENTITY_TABLES[type];
    const [rows, neighbours] = await Promise.all([
      this.#database.rows(`SELECT * FROM ${table} ${clause}`, parameters, options),
      lists?.() ?? null,
    ]);
    return mapInTurns(rows, (row) => toEntity(row, neighboursOf(row.id as number, neighbours)));
  }

  /** The neighbours of some entities: to read the whole containment takes longer, and is left to those who need it. */
  async #neighbours(
    type: ContainingType,
    ids: readonly number[],
    options: ReadOptions | undefined,
  ): Promise<NeighbourLists> {
    const loaded = this.#containments.get(type);
    if (loaded !== undefined) return loaded;
    const { table } = ENTITY_TABLES[type];
    const [parent, child] = [idCondition('parent', ids), idCondition('child', ids)];
    const pairs = await this.#pairs(
      `WHERE entity_type = '${type}' AND (${parent.where} OR ${child.where})
         AND parent IN (SELECT id FROM ${table}) AND child IN (SELECT id FROM ${table})`,
      { ...options, parameters: [...parent.parameters, ...child.parameters] },
    );
    const asked = new Set(ids);
    return listNeighbours(pairs, (id) => asked.has(id));
  }

  async #loadContainment(type: ContainingType): Promise<Containment> {
    const { table } = ENTITY_TABLES[type];
    const [entities, pairs] = await Promise.all([
      this.#database.rows(`SELECT id, ${placeFields(type)} FROM ${table}`),
      this.#pairs(`WHERE entity_type = '${type}'`),
    ]);
    return buildContainment(new Map(entities.map((row) => [row.id as number, containedEntity(row)])), pairs);
  }

  /** Parents with their children: there are thousands, of which rows would be objects. */
  async #pairs(where: string, options: StreamOptions = {}): Promise<ContainedPair[]> {
    const pairs: ContainedPair[] = [];
    const visit = (chunk: DuckDBDataChunk): void => {
      const parents = rawVector<Int32Array>(chunk, 0).items;
      const children = rawVector<Int32Array>(chunk, 1).items;
      for (let row = 0; row < chunk.rowCount; row++) pairs.push([parents[row]!, children[row]!]);
    };
    const sql = `SELECT parent, child FROM containment ${where} ORDER BY parent, child`;
    await this.#database.visitChunks(sql, visit, { ...options, isWhole: true });
    return pairs;
  }
}

function countPoints(type: SearchableType): string {
  const { table } = ENTITY_TABLES[type];
  const partners = `UNION ALL SELECT partner_region_id, point_count FROM series
    WHERE partner_region_id <> region_id AND partner_region_id <> 0`;
  return `SELECT id, sum(point_count)::DOUBLE AS points
    FROM (SELECT ${table}_id AS id, point_count FROM series ${type === 'regions' ? partners : ''}) GROUP BY id`;
}

function placeFields(type: EntityType): string {
  return type === 'regions' ? 'level, historical' : 'NULL::INTEGER AS level, false AS historical';
}

/** Shapes by ascending region. A shape without the requested detail is returned in the other one. */
export async function readShapes(
  database: Database,
  { regionIds, detail }: { regionIds: readonly number[]; detail: ShapeDetail },
  options?: ReadOptions,
): Promise<StoredShape[]> {
  const { where, parameters } = idCondition('region_id', regionIds);
  const rows = await database.rows(
    `SELECT region_id, geojson FROM shape WHERE ${where}
     QUALIFY row_number() OVER (PARTITION BY region_id ORDER BY detail = ? DESC) = 1 ORDER BY region_id`,
    [...parameters, textParameter(detail)],
    options,
  );
  return rows as unknown as StoredShape[];
}

export async function readHistoricalRegions(database: Database): Promise<number[]> {
  const rows = await database.rows('SELECT id FROM region WHERE historical ORDER BY id');
  return rows.map(({ id }) => id as number);
}

export async function readIdRedirects(database: Database): Promise<IdRedirect[]> {
  const rows = await database.rows(
    `SELECT field, old_id AS "oldId", new_id AS "newId", source_id AS "sourceId" FROM moved_id
     ORDER BY field, old_id, source_id NULLS FIRST`,
  );
  return rows as unknown as IdRedirect[];
}
