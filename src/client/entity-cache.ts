import type { EntityOf, EntityType } from '../model/entity.js';

const KEPT_ENTITIES = 50_000;

/** Entities already looked up by one client; the oldest leave first when there are too many. */
export class EntityCache {
  readonly #kept = new Map<string, EntityOf[EntityType]>();

  get<Type extends EntityType>(type: Type, id: number): EntityOf[Type] | undefined {
    return this.#kept.get(`${type}/${id}`) as EntityOf[Type] | undefined;
  }

  set<Type extends EntityType>(type: Type, entity: EntityOf[Type]): void {
    const key = `${type}/${entity.id}`;
    if (this.#kept.size >= KEPT_ENTITIES && !this.#kept.has(key)) {
      const oldest = this.#kept.keys().next().value;
      if (oldest !== undefined) this.#kept.delete(oldest);
    }
    this.#kept.set(key, entity);
  }
}
