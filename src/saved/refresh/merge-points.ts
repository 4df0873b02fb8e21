import { availableAt, endAt, type PackedPoints, reportingAt, sliceRun } from '../../columns/packed-points.js';
import { dateAt } from '../../columns/series-dates.js';

/** What identifies a row of a series: its period, also its reporting date, or also its available date (a vintage). */
export type RowIdentity = 'period' | 'reporting' | 'vintage';

/** The cached rows that no newer row replaces, followed by the newer ones. */
export function mergePoints(
  cached: readonly PackedPoints[],
  newer: readonly PackedPoints[],
  identity: RowIdentity,
): PackedPoints[] {
  const replaced = new Map<number, Set<string>>();
  for (const run of newer) {
    const keys = replaced.get(run.series) ?? new Set();
    for (let row = 0; row < run.length; row++) keys.add(rowKey(run, row, identity));
    replaced.set(run.series, keys);
  }
  const merged: PackedPoints[] = [];
  for (const run of cached) {
    const keys = replaced.get(run.series);
    let from = 0;
    for (let row = 0; row < run.length && keys !== undefined; row++) {
      if (!keys.has(rowKey(run, row, identity))) continue;
      if (row > from) merged.push(sliceRun(run, from, row));
      from = row + 1;
    }
    if (from < run.length) merged.push(sliceRun(run, from, run.length));
  }
  return [...merged, ...newer];
}

function rowKey(run: PackedPoints, row: number, identity: RowIdentity): string {
  const period = `${dateAt(run.start_date, row)} ${endAt(run, row)}`;
  if (identity === 'period') return period;
  const reporting = `${period} ${reportingAt(run, row) ?? ''}`;
  return identity === 'reporting' ? reporting : `${reporting} ${availableAt(run, row)}`;
}
