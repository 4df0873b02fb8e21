import type { TopPlan, TopRow } from '../../plan.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import type { Shard } from '../engine/shard.js';
import type { Condition, Snapshot } from '../engine/snapshot.js';
import { readArrow } from '../reading/arrow-columns.js';
import { allOf } from '../reading/conditions.js';
import { seriesCondition } from '../reading/series.js';
import type { Handled } from '../reading/shards.js';

/** What is summed together: series that differ in their partner region alone. */
type Combination = Omit<TopRow, 'unit_id' | 'value'>;

/** The fields of a combination in the order of the table, so that it is read in parts. */
const FIELDS = ['metric_id', 'item_id', 'source_id', 'frequency_id', 'region_id'] as const;

/** Series with all others of their combinations. */
export interface SeriesGroup {
  /** By ascending handle. */
  readonly series: Handled[];
  /** The place of a series in `combinations`, by its handle. */
  readonly placeOf: ReadonlyMap<number, number>;
  readonly combinations: readonly Combination[];
}

interface GroupOptions {
  readonly snapshot: Snapshot;
  readonly options: ReadOptions;
  readonly seriesTogether: number;
}

/** The series of a selection in groups of about `seriesTogether`, each of whole combinations. */
export async function* combinedSeries(
  first: Shard,
  { selection }: TopPlan,
  { snapshot, options, seriesTogether }: GroupOptions,
): AsyncGenerator<SeriesGroup, void, void> {
  const selected = seriesCondition({ selection, includeHistorical: true }, snapshot);
  let condition = selected;
  for (;;) {
    const group = await readGroup(first, condition, { options, seriesTogether });
    if (group.series.length > 0) yield group;
    if (group.series.length < seriesTogether) return;
    condition = allOf(selected, after(group.combinations.at(-1)!));
  }
}

const KINDS = ['int32', 'int32', 'int32', 'int32', 'int32', 'int32'] as const;

async function readGroup(
  first: Shard,
  { where, parameters }: Condition,
  { options, seriesTogether }: Pick<GroupOptions, 'options' | 'seriesTogether'>,
): Promise<SeriesGroup> {
  const series: Handled[] = [];
  const placeOf = new Map<number, number>();
  const combinations: Combination[] = [];
  const fields = FIELDS.join(', ');
  const sql = `SELECT handle, ${fields} FROM series WHERE ${where}
    ORDER BY ${fields} LIMIT {together:UInt32} WITH TIES`;
  const answer = first.arrow(sql, { ...parameters, together: seriesTogether }, options);
  for await (const { length, columns } of readArrow(answer, KINDS)) {
    await turns.next();
    const [handles, ...ids] = columns;
    for (let row = 0; row < length; row++) {
      const last = combinations.at(-1);
      if (last === undefined || FIELDS.some((field, at) => last[field] !== ids[at]![row]))
        combinations.push(combinationOf(ids, row));
      placeOf.set(handles[row]!, combinations.length - 1);
      series.push({ handle: handles[row]! });
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
function after(last: Combination): Condition {
  const parts = FIELDS.map((field, at) =>
    [
      ...FIELDS.slice(0, at).map((equal) => `${equal} = {after_${equal}:Int32}`),
      `${field} > {after_${field}:Int32}`,
    ].join(' AND '),
  );
  return {
    where: `((${parts.join(') OR (')}))`,
    parameters: Object.fromEntries(FIELDS.map((field) => [`after_${field}`, last[field]])),
  };
}
