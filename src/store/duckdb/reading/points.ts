import type { PointColumns } from '../../../columns/point-columns.js';
import type { PointPlan, StoredSeries } from '../../plan.js';
import type { Database } from '../engine/database.js';
import { timeLiteral } from '../engine/sql-values.js';
import { PointBatch } from './point-batch.js';

/** A batch ends before the chunk that would exceed this. */
const MAX_BATCH_ROWS = 65_536;
const CHUNK_ROWS = 2_048;

/** Limits of one query. They bound the time that DuckDB sorts before the first batch. */
const MAX_QUERY_POINTS = 1_000_000;
const MAX_QUERY_SERIES = 1_000;

/** Reads the points of a plan in batches of at most 65,536 rows. */
export async function* readPoints(
  database: Database,
  plan: PointPlan,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<PointColumns, void, void> {
  let batch = new PointBatch(plan);
  for (const handles of handleGroups(plan.series)) {
    for await (const chunk of database.chunks(pointSql(plan, handles), { signal })) {
      batch.add(chunk);
      if (batch.length + CHUNK_ROWS <= MAX_BATCH_ROWS) continue;
      yield batch.columns();
      batch = new PointBatch(plan);
    }
  }
  if (batch.length > 0) yield batch.columns();
}

function* handleGroups(series: readonly StoredSeries[]): Generator<number[], void, void> {
  let handles: number[] = [];
  let points = 0;
  for (const { handle, pointCount } of series) {
    if (
      handles.length === MAX_QUERY_SERIES ||
      (handles.length > 0 && points + pointCount > MAX_QUERY_POINTS)
    ) {
      yield handles;
      handles = [];
      points = 0;
    }
    handles.push(handle);
    points += pointCount;
  }
  if (handles.length > 0) yield handles;
}

/** The query for some series of a plan, by the rules of `compute/revisions.ts`. */
function pointSql(plan: PointPlan, handles: readonly number[]): string {
  const columns = pointColumns(plan);
  const since = plan.sinceMs === null ? '' : `available_date >= ${timeLiteral(plan.sinceMs)}`;
  const order = 'ORDER BY series, start_date, end_date, reporting_date NULLS FIRST, available_date';
  const where = pointConditions(plan, handles);
  if (plan.history === 'latest' && plan.atMs === null) {
    return `SELECT ${columns} FROM point WHERE ${[where, since].filter(Boolean).join(' AND ')} ${order}`;
  }
  const vintages = `SELECT * FROM point WHERE ${where} UNION ALL SELECT * FROM point_history WHERE ${where}`;
  const latestOnly =
    plan.history === 'complete' ? '' : `QUALIFY row_number() OVER (${VINTAGE_WINDOWS[plan.history]}) = 1`;
  const selected = `SELECT * FROM (${vintages}) ${latestOnly}`;
  return `SELECT ${columns} FROM (${selected}) ${since && `WHERE ${since}`} ${order}`;
}

const VINTAGE_WINDOWS = {
  latest:
    'PARTITION BY series, start_date, end_date ORDER BY reporting_date DESC NULLS LAST, available_date DESC',
  reporting: 'PARTITION BY series, start_date, end_date, reporting_date ORDER BY available_date DESC',
};

function pointColumns({ withAvailableDate, withMetadata }: PointPlan): string {
  const columns = ['series', 'start_date', 'end_date', 'value', 'unit_id', 'reporting_date'];
  if (withAvailableDate) columns.push('available_date');
  if (withMetadata) columns.push('metadata');
  return columns.join(', ');
}

function pointConditions({ startMs, endMs, atMs }: PointPlan, handles: readonly number[]): string {
  const conditions = [handleCondition(handles)];
  if (startMs !== null) conditions.push(`end_date >= ${timeLiteral(startMs)}`);
  if (endMs !== null) conditions.push(`start_date <= ${timeLiteral(endMs)}`);
  if (atMs !== null) conditions.push(`available_date <= ${timeLiteral(atMs)}`);
  return conditions.join(' AND ');
}

/** Consecutive handles as a range, which lets DuckDB skip the most row groups; other handles as a list. */
function handleCondition(handles: readonly number[]): string {
  const first = handles[0]!;
  const last = handles.at(-1)!;
  if (last - first === handles.length - 1) return `series BETWEEN ${first} AND ${last}`;
  return `series IN (${handles.join(', ')})`;
}
