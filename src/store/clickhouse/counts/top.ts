import type { TopPlan, TopRow } from '../../plan.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import type { Cluster } from '../engine/cluster.js';
import { type Condition, type Snapshot, visible } from '../engine/snapshot.js';
import { readArrow } from '../reading/arrow-columns.js';
import { allOf } from '../reading/conditions.js';
import { dateConditions, type Query } from '../reading/point-sql.js';
import { eachShard } from '../reading/shards.js';
import { tablesAt } from '../reading/tables.js';
import { combinedSeries, type SeriesGroup } from './combined-series.js';

/** Series whose points are summed by one query of each shard. A service holds no more of them at a time. */
const SERIES_TOGETHER = 100_000;

interface TopOptions extends ReadOptions {
  readonly seriesTogether?: number | undefined;
}

/**
 * Sums of the latest values in the window, in descending order. Units are summed separately, null values are ignored, and
 * the selection's partner regions are summed together. Each shard sums its own series, a group of them at a time.
 */
export async function readTop(
  cluster: Cluster,
  plan: TopPlan,
  { seriesTogether = SERIES_TOGETHER, ...options }: TopOptions = {},
): Promise<TopRow[]> {
  const snapshot = await cluster.snapshot(options);
  const ranking = new Ranking(plan);
  const groups = combinedSeries(tablesAt(cluster, snapshot), plan, { options, seriesTogether });
  for await (const group of groups) {
    const sums = new GroupSums(group);
    await eachShard(cluster, group.series, options, async (shard, of, reading) => {
      const { sql, parameters } = sumQuery(plan, of, snapshot);
      for await (const { columns } of readArrow(shard.arrow(sql, parameters, reading), SUM_KINDS)) {
        await turns.next();
        sums.add(columns);
      }
    });
    for (const row of sums.rows()) ranking.add(row);
  }
  return ranking.rows();
}

const SUM_KINDS = ['int32', 'int32', 'float64'] as const;

function sumQuery(plan: TopPlan, of: Condition, snapshot: Snapshot): Query {
  const { where, parameters } = allOf(of, visible(snapshot), ...dateConditions(plan));
  const sql = `SELECT series, unit_id, sum(value) FROM point
    WHERE ${where} AND NOT isNaN(value) GROUP BY series, unit_id`;
  return { sql, parameters };
}

/** Sums of a group of series by combination and unit. */
class GroupSums {
  readonly #group: SeriesGroup;
  readonly #byUnit = new Map<number, Map<number, number>>();

  constructor(group: SeriesGroup) {
    this.#group = group;
  }

  add([series, units, values]: readonly [Int32Array, Int32Array, Float64Array]): void {
    for (let row = 0; row < series.length; row++) {
      const place = this.#group.placeOf.get(series[row]!)!;
      const sums = this.#byUnit.get(units[row]!) ?? new Map<number, number>();
      this.#byUnit.set(units[row]!, sums);
      sums.set(place, (sums.get(place) ?? 0) + values[row]!);
    }
  }

  *rows(): Generator<TopRow, void, void> {
    for (const [unit_id, sums] of this.#byUnit)
      for (const [place, value] of sums) yield { ...this.#group.combinations[place]!, unit_id, value };
  }
}

/** Rows that are sorted at a time, besides twice those that are wanted. */
const MIN_SORTED = 1_024;

/** The rows with the highest values. Of equal values, those with the lowest ids are first. */
class Ranking {
  #best: TopRow[] = [];
  readonly #plan: TopPlan;

  constructor(plan: TopPlan) {
    this.#plan = plan;
  }

  add(row: TopRow): void {
    this.#best.push(row);
    if (this.#best.length > 2 * this.#plan.limit + MIN_SORTED) this.#best = this.rows();
  }

  rows(): TopRow[] {
    const { by, limit } = this.#plan;
    return this.#best.sort((a, b) => compareRows(a, b, by)).slice(0, limit);
  }
}

const FIELDS = ['metric_id', 'item_id', 'region_id', 'source_id', 'frequency_id', 'unit_id'] as const;

function compareRows(a: TopRow, b: TopRow, by: TopPlan['by']): number {
  if (a.value !== b.value) return a.value > b.value ? -1 : 1;
  for (const field of [by, ...FIELDS] as const) if (a[field] !== b[field]) return a[field] - b[field];
  return 0;
}
