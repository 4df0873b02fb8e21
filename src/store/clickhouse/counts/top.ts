import type { TopPlan, TopRow } from '../../plan.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import type { Cluster } from '../engine/cluster.js';
import { type Condition, type Snapshot, visible } from '../engine/snapshot.js';
import { readArrow } from '../reading/arrow-columns.js';
import { allOf } from '../reading/conditions.js';
import { dateConditions, type Query } from '../reading/point-sql.js';
import { seriesCondition } from '../reading/series.js';
import { eachShard, type Handled, seriesGroups } from '../reading/shards.js';

const FIELDS = ['metric_id', 'item_id', 'region_id', 'source_id', 'frequency_id'] as const;

/**
 * Sums of the latest values in the window, in descending order. Units are summed separately, null values are ignored, and
 * the selection's partner regions are summed together. Each shard sums its own series.
 */
export async function readTop(cluster: Cluster, plan: TopPlan, options: ReadOptions = {}): Promise<TopRow[]> {
  const snapshot = await cluster.snapshot(options);
  const combinations = await readCombined(cluster, plan, { snapshot, options });
  const sums = new Sums(combinations);
  for (const group of seriesGroups(combinations.series)) {
    await eachShard(cluster, group, options, async (shard, of, reading) => {
      const { sql, parameters } = sumQuery(plan, of, snapshot);
      for await (const { columns } of readArrow(shard.arrow(sql, parameters, reading), SUM_KINDS)) {
        await turns.next();
        sums.add(columns);
      }
    });
  }
  return sums.top(plan);
}

/** The series of a selection, each with the number of its combination. */
interface Combinations {
  readonly series: Handled[];
  /** By handle. */
  readonly placeOf: Map<number, number>;
  /** The ids of each combination, by its number. */
  readonly ids: number[][];
}

const SERIES_KINDS = ['int32', 'int32', 'int32', 'int32', 'int32', 'int32', 'int32'] as const;

async function readCombined(
  cluster: Cluster,
  { selection }: TopPlan,
  { snapshot, options }: { snapshot: Snapshot; options: ReadOptions },
): Promise<Combinations> {
  const { where, parameters } = seriesCondition({ selection, includeHistorical: true }, snapshot);
  const fields = FIELDS.join(', ');
  const sql = `SELECT handle, toInt32(dense_rank() OVER (ORDER BY ${fields}) - 1) AS place, ${fields}
    FROM series WHERE ${where} ORDER BY handle`;
  const found: Combinations = { series: [], placeOf: new Map(), ids: [] };
  const answer = cluster.first.arrow(sql, parameters, options);
  for await (const { length, columns } of readArrow(answer, SERIES_KINDS)) {
    await turns.next();
    const [handles, places, ...ids] = columns;
    for (let row = 0; row < length; row++) {
      const [handle, place] = [handles[row]!, places[row]!];
      found.series.push({ handle });
      found.placeOf.set(handle, place);
      found.ids[place] ??= ids.map((column) => column[row]!);
    }
  }
  return found;
}

const SUM_KINDS = ['int32', 'int32', 'float64'] as const;

function sumQuery(plan: TopPlan, of: Condition, snapshot: Snapshot): Query {
  const { where, parameters } = allOf(of, visible(snapshot), ...dateConditions(plan));
  const sql = `SELECT series, unit_id, sum(value) FROM point
    WHERE ${where} AND NOT isNaN(value) GROUP BY series, unit_id`;
  return { sql, parameters };
}

/** Sums by combination and unit. */
class Sums {
  readonly #combinations: Combinations;
  readonly #byUnit = new Map<number, Map<number, number>>();

  constructor(combinations: Combinations) {
    this.#combinations = combinations;
  }

  add([series, units, values]: readonly [Int32Array, Int32Array, Float64Array]): void {
    for (let row = 0; row < series.length; row++) {
      const place = this.#combinations.placeOf.get(series[row]!)!;
      const sums = this.#byUnit.get(units[row]!) ?? new Map<number, number>();
      this.#byUnit.set(units[row]!, sums);
      sums.set(place, (sums.get(place) ?? 0) + values[row]!);
    }
  }

  top({ by, limit }: TopPlan): TopRow[] {
    let best: TopRow[] = [];
    const sort = () => {
      best = best.sort((a, b) => compareRows(a, b, by)).slice(0, limit);
    };
    for (const [unit_id, sums] of this.#byUnit) {
      for (const [place, value] of sums) {
        best.push(this.#row(place, unit_id, value));
        if (best.length > 2 * limit + MIN_SORTED) sort();
      }
    }
    sort();
    return best;
  }

  #row(place: number, unit_id: number, value: number): TopRow {
    const [metric_id, item_id, region_id, source_id, frequency_id] = this.#combinations.ids[place]!;
    return {
      metric_id: metric_id!,
      item_id: item_id!,
      region_id: region_id!,
      source_id: source_id!,
      frequency_id: frequency_id!,
      unit_id,
      value,
    };
  }
}

/** Rows that are sorted at a time, besides twice those that are wanted. */
const MIN_SORTED = 1_024;

function compareRows(a: TopRow, b: TopRow, by: TopPlan['by']): number {
  if (a.value !== b.value) return a.value > b.value ? -1 : 1;
  for (const field of [by, ...FIELDS, 'unit_id'] as const)
    if (a[field] !== b[field]) return a[field] - b[field];
  return 0;
}
