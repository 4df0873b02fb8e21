import { type HandleRange, handleRanges } from '../../packing/handles.js';
import { readsLatest } from '../../packing/known-series.js';
import type { PointPlan, StoredSeries } from '../../plan.js';
import { timeLiteral } from '../engine/sql-values.js';

/** The query for some series of a plan in the order of the layout, as far as the engine keeps it. */
export function layoutSql(plan: PointPlan, series: readonly StoredSeries[]): string {
  const conditions = [...dateConditions(plan), ...sinceCondition(plan)];
  return handleConditions(series)
    .map(
      (handles) => `SELECT ${pointColumns(plan)} FROM point WHERE ${[handles, ...conditions].join(' AND ')}`,
    )
    .join(' UNION ALL ');
}

/**
 * What selects some series: a range or a list of their handles, or several ranges to be read one after another.
 * @param maxShortRanges so many ranges are read one after another, however short they are
 */
export function handleConditions(series: readonly StoredSeries[], maxShortRanges = 1): string[] {
  const ranges = handleRanges(series);
  const areLong = ranges.length <= MAX_RANGES && ranges.length * MIN_SERIES_A_RANGE <= series.length;
  return areLong || ranges.length <= maxShortRanges ? ranges.map(rangeCondition) : [listCondition(series)];
}

/** The query for some series of a plan, sorted, by the rules of `test/store/conformance/revision-rules.ts`. */
export function sortedSql(plan: PointPlan, series: readonly StoredSeries[]): string {
  const columns = pointColumns(plan);
  const order = 'ORDER BY series, start_date, end_date, reporting_date NULLS FIRST, available_date';
  const ranges = handleRanges(series);
  const handles = ranges.length === 1 ? rangeCondition(ranges[0]!) : listCondition(series);
  const since = sinceCondition(plan);
  const conditions = [handles, ...dateConditions(plan)];
  if (readsLatest(plan))
    return `SELECT ${columns} FROM point WHERE ${[...conditions, ...since].join(' AND ')} ${order}`;
  const where = conditions.join(' AND ');
  const vintages = `SELECT * FROM point WHERE ${where} UNION ALL SELECT * FROM point_history WHERE ${where}`;
  const latestOnly =
    plan.history === 'complete' ? '' : `QUALIFY row_number() OVER (${VINTAGE_WINDOWS[plan.history]}) = 1`;
  const selected = `SELECT * FROM (${vintages}) ${latestOnly}`;
  const filtered = [
    `SELECT ${columns} FROM (${selected})`,
    ...since.map((condition) => `WHERE ${condition}`),
  ];
  return [...filtered, order].join(' ');
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

function dateConditions({ startMs, endMs, atMs }: PointPlan): string[] {
  const conditions: string[] = [];
  if (startMs !== null) conditions.push(`end_date >= ${timeLiteral(startMs)}`);
  if (endMs !== null) conditions.push(`start_date <= ${timeLiteral(endMs)}`);
  if (atMs !== null) conditions.push(`available_date <= ${timeLiteral(atMs)}`);
  return conditions;
}

export function sinceCondition({ sinceMs }: PointPlan): string[] {
  return sinceMs === null ? [] : [`available_date >= ${timeLiteral(sinceMs)}`];
}

/** One list of handles is faster than a scan of each range where ranges have fewer series on average, or are many. */
const MIN_SERIES_A_RANGE = 4;
const MAX_RANGES = 32;

/**
 * Lets DuckDB skip the most row groups. Ranges joined by OR let it skip none; one series is found with two thirds of the
 * processor time of a range with it alone.
 */
function rangeCondition([first, last]: HandleRange): string {
  return first === last ? `series = ${first}` : `series BETWEEN ${first} AND ${last}`;
}

function listCondition(series: readonly StoredSeries[]): string {
  return `series IN (${series.map(({ handle }) => handle).join(', ')})`;
}
