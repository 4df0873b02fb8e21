import { DAY_MS } from '../../../model/time.js';
import { type ColumnName, readsLatest } from '../../packing/point-groups.js';
import type { PointHistory, PointPlan } from '../../plan.js';
import { dateConditions } from '../../queries/series.js';
import { importedCondition, type Snapshot } from '../engine/snapshot.js';

/** Represents a missing reporting date. It sorts before all dates. */
export const NO_REPORTING_DATE = '-9223372036854775808';

/** Latest points are not sorted. Without revisions, the slow choice among vintages is omitted. */
export function pointSql(
  plan: PointPlan,
  handles: string,
  { snapshot, read, isRevised }: { snapshot: Snapshot; read: readonly ColumnName[]; isRevised: boolean },
): string {
  const where = [handles, importedCondition(snapshot), ...dateConditions(plan, timeLiteral)].join(' AND ');
  const since = plan.sinceMs === null ? 'true' : `available_date >= ${timeLiteral(Math.ceil(plan.sinceMs))}`;
  const rows = isRevised ? `(${vintageSql(plan.history, where)}) WHERE` : `point WHERE ${where} AND`;
  return `SELECT ${numberColumnsSql(read)} FROM ${rows} ${since} ${readsLatest(plan) ? '' : `ORDER BY ${ORDER}`}`;
}

function numberColumnsSql(read: readonly ColumnName[]): string {
  const columns = read.map((name) => {
    if (name === 'reporting_date')
      return `if(reporting_date = ${NO_REPORTING_DATE}, nan, toFloat64(reporting_date))`;
    if (name === 'end') return 'toFloat64(end_date)';
    return name === 'available_date' ? 'toFloat64(available_date)' : name;
  });
  return ['series', 'toFloat64(start_date)', 'value', ...columns].join(', ');
}

const ORDER = 'series, start_date, end_date, reporting_date, available_date';

/** SQL clauses that choose vintages, following the rules in `test/store/conformance/revision-rules.ts`. */
const CHOICES: Readonly<Record<PointHistory, string>> = {
  latest: `ORDER BY series, start_date, end_date, reporting_date DESC, available_date DESC
    LIMIT 1 BY series, start_date, end_date`,
  reporting: `ORDER BY series, start_date, end_date, reporting_date, available_date DESC
    LIMIT 1 BY series, start_date, end_date, reporting_date`,
  complete: `ORDER BY ${ORDER}`,
};

export function vintageSql(history: PointHistory, where: string, from = 'point'): string {
  return `SELECT * FROM ${from} WHERE ${where} ${CHOICES[history]}`;
}

const MAX_MS = 8.64e15;

/** Returns a time as an integer literal, clamped because larger numbers may not fit into 64 bits. */
export const timeLiteral = (ms: number): string => String(Math.min(Math.max(ms, -MAX_MS), MAX_MS));

const timeOfDaySql = (date: string) => `positiveModulo(${date}, ${DAY_MS})`;
const dayNumberSql = (date: string) => `intDiv(${date} - ${timeOfDaySql(date)}, ${DAY_MS})`;

export function byUnitSql(snapshot: Snapshot, where = 'true'): string {
  const days = `${dayNumberSql('end_date')} - ${dayNumberSql('start_date')}`;
  return `SELECT series, unit_id, min(start_date) AS first_start, max(start_date) AS last_start, max(end_date) AS last_end,
      count() AS points, min(${days}) AS min_days, max(${days}) AS max_days,
      max(${timeOfDaySql('start_date')} + ${timeOfDaySql('end_date')}) AS max_time,
      countIf(reporting_date <> ${NO_REPORTING_DATE}) AS reported, countIf(metadata <> '') AS remarked,
      min(available_date) AS first_available, max(available_date) AS last_available
    FROM (${vintageSql('latest', `${importedCondition(snapshot)} AND ${where}`)}) GROUP BY series, unit_id`;
}

export const vintagesSql = (snapshot: Snapshot, where = 'true'): string =>
  `SELECT series, toInt32(count()) AS vintages FROM point WHERE ${importedCondition(snapshot)} AND ${where} GROUP BY series`;
