import type { TopPlan, TopRow } from '../../plan.js';
import type { EngineTables } from '../../queries/engine-tables.js';
import { seriesCondition } from '../../queries/series.js';
import type { ReadOptions } from '../../store.js';
import { timeLiteral } from '../engine/sql-values.js';

/**
 * Sums of the latest values in the window, in descending order. Units are summed separately, null values are ignored, and
 * the selection's partner regions are summed together.
 */
export async function readTop(
  tables: EngineTables,
  { selection, by, startMs, endMs, limit }: TopPlan,
  options?: ReadOptions,
): Promise<TopRow[]> {
  const window = ['value IS NOT NULL'];
  if (startMs !== null) window.push(`point.end_date >= ${timeLiteral(startMs)}`);
  if (endMs !== null) window.push(`point.start_date <= ${timeLiteral(endMs)}`);
  const fields = 'metric_id, item_id, region_id, source_id, frequency_id';
  const rows = await tables.rows((parts) => {
    const selected = parts.from('series', seriesCondition(parts, { selection, includeHistorical: true }));
    return `WITH selected AS (SELECT handle, ${fields} FROM ${selected})
      SELECT ${fields}, point.unit_id, sum(point.value) AS value
      FROM point JOIN selected ON selected.handle = point.series
      WHERE ${window.join(' AND ')}
      GROUP BY ALL ORDER BY value DESC, ${by}, ${fields}, unit_id LIMIT ${Math.trunc(limit)}`;
  }, options);
  return rows as unknown as TopRow[];
}
