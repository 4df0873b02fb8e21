import type { CountedVintages, VintagePlan } from '../../plan.js';
import { VintageCounts } from '../../queries/vintage-counts.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import type { Cluster } from '../engine/cluster.js';
import { allOf, imported } from '../engine/snapshot.js';
import { readArrow } from '../reading/arrow-columns.js';
import { NO_REPORTING_DATE, vintageQuery } from '../reading/point-sql.js';
import { eachShard } from '../reading/shards.js';

/** Series whose points are counted by one query of each shard. */
const SERIES_TOGETHER = 100_000;

const KINDS = ['int32', 'int64', 'float64'] as const;

/** Counts the vintages of some series by their dates, on each shard, and adds the counts up. */
export async function readVintages(
  cluster: Cluster,
  { series, limit }: VintagePlan,
  options: ReadOptions = {},
): Promise<CountedVintages> {
  const snapshot = await cluster.snapshot(options);
  const counts = new VintageCounts();
  for (let from = 0; from < series.length; from += SERIES_TOGETHER) {
    const group = series.slice(from, from + SERIES_TOGETHER);
    await eachShard(cluster, group, options, async (shard, of, reading) => {
      const { sql, parameters } = vintageQuery('complete', allOf(of, imported(snapshot)));
      for await (const { length, columns } of readArrow(
        shard.arrow(countSql(sql), parameters, reading),
        KINDS,
      )) {
        await turns.next();
        const [kinds, dates, points] = columns;
        for (let row = 0; row < length; row++)
          counts.add(kinds[row] as 0 | 1, Number(dates[row]), points[row]!);
      }
    });
  }
  return counts.counted(limit);
}

/** The dates of vintages: kind 0 is available, 1 reporting. */
function countSql(vintages: string): string {
  return `SELECT kind, ms, toFloat64(count()) FROM (
      SELECT arrayJoin([(toInt32(0), available_date), (toInt32(1), reporting_date)]) AS date,
        date.1 AS kind, date.2 AS ms
      FROM (${vintages}))
    WHERE ms <> ${NO_REPORTING_DATE} GROUP BY kind, ms`;
}
