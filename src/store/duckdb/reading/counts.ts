import type { CountedVintages, StoredSeries, Sum, SumPlan, VintagePlan } from '../../plan.js';
import type { EngineTables } from '../../queries/engine-tables.js';
import { VintageCounts } from '../../queries/facets.js';
import { seriesCondition } from '../../queries/series.js';
import { addParts, type SumPart, sumParts } from '../../queries/sums.js';
import type { ReadOptions } from '../../store.js';
import { timeLiteral } from '../engine/sql-values.js';
import { handleConditions } from './point-sql.js';

/** Counts the vintages of some series by their dates. */
export async function readVintages(
  tables: EngineTables,
  { series, limit }: VintagePlan,
  options?: ReadOptions,
): Promise<CountedVintages> {
  const counts = new VintageCounts();
  const sql = ['point', 'point_history'].flatMap((table) => countSql(table, series)).join(' UNION ALL ');
  if (sql !== '') await counts.add(tables.numbers(sql, options));
  return counts.counted(limit);
}

/** The dates of vintages of a table, as `VintageCounts` takes them. */
function countSql(table: string, series: readonly StoredSeries[]): string[] {
  return handleConditions(series).map(
    (handles) => `
      SELECT kind::DOUBLE, ms::DOUBLE, points::DOUBLE FROM (
        SELECT grouping(available_date) AS kind, epoch_ms(coalesce(available_date, reporting_date)) AS ms,
          count(*) AS points
        FROM ${table} WHERE ${handles} GROUP BY GROUPING SETS ((available_date), (reporting_date)))
      WHERE ms IS NOT NULL`,
  );
}

/** Sums values as `Store.sums`. */
export async function readSums(
  tables: EngineTables,
  { selection, startMs, endMs }: SumPlan,
  options?: ReadOptions,
): Promise<Sum[]> {
  const window = ['value IS NOT NULL'];
  if (startMs !== null) window.push(`point.end_date >= ${timeLiteral(startMs)}`);
  if (endMs !== null) window.push(`point.start_date <= ${timeLiteral(endMs)}`);
  const fields = 'metric_id, item_id, region_id, source_id, frequency_id';
  const selected = tables.from('series', seriesCondition(tables, { selection, includeHistorical: true }));
  const values = `(SELECT ${fields}, point.unit_id, value
    FROM point JOIN (SELECT handle, ${fields} FROM ${selected}) ON handle = point.series
    WHERE ${window.join(' AND ')})`;
  const parts = await tables.rows(sumParts(`${fields}, unit_id`, values), options);
  return addParts(parts as unknown as SumPart[]);
}
