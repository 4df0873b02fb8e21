import type { ImportCounts } from '../../../src/model/importing/outcome.js';
import { openStore } from '../../../src/store/open.js';
import type { StoredSeries } from '../../../src/store/plan.js';
import type { Store } from '../../../src/store/store.js';
import {
  allSeries,
  importVintages,
  type ReadRow,
  readRows,
  type Vintage,
} from '../../store/conformance/sample-data.js';

const SERIES = [21, 22, 29].flatMap((region_id) => [1, 2].map((metric_id) => ({ region_id, metric_id })));

const days = (first: number, count: number, of: (day: number) => Omit<Vintage, 'day' | 'of'>): Vintage[] =>
  SERIES.flatMap((series) =>
    Array.from({ length: count }, (_, i) => ({ of: series, day: first + i, ...of(first + i) })),
  );

const FIRST = days(0, 6_000, (day) => ({ value: day % 9 === 0 ? null : day / 7, available: 10 }));

/** Revises half of the first import, repeats some of it, adds days and a series. */
const SECOND = [
  ...days(3_000, 6_000, (day) => ({ value: day % 5 === 0 ? day / 7 : day / 3, available: 20 })),
  ...Array.from(
    { length: 500 },
    (_, day): Vintage => ({ of: { item_id: 3 }, day, value: day, available: 20 }),
  ),
];

export function importFirst(store: Store): Promise<ImportCounts> {
  return importVintages(store, FIRST);
}

export function importSecond(store: Store): Promise<ImportCounts> {
  return importVintages(store, SECOND);
}

/** All that a store has of series and points. */
export interface Content {
  readonly series: readonly Omit<StoredSeries, 'common'>[];
  readonly points: readonly ReadRow[];
}

export async function contentOf(store: Store): Promise<Content> {
  const series = await allSeries(store);
  const points = await readRows(store, { series, history: 'complete' });
  return { series: series.map(({ common: _, ...one }) => one), points };
}

/** What a store has after each of the imports, and what the second one counts, according to DuckDB. */
export async function expectedContents(): Promise<{ first: Content; both: Content; counts: ImportCounts }> {
  const store = await openStore(':memory:');
  await importFirst(store);
  const first = await contentOf(store);
  const counts = await importSecond(store);
  const both = await contentOf(store);
  await store.close();
  return { first, both, counts };
}

/** Where the second import is, by what the servers have of it. */
export const MOMENTS: Readonly<Record<string, { readonly node: number; readonly sql: string }>> = {
  'has begun a number': { node: 0, sql: 'SELECT count() FROM import_log WHERE import = 2' },
  'stages points to compare': { node: 1, sql: 'SELECT count() FROM staged_point WHERE import = 2' },
  'adds points': { node: 2, sql: 'SELECT count() FROM point WHERE import = 2' },
  'writes series, before it commits': { node: 0, sql: 'SELECT count() FROM series WHERE import = 2' },
};

/** Waits until an import is at a moment. */
export async function waitFor(
  query: (node: number, sql: string) => Promise<string>,
  moment: string,
  isOver: () => boolean = () => false,
): Promise<void> {
  const { node, sql } = MOMENTS[moment]!;
  while (!isOver() && Number(await query(node, sql)) === 0);
}
