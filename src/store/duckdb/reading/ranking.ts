import type { TopPlan, TopRow } from '../../plan.js';
import type { Engine } from '../engine/engine.js';
import { integer, timeLiteral } from '../engine/literals.js';
import { seriesCondition } from './series.js';

/**
 * Sums of the latest values in the window, greatest first. Each unit is summed by itself, null values count for
 * nothing, and the partner regions of the selection are summed together.
 */
export async function readTop(engine: Engine, plan: TopPlan): Promise<TopRow[]> {
  const { where, bound } = seriesCondition({ selection: plan.selection, includeHistorical: true });
  const window = ['value IS NOT NULL'];
  if (plan.startMs !== null) window.push(`point.end_date >= ${timeLiteral(plan.startMs)}`);
  if (plan.endMs !== null) window.push(`point.start_date <= ${timeLiteral(plan.endMs)}`);
  const fields = ['metric_id', 'item_id', 'region_id', 'source_id', 'frequency_id'];
  const rows = await engine.rows(
    `WITH wanted AS (SELECT handle, ${fields.join(', ')} FROM series WHERE ${where})
     SELECT ${fields.join(', ')}, point.unit_id, sum(point.value) AS value
     FROM point JOIN wanted ON wanted.handle = point.series
     WHERE ${window.join(' AND ')}
     GROUP BY ALL ORDER BY value DESC, ${plan.by}, ${fields.join(', ')}, unit_id LIMIT ?`,
    [...bound, integer(plan.limit)],
  );
  return rows as unknown as TopRow[];
}
