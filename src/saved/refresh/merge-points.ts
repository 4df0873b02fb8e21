import { isValid } from '../../columns/bitmap.js';
import type { PointColumns } from '../../columns/point-columns.js';
import { takeRows } from '../../columns/point-rows.js';

/** What tells the rows of a frame apart beside their series: one row a period, a reporting date, or a vintage. */
export type RowIdentity = 'period' | 'reporting' | 'vintage';

/** The known rows that no newer row replaces; the newer ones come with them, and may be in several batches. */
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
  const rest = kept.length === known.length ? known : takeRows(known, Uint32Array.from(kept));
  return [rest, ...newer];
}

function rowKey(columns: PointColumns, row: number, identity: RowIdentity): string {
  const period = `${columns.start_date[row]} ${columns.end_date[row]}`;
  if (identity === 'period') return period;
  const reporting = isValid(columns.reportingValid, row) ? columns.reporting_date[row] : '';
  return identity === 'reporting'
    ? `${period} ${reporting}`
    : `${period} ${reporting} ${columns.available_date?.[row]}`;
}
