import type { PackedPoints } from '../../../src/columns/packed-points.js';
import type { PointPlan } from '../../../src/store/plan.js';
import type { Store } from '../../../src/store/store.js';
import {
  allSeries,
  dailyPoints,
  EVERYTHING,
  putSampleEntities,
} from '../../store/conformance/sample-data.js';

/** Points of each series of a daily store. */
export const DAYS = 4_000;

/** Imports daily points of so many items. */
export async function importDaily(store: Store, count: number): Promise<void> {
  const transaction = await store.begin();
  await putSampleEntities(transaction);
  const items = Array.from({ length: count }, (_, i) => ({
    id: 1_000 + i,
    name: `Item ${i}`,
    definition: '',
    belongsTo: [],
  }));
  await transaction.putEntities('items', items);
  for (const { id: item_id } of items)
    await transaction.putPoints(dailyPoints({ item_id }, { days: DAYS }, (day) => item_id + day));
  await transaction.commit();
}

/** The latest points of every series. */
export async function latestPlan(store: Store): Promise<PointPlan> {
  return { ...EVERYTHING, series: await allSeries(store), withAvailableDate: false, withMetadata: false };
}

/** How many points a plan has, and the sum of their values. */
export async function sumPoints(store: Store, plan: PointPlan): Promise<{ points: number; sum: number }> {
  const found = { points: 0, sum: 0 };
  for await (const list of store.points(plan)) for (const part of list) addPart(found, part);
  return found;
}

function addPart(found: { points: number; sum: number }, { length, value }: PackedPoints): void {
  found.points += length;
  for (const one of value) found.sum += one;
}
