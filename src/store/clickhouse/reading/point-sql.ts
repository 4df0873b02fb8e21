import { columnNames, readsLatest, type VaryingColumns } from '../../packing/point-groups.js';
import type { PointHistory, PointPlan } from '../../plan.js';
import { imported, type Snapshot } from '../engine/snapshot.js';

/** The value in place of a missing reporting date: it is sorted before all dates. */
export const NO_REPORTING_DATE = '-9223372036854775808';

/**
 * Returns the query for the points of a plan. Latest ones are in the order of parts of the table; a consumer orders
 * them.
 * @param isRevised whether a period may have several vintages: choosing the latest takes longer than reading them
 */
export function pointSql(
  plan: PointPlan,
  handles: string,
  { snapshot, read, isRevised }: { snapshot: Snapshot; read: VaryingColumns; isRevised: boolean },
): string {
  const where = [handles, imported(snapshot), ...dateConditions(plan)].join(' AND ');
  const since = plan.sinceMs === null ? 'true' : `available_date >= ${timeLiteral(Math.ceil(plan.sinceMs))}`;
  const rows = isRevised ? `(${vintageSql(plan.history, where)}) WHERE` : `point WHERE ${where} AND`;
  return `SELECT ${numbers(read)} FROM ${rows} ${since} ${readsLatest(plan) ? '' : `ORDER BY ${ORDER}`}`;
}

/** Returns the columns of points; NaN means no date. */
function numbers(read: VaryingColumns): string {
  const columns = columnNames(read).map((name) => {
    if (name === 'reporting_date')
      return `if(reporting_date = ${NO_REPORTING_DATE}, nan, toFloat64(reporting_date))`;
    if (name === 'end') return 'toFloat64(end_date)';
    return name === 'available_date' ? 'toFloat64(available_date)' : name;
  });
  return ['series', 'toFloat64(start_date)', 'value', ...columns].join(', ');
}

const ORDER = 'series, start_date, end_date, reporting_date, available_date';

/** Selects vintages, by the rules of `test/store/conformance/revision-rules.ts`. */
const CHOICES: Readonly<Record<PointHistory, string>> = {
  latest: `ORDER BY series, start_date, end_date, reporting_date DESC, available_date DESC
    LIMIT 1 BY series, start_date, end_date`,
  reporting: `ORDER BY series, start_date, end_date, reporting_date, available_date DESC
    LIMIT 1 BY series, start_date, end_date, reporting_date`,
  complete: `ORDER BY ${ORDER}`,
};

/**
 * Returns the query for vintages with all their columns.
 * @param from the table of points
 */
export function vintageSql(history: PointHistory, where: string, from = 'point'): string {
  return `SELECT * FROM ${from} WHERE ${where} ${CHOICES[history]}`;
}

/** Returns the conditions that periods overlap the dates of a plan, and that vintages were available in time. */
export function dateConditions({
  startMs,
  endMs,
  atMs = null,
}: Pick<PointPlan, 'startMs' | 'endMs'> & { readonly atMs?: number | null }): string[] {
  return [
    ...(startMs === null ? [] : [`end_date >= ${timeLiteral(Math.ceil(startMs))}`]),
    ...(endMs === null ? [] : [`start_date <= ${timeLiteral(Math.floor(endMs))}`]),
    ...(atMs === null ? [] : [`available_date <= ${timeLiteral(Math.floor(atMs))}`]),
  ];
}

const MAX_MS = 8.64e15;

/** Numbers beyond all dates are not whole in 64 bits. */
function timeLiteral(ms: number): number {
  return Math.min(Math.max(ms, -MAX_MS), MAX_MS);
}
