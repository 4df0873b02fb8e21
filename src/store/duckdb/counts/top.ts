import type { TopPlan, TopRow } from '../../plan.js';
import type { ReadOptions } from '../../store.js';
import type { Database } from '../engine/database.js';
import { integerParameter, timeLiteral } from '../engine/sql-values.js';
import { seriesCondition } from '../reading/series.js';

/**
 * Sums of the latest values in the window, in descending order. Units are summed separately, null values are ignored, and
 * the selection's partner regions are summed together.
 */
export async function readTop(database: Database, plan: TopPlan, options?: ReadOptions): Promise<TopRow[]> {
  const { where, parameters } = seriesCondition({ selection: plan.selection, includeHistorical: true });
  const window = ['value IS NOT NULL'];
  if (plan.startMs !== null) window.push(`point.end_date >= ${timeLiteral(plan.startMs)}`);
  if (plan.endMs !== null) window.push(`point.start_date <= ${timeLiteral(plan.endMs)}`);
  const fields = ['metric_id', 'item_id', 'region_id', 'source_id', 'frequency_id'];
  const rows = await database.rows(
    `WITH selected AS (SELECT handle, ${fields.join(', ')} FROM series WHERE ${where})
     SELECT ${fields.join(', ')}, point.unit_id, sum(point.value) AS value
     FROM point JOIN selected ON selected.handle = point.series
     WHERE ${window.join(' AND ')}
     GROUP BY ALL ORDER BY value DESC, ${plan.by}, ${fields.join(', ')}, unit_id LIMIT ?`,
    [...parameters, integerParameter(plan.limit)],
    options,
  );
  return rows as unknown as TopRow[];
}
