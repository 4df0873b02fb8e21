import type { TopPlan, TopRow } from '../../plan.js';
import type { EngineTables, QueryParts } from '../../queries/engine-tables.js';
import { seriesCondition } from '../../queries/series.js';
import type { ReadOptions } from '../../store.js';
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
  readonly options: ReadOptions;
  readonly seriesTogether: number;
}

/** The series of a selection in groups of about `seriesTogether`, each of whole combinations. */
export async function* combinedSeries(
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
