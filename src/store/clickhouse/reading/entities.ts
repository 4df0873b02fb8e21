import type {
  ContainingType,
  EntityOf,
  EntityType,
  SearchableType,
  SearchDocument,
} from '../../../model/entity.js';
import {
  buildContainment,
  type Containment,
  containedEntity,
  isContaining,
  neighboursOf,
} from '../../containment.js';
import { aliasesOf, ENTITY_TABLES, type Row } from '../../duckdb/entity-tables.js';
import type {
  IdRedirect,
  ReadOptions,
  ShapeDetail,
  StoredIdentity,
  StoredName,
  StoredShape,
} from '../../store.js';
import { mapInTurns } from '../../turns.js';
import type { Cluster } from '../engine/cluster.js';
import { type Condition, type Snapshot, visible } from '../engine/snapshot.js';
import { allOf, idCondition } from './conditions.js';

/** Reads entities from the first server. The containment of each type is kept until a snapshot differs. */
export class EntityReader {
  readonly #containments = new WeakMap<Snapshot, Map<ContainingType, Promise<Containment>>>();
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async lookup<Type extends EntityType>(
    type: Type,
    ids: readonly number[],
    options?: ReadOptions,
  ): Promise<EntityOf[Type][]> {
    const snapshot = await this.#cluster.snapshot(options);
    const { where, parameters } = allOf(visible(snapshot), idCondition('id', ids));
    return this.#read(type, { snapshot, clause: `WHERE ${where} ORDER BY id`, parameters }, options);
  }

  async names(type: EntityType, ids: readonly number[]): Promise<StoredName[]> {
    const historical = type === 'regions' ? 'historical' : 'false AS historical';
    const rows = await this.#select(`id, name, ${historical}`, type, { of: idCondition('id', ids) });
    return rows as unknown as StoredName[];
  }

  async list<Type extends EntityType>(
    type: Type,
    limit: number,
    options?: ReadOptions,
  ): Promise<EntityOf[Type][]> {
    const snapshot = await this.#cluster.snapshot(options);
    const { where, parameters } = visible(snapshot);
    const clause = `WHERE ${where} ORDER BY id LIMIT {limit:UInt32}`;
    return this.#read(type, { snapshot, clause, parameters: { ...parameters, limit } }, options);
  }

  /** `pointCount` counts the points of an entity's series, for regions including those that have it as partner. */
  async searchDocuments(type: SearchableType): Promise<SearchDocument[]> {
    const snapshot = await this.#cluster.snapshot();
    const [rows, counts] = await Promise.all([
      this.#select(`id, name, aliases, ${placeFields(type)}`, type, { snapshot }),
      this.#countPoints(type, snapshot),
    ]);
    return mapInTurns(rows, (row) => ({
      id: row.id as number,
      name: row.name as string,
      aliases: aliasesOf(row),
      pointCount: counts.get(row.id as number) ?? 0,
      level: row.level as number | null,
      historical: row.historical as boolean,
    }));
  }

  async namesChecksum(type: SearchableType): Promise<string> {
    const { where, parameters } = visible(await this.#cluster.snapshot());
    const [row] = await this.#cluster.first.rows(
      `SELECT concat(toString(count()), '-', toString(sum(sipHash64(id, name, aliases, ifNull(level, -1), historical))))
        AS checksum
      FROM (SELECT id, name, aliases, ${placeFields(type)} FROM ${ENTITY_TABLES[type].table} WHERE ${where})`,
      parameters,
    );
    return row!.checksum as string;
  }

  async pointCounts(type: SearchableType): Promise<Map<number, number>> {
    return this.#countPoints(type, await this.#cluster.snapshot());
  }

  async identities(type: EntityType): Promise<StoredIdentity[]> {
    const of = { where: 'identity IS NOT NULL', parameters: {} };
    return (await this.#select('id, identity', type, { of })) as unknown as StoredIdentity[];
  }

  async containment(type: ContainingType, snapshot?: Snapshot): Promise<Containment> {
    const of = snapshot ?? (await this.#cluster.snapshot());
    const known = this.#containments.get(of) ?? new Map<ContainingType, Promise<Containment>>();
    this.#containments.set(of, known);
    let loaded = known.get(type);
    if (loaded === undefined) {
      loaded = this.#loadContainment(type, of);
      known.set(type, loaded);
      loaded.catch(() => known.delete(type));
    }
    return loaded;
  }

  async #read<Type extends EntityType>(
    type: Type,
    {
      snapshot,
      clause,
      parameters,
    }: { snapshot: Snapshot; clause: string; parameters: Condition['parameters'] },
    options: ReadOptions | undefined,
  ): Promise<EntityOf[Type][]> {
    const { table, columns, toEntity } = ENTITY_TABLES[type];
    const names = columns.map(([name]) => name).join(', ');
    const rows = await this.#cluster.first.rows(
      `SELECT ${names} FROM ${table} ${clause}`,
      parameters,
      options,
    );
    const containment = isContaining(type) ? await this.containment(type, snapshot) : null;
    return mapInTurns(rows, (row) => toEntity(row, neighboursOf(row.id as number, containment)));
  }

