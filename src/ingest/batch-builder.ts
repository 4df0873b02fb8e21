import type { EntityType } from '../model/entity.js';
import type { Progress } from '../model/progress.js';
import type { SeriesKey } from '../model/series.js';
import type { NewEntity } from '../store/store.js';
import type { ImportBatch, RejectedRow } from './importer.js';
import { type NewPoint, NewPointsBuilder } from './new-points.js';

/** One row cannot be used; caught by the loop over the rows, which names file and line. */
export class RowError extends Error {}

const MAX_REJECTED_TEXT = 500;

/** Gathers what an importer finds, entities once each, until the next batch is taken. */
export class BatchBuilder {
  readonly #points = new NewPointsBuilder();
  readonly #identities = new Map<string, string>();
  #entities = new Map<EntityType, NewEntity<EntityType>[]>();
  #rejected: RejectedRow[] = [];
  #notes: string[] = [];

  /** Enough rows have come for a batch. */
  get full(): boolean {
    return this.#points.full;
  }

  /** @throws RowError when the value is beyond what a number can hold */
  add(key: SeriesKey, point: NewPoint): void {
    if (point.value !== null && !Number.isFinite(point.value)) throw new RowError('the value is too large');
    this.#points.add(key, point);
  }

  /**
   * Puts an entity once. `identity` is what its id was made from.
   * @throws RowError when another identity has the same id: two hashes met
   */
  put<Type extends EntityType>(type: Type, entity: NewEntity<Type>, identity: string): void {
    const slot = `${type} ${entity.id}`;
    const known = this.#identities.get(slot);
    if (known === identity) return;
    if (known !== undefined)
      throw new RowError(`"${identity}" would have the id of "${known}" among ${type}`);
    this.#identities.set(slot, identity);
    const rows = this.#entities.get(type) ?? [];
    rows.push(entity as unknown as NewEntity<EntityType>);
    this.#entities.set(type, rows);
  }

  /** Remembers where the points stand, for `revert`. */
  mark(): void {
    this.#points.mark();
  }

  /** Drops the points added since the mark, so that a row counts whole or not at all. */
  revert(): void {
    this.#points.revert();
  }

  reject({ text, ...row }: RejectedRow): void {
    this.#rejected.push({ ...row, text: text.slice(0, MAX_REJECTED_TEXT) });
  }

  note(text: string): void {
    this.#notes.push(text);
  }

  take(progress: Progress): ImportBatch {
    const batch: ImportBatch = {
      entities: Object.fromEntries(this.#entities) as NonNullable<ImportBatch['entities']>,
      ...(this.#points.length > 0 ? { points: this.#points.take() } : {}),
      rejected: this.#rejected,
      notes: this.#notes,
      progress,
    };
    this.#entities = new Map();
    this.#rejected = [];
    this.#notes = [];
    return batch;
  }
}
