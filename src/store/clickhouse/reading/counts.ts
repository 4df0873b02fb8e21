import type { CountedVintages, StoredSeries, Sum, SumPlan, VintagePlan } from '../../plan.js';
import { VintageCounts } from '../../queries/facets.js';
import { readSeries } from '../../queries/series.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import { type Cluster, eachShard } from '../engine/cluster.js';
import { imported, visible } from '../engine/snapshot.js';
import { dateConditions, NO_REPORTING_DATE, vintageSql } from './point-sql.js';
import { readArrow, tablesAt } from './tables.js';

/** Sums values as `Store.sums`: each shard those of its own series, and the sums of a combination are added here. */
export async function readSums(
  cluster: Cluster,
  { selection, ...window }: SumPlan,
  options: ReadOptions = {},
): Promise<Sum[]> {
  const snapshot = await cluster.snapshot(options);
  const tables = tablesAt(cluster, snapshot);
  const sums = new Map<string, Sum>();
  const batches = readSeries(async () => tables, { selection, includeHistorical: true }, options);
  for await (const series of batches) {
    const byHandle = new Map(series.map((one) => [one.handle, one]));
    await eachShard(cluster, series, options, async (shard, of, reading) => {
      const where = [of, visible(snapshot), ...dateConditions(window)].join(' AND ');
      const sql = `SELECT series, unit_id, sum(value) FROM point
        WHERE ${where} AND NOT isNaN(value) GROUP BY series, unit_id`;
      for await (const { length, columns } of readArrow(shard.arrow(sql, {}, reading))) {
        await turns.next();
        const [handles, units, values] = columns;
        for (let row = 0; row < length; row++)
          addSum(sums, byHandle.get(handles![row]!)!, { unit_id: units![row]!, value: values![row]! });
      }
    });
  }
  return [...sums.values()];
}

function addSum(
  sums: Map<string, Sum>,
  { metric_id, item_id, region_id, source_id, frequency_id }: StoredSeries,
  { unit_id, value }: Pick<Sum, 'unit_id' | 'value'>,
): void {
  const row = { metric_id, item_id, region_id, source_id, frequency_id, unit_id };
  const key = Object.values(row).join(' ');
  sums.set(key, { ...row, value: value + (sums.get(key)?.value ?? 0) });
}

/** Counts the vintages of some series by their dates, on each shard, and adds the counts up. */
export async function readVintages(
  cluster: Cluster,
  { series, limit }: VintagePlan,
  options: ReadOptions = {},
): Promise<CountedVintages> {
  const snapshot = await cluster.snapshot(options);
  const counts = new VintageCounts();
  await eachShard(cluster, series, options, async (shard, of, reading) => {
    const vintages = vintageSql('complete', `${of} AND ${imported(snapshot)}`);
    await counts.add(readArrow(shard.arrow(countSql(vintages), {}, reading)));
  });
  return counts.counted(limit);
}

/** The dates of vintages, as `VintageCounts` takes them. */
function countSql(vintages: string): string {
  return `SELECT toFloat64(kind), toFloat64(ms), toFloat64(count()) FROM (
      SELECT arrayJoin([(toInt32(0), available_date), (toInt32(1), reporting_date)]) AS date,
        date.1 AS kind, date.2 AS ms
      FROM (${vintages}))
    WHERE ms <> ${NO_REPORTING_DATE} GROUP BY kind, ms`;
}
