import type { PackedPoints } from '../../../src/columns/packed-points.js';
import { DAY_MS } from '../../../src/model/time.js';
import type { PointPlan } from '../../../src/store/plan.js';
import type { Store } from '../../../src/store/store.js';
import { EVERYTHING, key, METRICS, putSampleEntities, T0 } from '../../store/conformance/sample-data.js';

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
  for (const { id } of items) await transaction.putPoints(dailyPoints(id));
  await transaction.commit();
}

function dailyPoints(item_id: number) {
  const start_date = BigInt64Array.from({ length: DAYS }, (_, day) => BigInt(T0 + day * DAY_MS));
  const columns = {
    length: DAYS,
    series: new Uint32Array(DAYS),
    start_date,
    end_date: start_date,
    value: Float64Array.from({ length: DAYS }, (_, day) => item_id + day),
    value_valid: null,
    unit_id: new Int32Array(DAYS).fill(1),
    reporting_date: new BigInt64Array(DAYS),
    reporting_valid: new Uint8Array(DAYS / 8),
    available_date: new BigInt64Array(DAYS).fill(BigInt(T0)),
  };
  return { series: [key({ item_id, metric_id: METRICS[0]!.id, frequency_id: 1 })], columns };
}

/** The latest points of every series. */
export async function latestPlan(store: Store): Promise<PointPlan> {
  const series = [];
  for await (const batch of store.series({ selection: {}, includeHistorical: true })) series.push(...batch);
  return { ...EVERYTHING, series, withAvailableDate: false, withMetadata: false };
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
