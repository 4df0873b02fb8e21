import type { TopPlan, TopRow } from '../../plan.js';
import type { EngineTables, QueryParts } from '../../queries/engine-tables.js';
import { seriesCondition } from '../../queries/series.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import type { Cluster } from '../engine/cluster.js';
import { type Condition, type Snapshot, visible } from '../engine/snapshot.js';
import { readArrow } from '../reading/arrow-columns.js';
import { allOf } from '../reading/conditions.js';
import { dateConditions, type Query } from '../reading/point-sql.js';
import { eachShard, type Handled } from '../reading/shards.js';
import { tablesAt } from '../reading/tables.js';

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

const ORDER = ['metric_id', 'item_id', 'region_id', 'source_id', 'frequency_id', 'unit_id'] as const;

function compareRows(a: TopRow, b: TopRow, by: TopPlan['by']): number {
  if (a.value !== b.value) return a.value > b.value ? -1 : 1;
  for (const field of [by, ...ORDER] as const) if (a[field] !== b[field]) return a[field] - b[field];
  return 0;
}

/** What is summed together: series that differ in their partner region alone. */
type Combination = Omit<TopRow, 'unit_id' | 'value'>;

/** The fields of a combination in the order of the table, so that it is read in parts. */
const FIELDS = ['metric_id', 'item_id', 'source_id', 'frequency_id', 'region_id'] as const;

/** Series with all others of their combinations. */
interface SeriesGroup {
  /** By ascending handle. */
  readonly series: Handled[];
  /** The place of a series in `combinations`, by its handle. */
  readonly placeOf: ReadonlyMap<number, number>;
  readonly combinations: readonly Combination[];
}

interface GroupOptions {
  readonly options: ReadOptions;
  readonly seriesTogether: number;
}

/** The series of a selection in groups of about `seriesTogether`, each of whole combinations. */
async function* combinedSeries(
  tables: EngineTables,
  { selection }: TopPlan,
  options: GroupOptions,
): AsyncGenerator<SeriesGroup, void, void> {
  const plan = { selection, includeHistorical: true };
  for (let rest = 'true'; ; ) {
    const where = (parts: QueryParts) => `${seriesCondition(parts, plan)} AND ${rest}`;
    const group = await readGroup(tables, where, options);
    if (group.series.length > 0) yield group;
    if (group.series.length < options.seriesTogether) return;
    rest = after(group.combinations.at(-1)!);
  }
}

async function readGroup(
  tables: EngineTables,
  where: (parts: QueryParts) => string,
  { options, seriesTogether }: GroupOptions,
): Promise<SeriesGroup> {
  const series: Handled[] = [];
  const placeOf = new Map<number, number>();
  const combinations: Combination[] = [];
  const fields = FIELDS.join(', ');
  const write = (parts: QueryParts) => `SELECT handle, ${fields} FROM ${parts.from('series', where(parts))}
    ORDER BY ${fields} LIMIT ${seriesTogether} WITH TIES`;
  const kinds = { integers: 1 + FIELDS.length };
  for await (const { length, columns } of tables.numbers(write, kinds, options)) {
    const [handles, ...ids] = columns as readonly Int32Array[];
    for (let row = 0; row < length; row++) {
      const last = combinations.at(-1);
      if (last === undefined || FIELDS.some((field, at) => last[field] !== ids[at]![row]))
        combinations.push(combinationOf(ids, row));
      placeOf.set(handles![row]!, combinations.length - 1);
      series.push({ handle: handles![row]! });
    }
  }
  series.sort((a, b) => a.handle - b.handle);
  return { series, placeOf, combinations };
}

function combinationOf(
  [metrics, items, sources, frequencies, regions]: readonly Int32Array[],
  row: number,
): Combination {
  return {
    metric_id: metrics![row]!,
    item_id: items![row]!,
    region_id: regions![row]!,
    source_id: sources![row]!,
    frequency_id: frequencies![row]!,
  };
}

/** Selects the combinations after one: a comparison of tuples would read the table from its beginning. */
function after(last: Combination): string {
  const parts = FIELDS.map((field, at) =>
    [...FIELDS.slice(0, at).map((equal) => `${equal} = ${last[equal]}`), `${field} > ${last[field]}`].join(
      ' AND ',
    ),
  );
  return `((${parts.join(') OR (')}))`;
}
