import { isValid } from '../../columns/bitmap.js';
import type { PointColumns, PointSeries, PointSet } from '../../columns/point-columns.js';
import { seriesKeyText } from '../../model/series.js';
import { gatherRuns } from './gather.js';
import { type PointRun, planRuns } from './plan-runs.js';

/**
 * A function that removes from each point set the points of the sets before it. Only series that are listed more than
 * once can repeat a point, so only the keys of their points are remembered.
 */
export function dedupeAcrossSets(series: readonly PointSeries[]): (points: PointSet) => PointSet {
  const listed = new Map<string, number>();
  for (const key of series) {
    const text = seriesKeyText(key);
    listed.set(text, (listed.get(text) ?? 0) + 1);
  }
  const seen = new Map<string, Set<string>>();
  for (const [text, times] of listed) if (times > 1) seen.set(text, new Set());
  return (points) =>
    points.series.some((key) => seen.has(seriesKeyText(key))) ? dropSeen(points, seen) : points;
}

function dropSeen(points: PointSet, seen: ReadonlyMap<string, Set<string>>): PointSet {
  const kept: PointRun[] = [];
  const added: { known: Set<string>; key: string }[] = [];
  for (const run of planRuns(points, 'saved')) {
    const known = seen.get(seriesKeyText(points.series[run.series]!));
    if (known === undefined) {
      kept.push(run);
      continue;
    }
    const columns = points.batches[run.batch]!;
    for (let row = run.from; row < run.to; row++) {
      const key = pointKey(columns, row);
      if (!known.has(key)) kept.push({ ...run, from: row, to: row + 1 });
      added.push({ known, key });
    }
  }
  for (const { known, key } of added) known.add(key);
  return { series: points.series, batches: [gatherRuns(points, kept)] };
}

function pointKey(
  { start_date, end_date, reporting_date, reporting_valid }: PointColumns,
  row: number,
): string {
  const reporting = isValid(reporting_valid, row) ? reporting_date[row] : '';
  return `${start_date[row]} ${end_date[row]} ${reporting}`;
}
