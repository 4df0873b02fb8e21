import type { DuckDBConnection } from '@duckdb/node-api';
import type { EntityType } from '../../../model/entity.js';

/** What a batch holds: entities of a type, or shapes. */
export type BatchKind = EntityType | 'shapes';

/**
 * The batches of entities and shapes that a store has as they were put, by digest. A batch is forgotten when an entity of
 * one of its types is replaced by another one, or gets another id.
 */
export class KnownBatches {
  /** Whether the table has something else than what is known. */
  #hasChanged = false;
  readonly #kinds: Map<string, ReadonlySet<BatchKind>>;

  private constructor(kinds: Map<string, ReadonlySet<BatchKind>>) {
    this.#kinds = kinds;
  }

  static async load(connection: DuckDBConnection): Promise<KnownBatches> {
    const read = await connection.runAndReadAll('SELECT digest, kinds FROM known_batch');
    const rows = read.getRows() as [digest: string, kinds: string][];
    return new KnownBatches(
      new Map(rows.map(([digest, kinds]) => [digest, new Set(kinds.split(' ') as BatchKind[])])),
    );
  }

  has(digest: string): boolean {
    return this.#kinds.has(digest);
  }

  add(digest: string, kinds: ReadonlySet<BatchKind>): void {
    this.#kinds.set(digest, kinds);
    this.#hasChanged = true;
  }

  forget(kind: BatchKind): void {
    for (const [digest, kinds] of this.#kinds) {
      if (kinds.has(kind)) this.#hasChanged = this.#kinds.delete(digest);
    }
  }

  /** Writes what is known. */
  async save(connection: DuckDBConnection): Promise<void> {
    if (!this.#hasChanged) return;
    await connection.run('DELETE FROM known_batch');
    for (const [digest, kinds] of this.#kinds) {
      const row = [digest, [...kinds].join(' ')];
      await connection.run('INSERT INTO known_batch VALUES (?, ?)', row);
    }
  }
}
