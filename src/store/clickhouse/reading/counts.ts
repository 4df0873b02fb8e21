import type { CountedVintages, Sum, SumPlan, VintagePlan } from '../../plan.js';
import { addVintages } from '../../queries/facets.js';
import { dateConditions, readSeries } from '../../queries/series.js';
import { addParts, type SumPart, sumParts } from '../../queries/sums.js';
import type { ReadOptions } from '../../store.js';
import { type Cluster, eachShard } from '../engine/cluster.js';
import { importedCondition } from '../engine/snapshot.js';
import { NO_REPORTING_DATE, timeLiteral, vintageSql } from './points.js';
import { tablesAt } from './tables.js';

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
    const isRevised = batch.some(({ common }) => common?.isRevised !== false);
    const summed = await eachShard(cluster, batch, options, (shard, of, reading) => {
      const where = [of, importedCondition(snapshot), ...dateConditions(window, timeLiteral)].join(' AND ');
      const latest = isRevised ? `(${vintageSql('latest', where)}) WHERE` : `point WHERE ${where} AND`;
      return shard.rows(sumParts('series, unit_id', `${latest} NOT isNaN(value)`), reading);
    });
    for (const { series: handle, ...part } of summed.flat()) {
      const { metric_id, item_id, region_id, source_id, frequency_id } = byHandle.get(Number(handle))!;
      parts.push({ metric_id, item_id, region_id, source_id, frequency_id, ...part } as SumPart);
    }
  }
  return addParts(parts);
}

export async function readVintages(
  cluster: Cluster,
  { series, limit }: VintagePlan,
  options: ReadOptions = {},
): Promise<CountedVintages> {
  const snapshot = await cluster.snapshot(options);
  const counted = await eachShard(cluster, series, options, (shard, of, reading) => {
    const vintages = vintageSql('complete', `${of} AND ${importedCondition(snapshot)}`);
    return shard.rows(countSql(vintages), reading);
  });
  return addVintages(counted.flat(), limit);
}

/** Returns the SQL that counts vintages by date, with the columns that `addVintages` expects. */
function countSql(vintages: string): string {
  return `SELECT kind, ms, count() AS points FROM (
      SELECT arrayJoin([(toInt32(0), available_date), (toInt32(1), reporting_date)]) AS date,
        date.1 AS kind, date.2 AS ms
      FROM (${vintages}))
    WHERE ms <> ${NO_REPORTING_DATE} GROUP BY kind, ms`;
}
