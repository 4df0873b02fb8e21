import type { CountedVintages, StoredSeries, VintagePlan } from '../../plan.js';
import { splitKnown, VintageCounts } from '../../queries/vintage-counts.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import type { Cluster } from '../engine/cluster.js';
import type { Parameters, Shard } from '../engine/shard.js';
import { allOf, type Condition, imported, type Snapshot, visible } from '../engine/snapshot.js';
import { readArrow } from '../reading/arrow-columns.js';
import { NO_REPORTING_DATE, type Query, vintageQuery } from '../reading/point-sql.js';
import { eachShard, seriesGroups } from '../reading/shards.js';

/** More dates than these are not worth a query each. */
const MAX_KNOWN_DATES = 8;

/** Counts the vintages of some series by their dates, on each shard, and adds the counts up. */
export async function readVintages(
  cluster: Cluster,
  { series, limit }: VintagePlan,
  options: ReadOptions = {},
): Promise<CountedVintages> {
  const snapshot = await cluster.snapshot(options);
  const counts = new VintageCounts();
  const split = splitKnown(series, snapshot);
  const { byDate, others } =
    split.byDate.size > MAX_KNOWN_DATES
      ? { byDate: new Map<number, StoredSeries[]>(), others: series }
      : split;
  for (const [availableMs, known] of byDate) {
    counts.addKnown(availableMs, known);
    await countShards(cluster, known, {
      options,
      counts,
      query: (of) => replacedQuery(of, availableMs, snapshot),
    });
  }
  await countShards(cluster, others, {
    options,
    counts,
    query: (of) => vintageQuery('complete', allOf(of, imported(snapshot))),
  });
  return counts.counted(limit);
}

const KINDS = ['int32', 'int64', 'float64'] as const;

interface Counting {
  readonly options: ReadOptions;
  readonly counts: VintageCounts;
  /** The vintages of some series, which are counted. */
  readonly query: (of: Condition) => Query;
}

async function countShards(
  cluster: Cluster,
  series: readonly StoredSeries[],
  { options, counts, query }: Counting,
): Promise<void> {
  for (const group of seriesGroups(series)) {
    await eachShard(cluster, group, options, async (shard, of, reading) => {
      const { sql, parameters } = query(of);
      await addCounts(shard, { sql: countSql(sql), parameters }, { counts, reading });
    });
  }
}

/** The dates of vintages: kind 0 is available, 1 reporting. */
function countSql(vintages: string): string {
  return `SELECT kind, ms, toFloat64(count()) FROM (
      SELECT arrayJoin([(toInt32(0), available_date), (toInt32(1), reporting_date)]) AS date,
        date.1 AS kind, date.2 AS ms
      FROM (${vintages}))
    WHERE ms <> ${NO_REPORTING_DATE} GROUP BY kind, ms`;
}

async function addCounts(
  shard: Shard,
  { sql, parameters }: { sql: string; parameters: Parameters },
  { counts, reading }: { counts: VintageCounts; reading: ReadOptions },
): Promise<void> {
  for await (const { length, columns } of readArrow(shard.arrow(sql, parameters, reading), KINDS)) {
    await turns.next();
    const [kinds, dates, points] = columns;
    for (let row = 0; row < length; row++) counts.add(kinds[row] as 0 | 1, Number(dates[row]), points[row]!);
  }
}

/**
 * The vintages besides the latest ones of series of which all latest ones have one available date and no reporting date. A
 * row with these dates was replaced by the latest one of its period.
 */
function replacedQuery(of: Condition, availableMs: number, snapshot: Snapshot): Query {
  const others = {
    where: `NOT (${visible(snapshot).where})
      AND NOT (reporting_date = ${NO_REPORTING_DATE} AND available_date = {known:Int64})`,
    parameters: { known: availableMs },
  };
  return vintageQuery('complete', allOf(of, imported(snapshot), others));
}
