import { isValid } from '../../columns/bitmap.js';
import type { PointColumns } from '../../columns/point-columns.js';
import { takeRows } from '../../columns/point-rows.js';

/** What identifies a row of a series: its period, also its reporting date, or also its available date (a vintage). */
export type RowIdentity = 'period' | 'reporting' | 'vintage';

/** The known rows that no newer row replaces, followed by the newer ones. */
export function mergePoints(
  known: PointColumns,
  newer: readonly PointColumns[],
  identity: RowIdentity,
): PointColumns[] {
  const replaced = new Map<number, Set<string>>();
  for (const columns of newer) {
    for (let row = 0; row < columns.length; row++) {
      const series = columns.series[row]!;
      const keys = replaced.get(series) ?? new Set();
      replaced.set(series, keys.add(rowKey(columns, row, identity)));
    }
  }
  const kept: number[] = [];
  for (let row = 0; row < known.length; row++) {
    const keys = replaced.get(known.series[row]!);
    if (keys === undefined || !keys.has(rowKey(known, row, identity))) kept.push(row);
  }
  const remaining = kept.length === known.length ? known : takeRows(known, Uint32Array.from(kept));
  return [remaining, ...newer];
}

function rowKey(columns: PointColumns, row: number, identity: RowIdentity): string {
  const period = `${columns.start_date[row]} ${columns.end_date[row]}`;
  if (identity === 'period') return period;
  const reporting = isValid(columns.reporting_valid, row) ? columns.reporting_date[row] : '';
  return identity === 'reporting'
    ? `${period} ${reporting}`
    : `${period} ${reporting} ${columns.available_date?.[row]}`;
}
