import { DAY_MS } from '../../../model/time.js';
import type { CommonPoints, PointPlan, StoredSeries } from '../../plan.js';
import type { PointTable } from '../point-tables.js';
import { handleConditions, readsLayout, sinceCondition } from './point-sql.js';
import { positionOf } from './series-positions.js';

/** A series of which it is known what its points have in common. */
export type KnownSeries = StoredSeries & { readonly common: CommonPoints };

/** The columns that a query reads besides series, start and value: those that are not the same for every series. */
export interface VaryingColumns {
  readonly days: boolean;
  readonly unit_id: boolean;
  readonly reporting_date: boolean;
  readonly available_date: boolean;
}

/**
 * Whether some series of a plan can be read by days, without remarks and what else their points have in common.
 * @param snapshot the content of the store; null when it is not known
 */
export function areKnown(
  plan: PointPlan,
  series: readonly StoredSeries[],
  snapshot: object | null,
): series is readonly KnownSeries[] {
  if (snapshot === null || !readsLayout(plan)) return false;
  const isRead = ({ hasTimes, hasMetadata }: CommonPoints) =>
    !hasTimes && !(plan.withMetadata && hasMetadata);
  return series.every(({ common }) => common?.snapshot === snapshot && isRead(common));
}

export function varyingColumns(plan: PointPlan, series: readonly KnownSeries[]): VaryingColumns {
  const varies = (test: (common: CommonPoints) => boolean) => series.some(({ common }) => test(common));
  return {
    days: varies(({ periodDays }) => periodDays === null),
    unit_id: varies(({ hasOneUnit }) => !hasOneUnit),
    reporting_date: varies(({ hasReportingDates }) => hasReportingDates),
    available_date: plan.withAvailableDate && varies(({ availableMs }) => availableMs === null),
  };
}

/** The query for some series of a plan by days, in the order of the layout as far as the engine keeps it. */
export function packedSql(
  plan: PointPlan,
  series: readonly KnownSeries[],
  { columns, tables }: { columns: VaryingColumns; tables: readonly PointTable[] },
): string {
  const read = ['series', 'start_day', 'value', ...columnNames(columns)].join(', ');
  const conditions = [...dayConditions(plan, series), ...sinceCondition(plan)];
  return seriesByTable(series, tables)
    .flatMap(({ name, held }) => handleConditions(held).map((handles) => ({ name, handles })))
    .map(({ name, handles }) => `SELECT ${read} FROM ${name} WHERE ${[handles, ...conditions].join(' AND ')}`)
    .join(' UNION ALL ');
}

/** The tables that hold some series by ascending handle, each with its own series. */
function seriesByTable(
  series: readonly KnownSeries[],
  tables: readonly PointTable[],
): { name: string; held: readonly KnownSeries[] }[] {
  const parts: { name: string; held: readonly KnownSeries[] }[] = [];
  for (let from = 0; from < series.length; ) {
    const { handle } = series[from]!;
    const next = tables.findIndex(({ first }) => first > handle);
    const table = tables[(next === -1 ? tables.length : next) - 1]!;
    const to = next === -1 ? series.length : positionOf(tables[next]!.first, series, from + 1);
    parts.push({ name: table.name, held: series.slice(from, to) });
    from = to;
  }
  return parts;
}

/** The names of the columns that vary, in the order in which they are read. */
export function columnNames(columns: VaryingColumns): string[] {
  return Object.entries(columns).flatMap(([name, isRead]) => (isRead ? [name] : []));
}

/** Days from a date to another overlap the wanted ones; only comparisons with the start alone are cheap. */
function dayConditions({ startMs, endMs }: PointPlan, series: readonly KnownSeries[]): string[] {
  const conditions: string[] = [];
  if (startMs !== null) {
    const first = clampDay(Math.ceil(startMs / DAY_MS));
    const days = series[0]!.common.periodDays;
    const isSame = days !== null && series.every(({ common }) => common.periodDays === days);
    conditions.push(isSame ? `start_day >= ${first - days}` : `start_day + days >= ${first}`);
  }
  if (endMs !== null) conditions.push(`start_day <= ${clampDay(Math.floor(endMs / DAY_MS))}`);
  return conditions;
}

/** Days beyond the calendar of the engine select all points, or none. */
const MAX_DAY = 100_000_000;

function clampDay(day: number): number {
  return Math.min(Math.max(day, -MAX_DAY), MAX_DAY);
}
