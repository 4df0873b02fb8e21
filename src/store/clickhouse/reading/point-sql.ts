import { columnNames, readsLatest, type VaryingColumns } from '../../packing/known-series.js';
import type { PointHistory, PointPlan } from '../../plan.js';
import type { Query } from '../engine/shard.js';
import { allOf, type Condition, imported, type Snapshot, visible } from '../engine/snapshot.js';

/** The value in place of a missing reporting date: it is sorted before all dates. */
export const NO_REPORTING_DATE = '-9223372036854775808';

/** The query for the points of a plan. Latest ones are in the order of parts of the table; a consumer orders them. */
export function pointQuery(
  plan: PointPlan,
  handles: Condition,
  { snapshot, read }: { snapshot: Snapshot; read: VaryingColumns },
): Query {
  const dates = dateConditions(plan);
  if (readsLatest(plan)) {
    const { where, parameters } = allOf(handles, visible(snapshot), ...dates, ...since(plan));
    return { sql: `SELECT ${numbers(read)} FROM point WHERE ${where}`, parameters };
  }
  const chosen = vintageQuery(plan.history, allOf(handles, imported(snapshot), ...dates));
  const { where, parameters } = allOf({ where: 'true', parameters: {} }, ...since(plan));
  return {
    sql: `SELECT ${numbers(read)} FROM (${chosen.sql}) WHERE ${where} ORDER BY ${ORDER}`,
    parameters: { ...chosen.parameters, ...parameters },
  };
}

/** The columns of points as `pointKinds` says; NaN means no date. */
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

/**
 * The choice of vintages, by the rules of `test/store/conformance/revision-rules.ts`. A row that was replaced has the
 * same dates as one of a later import.
 */
const CHOICES: Readonly<Record<PointHistory, string>> = {
  latest: `ORDER BY series, start_date, end_date, reporting_date DESC, available_date DESC, import DESC
    LIMIT 1 BY series, start_date, end_date`,
  reporting: `ORDER BY series, start_date, end_date, reporting_date, available_date DESC, import DESC
    LIMIT 1 BY series, start_date, end_date, reporting_date`,
  complete: `ORDER BY ${ORDER}, import DESC LIMIT 1 BY ${ORDER}`,
};

/**
 * The query for vintages with all their columns.
 * @param from the table of points
 */
export function vintageQuery(history: PointHistory, { where, parameters }: Condition, from = 'point'): Query {
  return { sql: `SELECT * FROM ${from} WHERE ${where} ${CHOICES[history]}`, parameters };
}

/** The condition that periods overlap the dates of a plan, and that vintages were available in time. */
export function dateConditions({
  startMs,
  endMs,
  atMs,
}: Pick<PointPlan, 'startMs' | 'endMs'> & { readonly atMs?: number | null }): Condition[] {
  return [
    ...timeCondition('end_date >= {start:Int64}', startMs === null ? null : Math.ceil(startMs)),
    ...timeCondition('start_date <= {end:Int64}', endMs === null ? null : Math.floor(endMs)),
    ...timeCondition('available_date <= {at:Int64}', atMs == null ? null : Math.floor(atMs)),
  ];
}

function since({ sinceMs }: PointPlan): Condition[] {
  return timeCondition('available_date >= {since:Int64}', sinceMs === null ? null : Math.ceil(sinceMs));
}

/** A comparison with a parameter, which is a time. */
function timeCondition(where: string, ms: number | null): Condition[] {
  if (ms === null) return [];
  const name = /\{(\w+):/.exec(where)![1]!;
  // Numbers beyond all dates are not whole in 64 bits.
  return [{ where, parameters: { [name]: Math.min(Math.max(ms, -MAX_MS), MAX_MS) } }];
}

const MAX_MS = 8.64e15;
