import { isValid } from '../../columns/bitmap.js';
import type { PointColumns, PointSeries, PointSet } from '../../columns/point-columns.js';
import { seriesKeyText } from '../../model/series.js';
import { gatherRuns } from './gather.js';
import { type PointRun, planRuns } from './plan-runs.js';

/**
 * Leaves out the points that an earlier set already brought, for sets that come one after the other. Only series
 * listed more than once can repeat a point, so the keys of their points alone are remembered.
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
    points.series.some((key) => seen.has(seriesKeyText(key))) ? unseen(points, seen) : points;
}

function unseen(points: PointSet, seen: ReadonlyMap<string, Set<string>>): PointSet {
  const kept: PointRun[] = [];
  const now: { known: Set<string>; key: string }[] = [];
  for (const slice of planRuns(points, 'saved')) {
    const known = seen.get(seriesKeyText(points.series[slice.series]!));
    if (known === undefined) {
      kept.push(slice);
      continue;
    }
    const columns = points.batches[slice.batch]!;
    for (let row = slice.from; row < slice.to; row++) {
      const key = pointKey(columns, row);
      if (!known.has(key)) kept.push({ ...slice, from: row, to: row + 1 });
      now.push({ known, key });
    }
  }
  for (const { known, key } of now) known.add(key);
  return { series: points.series, batches: [gatherRuns(points, kept)] };
}

function pointKey(
  { start_date, end_date, reporting_date, reportingValid }: PointColumns,
  row: number,
): string {
  const reporting = isValid(reportingValid, row) ? reporting_date[row] : '';
  return `${start_date[row]} ${end_date[row]} ${reporting}`;
}
