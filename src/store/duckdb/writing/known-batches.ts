import type { DuckDBConnection } from '@duckdb/node-api';
import type { EntityType } from '../../../model/entity.js';

/** What a batch holds: entities of a type, or shapes. */
export type BatchKind = EntityType | 'shapes';

/**
 * Created with the first import. Stores without it are of the same schema. `imports` is the import after which a row was
 * true: a version that does not know the table imports without it.
 */
export const KNOWN_BATCH_DDL =
  'CREATE TABLE IF NOT EXISTS known_batch (digest VARCHAR, kinds VARCHAR, imports INTEGER)';

/**
 * The batches of entities and shapes that a store has as they were put, by digest. A batch is forgotten when an entity of
 * one of its types is replaced by another one, or gets another id.
 */
export class KnownBatches {
  /** Whether the table has something else than what is known. */
  #hasChanged: boolean;
  readonly #kinds: Map<string, ReadonlySet<BatchKind>>;

  private constructor(kinds: Map<string, ReadonlySet<BatchKind>>, hasOutdated: boolean) {
    this.#kinds = kinds;
    this.#hasChanged = hasOutdated;
  }

  static async load(connection: DuckDBConnection): Promise<KnownBatches> {
    await connection.run(KNOWN_BATCH_DDL);
    const read = await connection.runAndReadAll(
      'SELECT digest, kinds, known_batch.imports = meta.imports FROM known_batch, meta',
    );
    const rows = read.getRows() as [digest: string, kinds: string, isTrue: boolean][];
    const known = rows.filter(([, , isTrue]) => isTrue);
    return new KnownBatches(
      new Map(known.map(([digest, kinds]) => [digest, new Set(kinds.split(' ') as BatchKind[])])),
      known.length < rows.length,
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

  /** Writes what is known, after the import is counted. */
  async save(connection: DuckDBConnection): Promise<void> {
    if (!this.#hasChanged) {
      if (this.#kinds.size > 0) await connection.run('UPDATE known_batch SET imports = imports + 1');
      return;
    }
    await connection.run('DELETE FROM known_batch');
    for (const [digest, kinds] of this.#kinds) {
      const row = [digest, [...kinds].join(' ')];
      await connection.run('INSERT INTO known_batch SELECT ?, ?, imports FROM meta', row);
    }
  }
}
