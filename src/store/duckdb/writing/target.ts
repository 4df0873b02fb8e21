import type { DuckDBConnection } from '@duckdb/node-api';
import type { EntityType } from '../../../model/entity.js';
import { StoreError } from '../../../model/errors.js';
import type { ImportCounts } from '../../../model/importing/outcome.js';
import type { LongOperation } from '../../../model/progress.js';
import { describeMissing, missingEntitiesSql, type Referring } from '../../queries/faults.js';
import type { Database } from '../engine/database.js';
import { PARTS, quoteLiteral } from '../engine/sql-values.js';
import { RENEW_STORE_ID } from '../schema.js';
import { mergePoints } from './merge.js';
import type { SettledImport } from './settle.js';

export type BatchKind = EntityType | 'shapes';

/** The store into which an import is committed. */
export interface ImportTarget {
  readonly location: string;
  /**
   * Checks whether the store still has all entities and shapes of a batch that `putOnce` added earlier.
   * @param put the types of rows that this import has written so far
   */
  knowsBatch(digest: string, put: ReadonlySet<BatchKind>): Promise<boolean>;
  /** Loads the names of the entities in conflicting points into the connection's tables. */
  loadConflictNames(connection: DuckDBConnection): Promise<void>;
  /** Makes the import visible to readers. In the result, `entities` is the number of added or changed entities. */
  commit(settled: SettledImport, operation: LongOperation): Promise<ImportCounts>;
  /** Releases the import's resources, and discards everything that was not committed. */
  end(): Promise<void>;
}

/**
 * Returns a target for an import directly into `database`. Entities are written to the store's tables immediately, and
 * a single transaction commits them with the points.
 * @param connection the connection with the open transaction
 * @param countEntities returns the number of entities that the import has added or changed
 */
export function fileTarget(
  database: Database,
  connection: DuckDBConnection,
  countEntities: () => number,
): ImportTarget {
  return {
    location: database.location,
    async knowsBatch(digest) {
      const found = `SELECT 1 FROM known_batch WHERE digest = ${quoteLiteral(digest)}`;
      return (await connection.runAndReadAll(found)).currentRowCount > 0;
    },
    async loadConflictNames() {},
    async commit(settled, operation): Promise<ImportCounts> {
      const { newFrom, ...counts } = await mergePoints(settled, operation);
      const points = counts.added > 0;
      await checkIntegrity(connection, { from: newFrom, points, contained: settled.hasContainment });
      await connection.run(`${RENEW_STORE_ID}, imports = imports + 1`);
      operation.signal?.throwIfAborted();
      await database.commit(connection);
      return { ...counts, entities: countEntities() };
    },
    end: () => database.foldLongLog(),
  };
}

/**
 * Checks that each id that an import has added belongs to an entity. Older rows need no check, because entities are
 * never removed.
 * @throws StoreError if an id has no entity; the message names the first one
 */
async function checkIntegrity(connection: DuckDBConnection, added: Required<Referring>): Promise<void> {
  if (!added.points && !added.contained) return;
  const sql = missingEntitiesSql(PARTS, { ...added, limit: 1 });
  const [missing] = (await connection.runAndReadAll(sql)).getRowObjects();
  if (missing !== undefined) throw missingError(missing);
}

export function missingError(missing: Readonly<Record<string, unknown>>): StoreError {
  return new StoreError(`${describeMissing(missing)}; add that ${missing.kind} to the import`);
}
