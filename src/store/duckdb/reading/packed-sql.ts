import { DAY_MS } from '../../../model/time.js';
import { positionOf } from '../../packing/handles.js';
import { columnNames, type KnownSeries, type VaryingColumns } from '../../packing/known-series.js';
import type { PointPlan } from '../../plan.js';
import type { PointTable } from '../point-tables.js';
import { handleConditions, sinceCondition } from './point-sql.js';

/** A table is read once for each of so many ranges of series: that takes less time than a list of them. */
const MAX_SHORT_RANGES = 8;

/** The query for some series of a plan by days, in the order of the layout as far as the engine keeps it. */
export function packedSql(
  plan: PointPlan,
  series: readonly KnownSeries[],
  { columns, tables }: { columns: VaryingColumns; tables: readonly PointTable[] },
): string {
  const read = ['series', 'start_day', 'value', ...columnNames(columns)].join(', ');
  const conditions = [...dayConditions(plan, series), ...sinceCondition(plan)];
  return seriesByTable(series, tables)
    .flatMap(({ name, held }) =>
      handleConditions(held, MAX_SHORT_RANGES).map((handles) => ({ name, handles })),
    )
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
