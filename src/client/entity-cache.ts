import type { Entity, EntityType } from '../model/entity.js';

const KEPT_ENTITIES = 50_000;

/** Entities already looked up by one client; the oldest leave first when there are too many. */
export class EntityCache {
  private readonly kept = new Map<string, Entity>();

  has(type: EntityType, id: number): boolean {
    return this.kept.has(`${type}/${id}`);
  }

  get(type: EntityType, id: number): Entity | undefined {
    return this.kept.get(`${type}/${id}`);
  }

  set(type: EntityType, entity: Entity): void {
    if (this.kept.size >= KEPT_ENTITIES) {
      const oldest = this.kept.keys().next().value;
      if (oldest !== undefined) this.kept.delete(oldest);
    }
    this.kept.set(`${type}/${entity.id}`, entity);
  }
}
