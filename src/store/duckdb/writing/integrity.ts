import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import { formatTime } from '../../../model/time.js';
import { describeMissing, missingEntitiesSql } from '../../queries/missing-entities.js';
import { Parts } from '../engine/sql-values.js';
import { END_MS, STAGED, START_MS } from '../point-tables.js';

/**
 * Checks the additions of an import. Older series cannot lose an entity: none is ever removed.
 * @param from the handle of the first new series
 * @throws StoreError that names the first id without an entity
 */
export async function checkIntegrity(connection: DuckDBConnection, from: number): Promise<void> {
  const sql = missingEntitiesSql(new Parts(), { from, limit: 1 });
  const [missing] = (await connection.runAndReadAll(sql)).getRowObjects();
  if (missing !== undefined)
    throw new StoreError(`${describeMissing(missing)}; add that ${missing.kind} to the import`);
}

/** The first staged row whose period ends before it starts: the ids of its series, and its dates. */
const INVALID_PERIOD = `
  SELECT series::DOUBLE, ${START_MS}::DOUBLE, ${END_MS}::DOUBLE FROM ${STAGED}
  WHERE days < 0 OR (days = 0 AND end_ms < start_ms) LIMIT 1`;

/** @throws StoreError that names the first staged point whose period ends before it starts */
export async function checkPeriods(connection: DuckDBConnection): Promise<void> {
  const [invalid] = (await connection.runAndReadAll(INVALID_PERIOD)).getRows() as [number, number, number][];
  if (invalid === undefined) return;
  const [series, startMs, endMs] = invalid;
  throw new StoreError(
    `a point of the import's series ${series} starts on ${formatTime(startMs)} but ends before that, on ` +
      `${formatTime(endMs)}; correct its dates`,
  );
}