  /** Columns of the entities of a type that meet a condition, by ascending id. */
  async #select(
    columns: string,
    type: EntityType,
    { snapshot, of }: { snapshot?: Snapshot; of?: Condition },
  ): Promise<Row[]> {
    const visibleRows = visible(snapshot ?? (await this.#cluster.snapshot()));
    const { where, parameters } = of === undefined ? visibleRows : allOf(visibleRows, of);
    const sql = `SELECT ${columns} FROM ${ENTITY_TABLES[type].table} WHERE ${where} ORDER BY id`;
    return this.#cluster.first.rows(sql, parameters);
  }

  /** The number of points of each entity that has any. */
  async #countPoints(type: SearchableType, snapshot: Snapshot): Promise<Map<number, number>> {
    const { where, parameters } = visible(snapshot);
    const field = `${ENTITY_TABLES[type].table}_id`;
    const partners = `UNION ALL SELECT partner_region_id AS id, point_count FROM series
      WHERE ${where} AND partner_region_id <> region_id AND partner_region_id <> 0`;
    const rows = await this.#cluster.first.rows(
      `SELECT id, sum(point_count) AS points
      FROM (SELECT ${field} AS id, point_count FROM series WHERE ${where} ${type === 'regions' ? partners : ''})
      GROUP BY id HAVING points > 0`,
      parameters,
    );
    return new Map(await mapInTurns(rows, (row) => [row.id as number, row.points as number] as const));
  }

  async #loadContainment(type: ContainingType, snapshot: Snapshot): Promise<Containment> {
    const { where, parameters } = visible(snapshot);
    const [entities, pairs] = await Promise.all([
      this.#select(`id, ${placeFields(type)}`, type, { snapshot }),
      this.#cluster.first.rows(
        `SELECT parent, child FROM containment WHERE entity_type = {type:String} AND ${where}`,
        { ...parameters, type },
      ),
    ]);
    return buildContainment(
      new Map(await mapInTurns(entities, (row) => [row.id as number, containedEntity(row)] as const)),
      await mapInTurns(pairs, (row) => [row.parent as number, row.child as number] as const),
    );
  }
}

function placeFields(type: EntityType): string {
  return type === 'regions'
    ? 'level, historical'
    : "CAST(NULL, 'Nullable(Int32)') AS level, false AS historical";
}

/** Shapes by ascending region. A shape without the requested detail is returned in the other one. */
export async function readShapes(
  cluster: Cluster,
  { regionIds, detail }: { regionIds: readonly number[]; detail: ShapeDetail },
  options?: ReadOptions,
): Promise<StoredShape[]> {
  const { where, parameters } = allOf(
    visible(await cluster.snapshot(options)),
    idCondition('region_id', regionIds),
  );
  const rows = await cluster.first.rows(
    `SELECT region_id, geojson FROM shape WHERE ${where}
    ORDER BY region_id, detail = {detail:String} DESC LIMIT 1 BY region_id`,
    { ...parameters, detail },
    options,
  );
  return rows as unknown as StoredShape[];
}

export async function readHistoricalRegions(cluster: Cluster): Promise<number[]> {
  const { where, parameters } = visible(await cluster.snapshot());
  const sql = `SELECT id FROM region WHERE ${where} AND historical ORDER BY id`;
  return (await cluster.first.rows(sql, parameters)).map(({ id }) => id as number);
}

export async function readIdRedirects(cluster: Cluster): Promise<IdRedirect[]> {
  const { where, parameters } = visible(await cluster.snapshot());
  const rows = await cluster.first.rows(
    `SELECT field, old_id AS oldId, new_id AS newId, source_id AS sourceId FROM moved_id WHERE ${where}
    ORDER BY field, old_id, source_id NULLS FIRST`,
    parameters,
  );
  return rows as unknown as IdRedirect[];
}
