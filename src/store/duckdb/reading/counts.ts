import type { CountedVintages, StoredSeries, VintagePlan } from '../../plan.js';
import type { EngineTables } from '../../queries/engine-tables.js';
import { VintageCounts } from '../../queries/facets.js';
import type { ReadOptions } from '../../store.js';
import { HISTORY_POINTS, LATEST_POINTS } from '../point-tables.js';
import { handleConditions } from './point-sql.js';

export async function readVintages(
  tables: EngineTables,
  { series, limit }: VintagePlan,
  options?: ReadOptions,
): Promise<CountedVintages> {
  const counts = new VintageCounts();
  const sql = [LATEST_POINTS, HISTORY_POINTS].flatMap((table) => countSql(table, series)).join(' UNION ALL ');
  if (sql !== '') await counts.add(tables.numbers(sql, options));
  return counts.counted(limit);
}

/** Returns the SQL queries that count a table's vintages by date, with the columns that `VintageCounts` expects. */
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
