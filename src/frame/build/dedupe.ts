import { endAt, reportingAt } from '../../columns/packed-points.js';
import { dateAt } from '../../columns/series-dates.js';
import { type SeriesKey, seriesKeyText } from '../../model/series.js';
import type { PointRun } from './plan-runs.js';

/**
 * A function that removes from the planned rows of each point set those that a set before it had. Only series that are
 * listed more than once can repeat a point, so only the keys of their points are remembered.
 */
export function dedupeAcrossSets(
  listed: readonly SeriesKey[],
): (runs: readonly PointRun[], series: readonly SeriesKey[]) => readonly PointRun[] {
  const times = new Map<string, number>();
  for (const key of listed) {
    const text = seriesKeyText(key);
    times.set(text, (times.get(text) ?? 0) + 1);
  }
  const seen = new Map<string, Set<string>>();
  for (const [text, count] of times) if (count > 1) seen.set(text, new Set());
  return (runs, series) =>
    series.some((key) => seen.has(seriesKeyText(key))) ? dropSeen(runs, series, seen) : runs;
}

function dropSeen(
  runs: readonly PointRun[],
  series: readonly SeriesKey[],
  seen: ReadonlyMap<string, Set<string>>,
): PointRun[] {
  const kept: PointRun[] = [];
  const added: { keys: Set<string>; key: string }[] = [];
  for (const run of runs) {
    const keys = seen.get(seriesKeyText(series[run.series]!));
    if (keys === undefined) {
      kept.push(run);
      continue;
    }
    for (let row = run.from; row < run.to; row++) {
      const key = pointKey(run, row);
      if (!keys.has(key)) kept.push({ ...run, from: row, to: row + 1 });
      added.push({ keys, key });
    }
  }
  for (const { keys, key } of added) keys.add(key);
  return kept;
}

function pointKey({ points }: PointRun, row: number): string {
  return `${dateAt(points.start_date, row)} ${endAt(points, row)} ${reportingAt(points, row)}`;
}
