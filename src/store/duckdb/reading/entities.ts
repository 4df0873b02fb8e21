import type {
  ContainingType,
  EntityOf,
  EntityType,
  SearchableType,
  SearchDocument,
} from '../../../model/entity.js';
import { buildContainment, type ContainedEntity, type Containment } from '../../containment.js';
import type { StoredIdentity } from '../../store.js';
import type { Engine } from '../engine/engine.js';
import { type Bound, integer, oneOf, text } from '../engine/literals.js';
import { aliasesOf, ENTITY_TABLES, type Row } from '../entity-tables.js';

/** Entities, and the containment of each type, which is held in memory until the next import. */
export class EntityReader {
  readonly #containments = new Map<ContainingType, Promise<Containment>>();

  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** To be called when an import was committed. */
  forget(): void {
    this.#containments.clear();
  }

  async lookup<Type extends EntityType>(type: Type, ids: readonly number[]): Promise<EntityOf[Type][]> {
    const { where, bound } = oneOf('id', ids);
    return this.#read(type, `WHERE ${where} ORDER BY id`, bound);
  }

  async list<Type extends EntityType>(type: Type, limit: number): Promise<EntityOf[Type][]> {
    return this.#read(type, 'ORDER BY id LIMIT ?', [integer(limit)]);
  }

  /** `pointCount` counts the points of the series that carry the entity, a region also as the partner. */
  async searchDocuments(type: SearchableType): Promise<SearchDocument[]> {
    const { table } = ENTITY_TABLES[type];
    const regional = type === 'regions';
    const rows = await this.#engine.rows(`
      WITH carried AS (
        SELECT ${table}_id AS id, point_count FROM series
        ${regional ? 'UNION ALL SELECT partner_region_id, point_count FROM series WHERE partner_region_id <> region_id AND partner_region_id <> 0' : ''}
      ), counted AS (SELECT id, sum(point_count)::DOUBLE AS points FROM carried GROUP BY id)
      SELECT id, name, aliases, coalesce(points, 0) AS points,
        ${regional ? 'level, historical' : 'NULL AS level, false AS historical'}
      FROM ${table} LEFT JOIN counted USING (id) ORDER BY id`);
    return rows.map((row) => ({
      id: row.id as number,
      name: row.name as string,
      aliases: aliasesOf(row),
      pointCount: row.points as number,
      level: row.level as number | null,
      historical: row.historical as boolean,
    }));
  }

  async identities(type: EntityType): Promise<StoredIdentity[]> {
    const { table } = ENTITY_TABLES[type];
    const sql = `SELECT id, identity FROM ${table} WHERE identity IS NOT NULL ORDER BY id`;
    return (await this.#engine.rows(sql)) as unknown as StoredIdentity[];
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
    clause: string,
    bound: readonly Bound[],
  ): Promise<EntityOf[Type][]> {
    const { table, toEntity } = ENTITY_TABLES[type];
    const rows = await this.#engine.rows(`SELECT * FROM ${table} ${clause}`, bound);
    const containment = isContaining(type) ? await this.containment(type) : null;
    return rows.map((row) => toEntity(row, neighboursOf(row.id as number, containment)));
  }

  async #loadContainment(type: ContainingType): Promise<Containment> {
    const { table } = ENTITY_TABLES[type];
    const fields = type === 'regions' ? 'id, level, historical' : 'id, NULL AS level, false AS historical';
    const [entities, pairs] = await Promise.all([
      this.#engine.rows(`SELECT ${fields} FROM ${table}`),
      this.#engine.rows('SELECT parent, child FROM containment WHERE entity_type = ?', [text(type)]),
    ]);
    return buildContainment(
      new Map(entities.map((row) => [row.id as number, containedEntity(row)])),
      pairs.map((row) => [row.parent as number, row.child as number] as const),
    );
  }
}

function isContaining(type: EntityType): type is ContainingType {
  return type === 'metrics' || type === 'items' || type === 'regions';
}

function containedEntity(row: Row): ContainedEntity {
  return { level: row.level as number | null, historical: row.historical as boolean };
}

function neighboursOf(id: number, containment: Containment | null) {
  return {
    contains: [...(containment?.contains.get(id) ?? [])],
    belongsTo: [...(containment?.belongsTo.get(id) ?? [])],
  };
}
