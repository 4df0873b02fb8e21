import type { DuckDBConnection } from '@duckdb/node-api';
import { NO_UNIT_ID } from '../../../columns/point-columns.js';
import { CONTAINING_TYPES } from '../../../model/entity.js';
import { StoreError } from '../../../model/errors.js';
import { SERIES_KEY_FIELDS, SERIES_KEY_TYPES } from '../../../model/series.js';
import { formatTime } from '../../../model/time.js';
import { ENTITY_TABLES } from '../entity-tables.js';
import { END_MS, STAGED, START_MS } from '../point-tables.js';

/**
 * The ids without an entity as rows of `what`, `kind` and `id`: the ids of series, the units of points, and the parents of
 * entities. The world as partner (0) and points without a unit (0) need no entity. Series before the handle `from` are left
 * out.
 */
export function integritySql(from = 0): string {
  const series = SERIES_KEY_FIELDS.map((field) => {
    const { table } = ENTITY_TABLES[SERIES_KEY_TYPES[field]];
    return `SELECT 'a series has ${field} ' || ${field} AS what, '${table}' AS kind, ${field} AS id
      FROM series ANTI JOIN ${table} ON ${table}.id = series.${field}
      WHERE handle >= ${from} ${field === 'partner_region_id' ? 'AND partner_region_id <> 0' : ''}`;
  });
  const units = `SELECT 'a point has unit_id ' || unit_id, 'unit', unit_id
    FROM series_unit ANTI JOIN unit ON unit.id = series_unit.unit_id WHERE unit_id <> ${NO_UNIT_ID}`;
  const parents = CONTAINING_TYPES.map((type) => {
    const { table } = ENTITY_TABLES[type];
    return `SELECT '${table} ' || child || ' belongs to ' || parent, '${table}', parent
      FROM containment ANTI JOIN ${table} ON ${table}.id = containment.parent WHERE entity_type = '${type}'`;
  });
  return `${[...series, units, ...parents].join(' UNION ALL ')} ORDER BY ALL`;
}

/**
 * Checks what an import has added. Older series cannot lose an entity: none is ever removed.
 * @param from the handle of the first new series
 * @throws StoreError that names the first id without an entity
 */
export async function checkIntegrity(connection: DuckDBConnection, from: number): Promise<void> {
  const [broken] = (await connection.runAndReadAll(`${integritySql(from)} LIMIT 1`)).getRows();
  if (broken === undefined) return;
  const [what, kind, id] = broken;
  throw new StoreError(`${what}, but there is no ${kind} ${id}; add that ${kind} to the import`);
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
