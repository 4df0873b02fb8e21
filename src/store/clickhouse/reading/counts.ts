import { groupedBy } from '../../../model/grouping.js';
import type { CountedVintages, Sum, SumPlan, VintagePlan } from '../../plan.js';
import { VintageCounts } from '../../queries/facets.js';
import { dateConditions, readSeries } from '../../queries/series.js';
import { addParts, type SumPart, sumParts } from '../../queries/sums.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import { type Cluster, eachShard } from '../engine/cluster.js';
import { importedCondition } from '../engine/snapshot.js';
import { NO_REPORTING_DATE, timeLiteral, vintageSql } from './points.js';
import { readArrow, tablesAt } from './tables.js';

/** Sums values on the shards, each of which has all points of its series. */
export async function readSums(
  cluster: Cluster,
  { selection, ...window }: SumPlan,
  options: ReadOptions = {},
): Promise<Sum[]> {
  const snapshot = await cluster.snapshot(options);
  const tables = tablesAt(cluster, snapshot);
  const parts: SumPart[] = [];
  const batches = readSeries(async () => tables, { selection }, options);
  for await (const batch of batches) {
    const byHandle = new Map(batch.map((one) => [one.handle, one]));
    for (const [isRevised, series] of groupedBy(batch, ({ common }) => common?.isRevised !== false))
      await eachShard(cluster, series, options, async (shard, of, reading) => {
        const where = [of, importedCondition(snapshot), ...dateConditions(window, timeLiteral)].join(' AND ');
        const latest = isRevised ? `(${vintageSql('latest', where)}) WHERE` : `point WHERE ${where} AND`;
        const sql = sumParts('series, unit_id', `${latest} NOT isNaN(value)`);
        for await (const { length, columns } of readArrow(shard.arrow(sql, reading))) {
          await turns.next();
          const [handles, units, bins, highs, lows] = columns;
          for (let row = 0; row < length; row++) {
            const { metric_id, item_id, region_id, source_id, frequency_id } = byHandle.get(handles![row]!)!;
            const key = { metric_id, item_id, region_id, source_id, frequency_id, unit_id: units![row]! };
            parts.push({ ...key, bin: bins![row]!, high: highs![row]!, low: lows![row]! });
          }
        }
      });
  }
  return addParts(parts);
}

export async function readVintages(
  cluster: Cluster,
  { series, limit }: VintagePlan,
  options: ReadOptions = {},
): Promise<CountedVintages> {
  const snapshot = await cluster.snapshot(options);
  const counts = new VintageCounts();
  await eachShard(cluster, series, options, async (shard, of, reading) => {
    const vintages = vintageSql('complete', `${of} AND ${importedCondition(snapshot)}`);
    await counts.add(readArrow(shard.arrow(countSql(vintages), reading)));
  });
  return counts.counted(limit);
}

/** Returns the SQL that counts vintages by date, with the columns that `VintageCounts` expects. */
function countSql(vintages: string): string {
  return `SELECT toFloat64(kind), toFloat64(ms), toFloat64(count()) FROM (
      SELECT arrayJoin([(toInt32(0), available_date), (toInt32(1), reporting_date)]) AS date,
        date.1 AS kind, date.2 AS ms
      FROM (${vintages}))
    WHERE ms <> ${NO_REPORTING_DATE} GROUP BY kind, ms`;
}
