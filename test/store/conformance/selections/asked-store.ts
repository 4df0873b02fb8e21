import { unpackLists } from '../../../../src/columns/packed-points.js';
import type { SeriesKey } from '../../../../src/model/series.js';
import type { CountedSeries, SeriesPlan, StoredSeries } from '../../../../src/store/plan.js';
import type { Store } from '../../../../src/store/store.js';
import { rowsOf } from '../sample-data.js';
import type { Case } from './cases.js';

/** What a store answers, in a form that does not depend on its numbers of series. */
export async function askStore(store: Store, one: Case): Promise<unknown> {
  switch (one.asked) {
    case 'series': {
      const series = await seriesOf(store, one);
      return inKeyOrder(series.map((found) => [nameOf(found), describeSeries(found)]));
    }
    case 'combinations':
      return store.combinations(one.plan);
    case 'facets':
      return describeFacets(await store.facets(one.plan));
    case 'vintages':
      return store.vintages({ series: await seriesOf(store, one), limit: one.limit });
    case 'sums':
      return inKeyOrder(
        (await store.sums(one.plan)).map((sum) => [JSON.stringify(sum, Object.keys(sum).sort()), sum]),
      );
    case 'units':
      return store.allowedUnits(one.metrics, one.items);
    case 'points':
      return pointsOf(store, one);
  }
}

async function seriesOf(
  store: Store,
  one: { readonly plan: SeriesPlan; readonly known?: boolean },
): Promise<StoredSeries[]> {
  const found: StoredSeries[] = [];
  for await (const batch of store.series(one.plan)) found.push(...batch);
  return one.known !== false ? found : found.map(({ common: _, ...series }) => series);
}

async function pointsOf(store: Store, one: Extract<Case, { readonly asked: 'points' }>): Promise<unknown> {
  const series = await seriesOf(store, one);
  const rows = new Map<number, unknown[]>();
  for await (const columns of unpackLists(store.points({ ...one.rule, series }))) {
    for (const { series: position, ...row } of rowsOf(columns)) {
      const own = rows.get(position);
      if (own !== undefined) own.push(row);
      // Lists are by position: a series that comes again, or late, is out of order.
      else if ([...rows.keys()].every((before) => before < position)) rows.set(position, [row]);
      else throw new Error(`series ${position} comes after a later one`);
    }
  }
  return inKeyOrder([...rows].map(([position, own]) => [nameOf(series[position]!), own]));
}

export function nameOf({
  metric_id,
  item_id,
  region_id,
  partner_region_id,
  source_id,
  frequency_id,
}: SeriesKey) {
  return [metric_id, item_id, region_id, partner_region_id, source_id, frequency_id].join(' ');
}

export function describeSeries({
  unit_id,
  startMs,
  endMs,
  pointCount,
}: Pick<StoredSeries, 'unit_id' | 'startMs' | 'endMs' | 'pointCount'>) {
  return { unit_id, startMs, endMs, pointCount };
}

export function describeFacets({ series, fields }: CountedSeries) {
  const counted = [...fields].map(([field, { series: counts, values, total }]) => ({
    field,
    counts: [...counts],
    values,
    total,
  }));
  return { series, counted };
}

export function inKeyOrder<Value>(entries: readonly (readonly [string, Value])[]) {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}
