import type { DuckDBConnection } from '@duckdb/node-api';
import type { EntityType } from '../../../model/entity.js';
import type { ImportCounts } from '../../../model/importing/outcome.js';
import type { LongOperation } from '../../../model/progress.js';
import type { StoredFetch } from '../../import-records.js';
import type { Settled } from './settle.js';

/** The content of a batch: entities of a type, or shapes. */
export type BatchKind = EntityType | 'shapes';

/** An import that is ready to be committed. */
export interface SettledImport {
  /** The connection that sees the entities, shapes and records of the import, and its settled points. */
  readonly connection: DuckDBConnection;
  readonly settled: Settled;
  /** Whether vintages that repeat the one before them are kept, as they are in the store that is copied. */
  readonly isCopy: boolean;
  /** The time of the import. Vintages without a date of their own, and corrections, become available then. */
  readonly importedMs: number;
  /** The fetches that the import forgets; the tables of the connection no longer have them. */
  readonly forgotten: readonly Pick<StoredFetch, 'dataset' | 'request'>[];
  /** Whether the import has added containment. */
  readonly hasContainment: boolean;
}

/** The store into which an import is committed. */
export interface ImportTarget {
  /** The location of the store, for messages. */
  readonly location: string;
  /**
   * Tells whether the store still has all entities and shapes of a batch.
   * @param put the kinds of entities that this import has put so far
   */
  knowsBatch(digest: string, put: ReadonlySet<BatchKind>): Promise<boolean>;
  /** Adds the names of the entities of conflicting points to the tables of the connection. */
  loadConflictNames(connection: DuckDBConnection): Promise<void>;
  /** Makes the import visible to readers. `entities` counts those that were added or changed. */
  commit(settled: SettledImport, operation: LongOperation): Promise<ImportCounts>;
  /** Releases what the import holds, and discards what was not committed. */
  end(): Promise<void>;
}
