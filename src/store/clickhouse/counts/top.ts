import type { TopPlan, TopRow } from '../../plan.js';
import type { QueryParts } from '../../queries/engine-tables.js';
import { seriesCondition } from '../../queries/series.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import type { Cluster } from '../engine/cluster.js';
import { allOf, type Condition, type Snapshot, visible } from '../engine/snapshot.js';
import { readArrow } from '../reading/arrow-columns.js';
import { dateConditions, type Query } from '../reading/point-sql.js';
import { eachShard } from '../reading/shards.js';
import { tablesAt } from '../reading/tables.js';

/** Series whose points are summed by one query of each shard. A service holds no more of them at a time. */
const SERIES_TOGETHER = 100_000;

/** The fields of a combination in the order of the table, so that it is read from its beginning to its end. */
const FIELDS = ['metric_id', 'item_id', 'source_id', 'frequency_id', 'region_id'] as const;

/** Series that are summed together: they differ only in their partner region. */
type Combination = Omit<TopRow, 'unit_id' | 'value'>;

/**
 * Sums of the latest values in the window, in descending order. Units are summed separately, null values are ignored, and
 * the selection's partner regions are summed together. Each shard sums its own series, those of whole combinations at a time.
 */
export async function readTop(
  cluster: Cluster,
  plan: TopPlan,
  { seriesTogether = SERIES_TOGETHER, ...options }: ReadOptions & { seriesTogether?: number } = {},
): Promise<TopRow[]> {
  const snapshot = await cluster.snapshot(options);
  const ranking = new Ranking(plan);
  const fields = FIELDS.join(', ');
  const selection = { selection: plan.selection, includeHistorical: true };
  const write = (parts: QueryParts) =>
    `SELECT handle, ${fields} FROM ${parts.from('series', seriesCondition(parts, selection))} ORDER BY ${fields}`;
  const series = tablesAt(cluster, snapshot).numbers(write, { integers: 1 + FIELDS.length }, options);
  let together = new Map<number, Combination>();
  let last: Combination | null = null;
  const sumUp = async () => {
    for (const row of await readSums(cluster, together, { plan, snapshot, options })) ranking.add(row);
    together = new Map();
  };
  for await (const { length, columns } of series)
    for (let row = 0; row < length; row++) {
      const combination = combinationAt(columns, row);
      if (last === null || FIELDS.some((field) => combination[field] !== last![field])) {
        last = combination;
        if (together.size >= seriesTogether) await sumUp();
      }
      together.set(columns[0]![row]!, last);
    }
  await sumUp();
  return ranking.rows();
}

function combinationAt(columns: readonly (Int32Array | Float64Array)[], row: number): Combination {
  return Object.fromEntries(
    FIELDS.map((field, at) => [field, columns[1 + at]![row]!]),
  ) as unknown as Combination;
}

const SUM_KINDS = ['int32', 'int32', 'float64'] as const;

/** The sums of some series, by combination and unit. */
async function readSums(
  cluster: Cluster,
  together: ReadonlyMap<number, Combination>,
  { plan, snapshot, options }: { plan: TopPlan; snapshot: Snapshot; options: ReadOptions },
): Promise<TopRow[]> {
  const sums = new Map<Combination, Map<number, number>>();
  const series = [...together.keys()].sort((a, b) => a - b).map((handle) => ({ handle }));
  await eachShard(cluster, series, options, async (shard, of, reading) => {
    const { sql, parameters } = sumQuery(plan, of, snapshot);
    for await (const { columns } of readArrow(shard.arrow(sql, parameters, reading), SUM_KINDS)) {
      await turns.next();
      const [handles, units, values] = columns;
      for (const [row, handle] of handles.entries()) {
        const combination = together.get(handle)!;
        const byUnit = sums.get(combination) ?? new Map<number, number>();
        sums.set(combination, byUnit);
        byUnit.set(units[row]!, (byUnit.get(units[row]!) ?? 0) + values[row]!);
      }
    }
  });
  return [...sums].flatMap(([combination, byUnit]) =>
    Array.from(byUnit, ([unit_id, value]) => ({ ...combination, unit_id, value })),
  );
}

function sumQuery(plan: TopPlan, of: Condition, snapshot: Snapshot): Query {
  const { where, parameters } = allOf(of, visible(snapshot), ...dateConditions(plan));
  const sql = `SELECT series, unit_id, sum(value) FROM point
    WHERE ${where} AND NOT isNaN(value) GROUP BY series, unit_id`;
  return { sql, parameters };
}

/** Rows that are sorted at a time, in addition to twice the wanted ones. */
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

const ORDER = ['metric_id', 'item_id', 'region_id', 'source_id', 'frequency_id', 'unit_id'] as const;

function compareRows(a: TopRow, b: TopRow, by: TopPlan['by']): number {
  if (a.value !== b.value) return a.value > b.value ? -1 : 1;
  for (const field of [by, ...ORDER] as const) if (a[field] !== b[field]) return a[field] - b[field];
  return 0;
}
