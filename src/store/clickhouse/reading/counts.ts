import type { CountedVintages, StoredSeries, TopPlan, TopRow, VintagePlan } from '../../plan.js';
import { VintageCounts } from '../../queries/facets.js';
import { readSeries } from '../../queries/series.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import { type Cluster, eachShard } from '../engine/cluster.js';
import { imported, visible } from '../engine/snapshot.js';
import { dateConditions, NO_REPORTING_DATE, vintageSql } from './point-sql.js';
import { readArrow, tablesAt } from './tables.js';

/**
 * Sums of the latest values in the window, in descending order; of equal values, those with the lowest ids are first. Units are
 * summed separately, null values are ignored, and the selection's partner regions are summed together. Each shard sums its
 * own series, and the sums of a combination are added here.
 */
export async function readTop(
  cluster: Cluster,
  { selection, by, limit, ...window }: TopPlan,
  options: ReadOptions = {},
): Promise<TopRow[]> {
  const snapshot = await cluster.snapshot(options);
  const tables = tablesAt(cluster, snapshot);
  const sums = new Map<string, TopRow>();
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
  const order = [by, ...ORDER] as const;
  return [...sums.values()].sort((a, b) => compareRows(a, b, order)).slice(0, limit);
}

const ORDER = ['metric_id', 'item_id', 'region_id', 'source_id', 'frequency_id', 'unit_id'] as const;

function addSum(
  sums: Map<string, TopRow>,
  { metric_id, item_id, region_id, source_id, frequency_id }: StoredSeries,
  { unit_id, value }: Pick<TopRow, 'unit_id' | 'value'>,
): void {
  const row = { metric_id, item_id, region_id, source_id, frequency_id, unit_id };
  const key = ORDER.map((field) => row[field]).join(' ');
  sums.set(key, { ...row, value: value + (sums.get(key)?.value ?? 0) });
}

function compareRows(a: TopRow, b: TopRow, order: readonly (keyof TopRow)[]): number {
  if (a.value !== b.value) return a.value > b.value ? -1 : 1;
  const field = order.find((one) => a[one] !== b[one]);
  return field === undefined ? 0 : a[field] - b[field];
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
