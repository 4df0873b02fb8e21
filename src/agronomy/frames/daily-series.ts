import { frequencyOf, type SeriesPoints } from '../../frame/series/series-points.js';
import type { SeriesView } from '../../frame/table/series-view.js';
import { ArgumentError } from '../../model/errors.js';
import { frequencyId } from '../../model/frequency.js';
import { DAY_MS } from '../../model/time.js';

/** A series with a value for each consecutive day. */
export interface DailySeries {
  readonly view: SeriesView;
  /** The first day, in UTC milliseconds. */
  readonly startMs: number;
  /** One value a day; NaN where it is missing. */
  readonly values: Float64Array;
}

/**
 * A series of a frame by the day.
 * @throws ArgumentError when it is not daily
 */
export function dailySeries({ view, end, value }: SeriesPoints): DailySeries {
  const frequency = frequencyOf(view);
  if (frequency.id !== frequencyId('daily')) {
    throw new ArgumentError('table', `table: ${seriesName(view)} is ${frequency.name}; give daily series`);
  }
  if (end.length === 0) return { view, startMs: 0, values: new Float64Array(0) };
  const first = dayOf(end[0]!);
  const values = new Float64Array(dayOf(end.at(-1)!) - first + 1).fill(Number.NaN);
  end.forEach((date, i) => {
    values[dayOf(date) - first] = value[i]!;
  });
  return { view, startMs: first * DAY_MS, values };
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** The values of these days of a series; NaN where it has none. */
export function valuesOfDays(
  { startMs, values }: DailySeries,
  { firstMs, days }: { firstMs: number; days: number },
): Float64Array {
  const wanted = new Float64Array(days).fill(Number.NaN);
  const offset = (firstMs - startMs) / DAY_MS;
  const from = Math.max(0, offset);
  const to = Math.min(values.length, offset + days);
  if (from < to) wanted.set(values.subarray(from, to), from - offset);
  return wanted;
}

/** What a series is called in messages. */
export function seriesName({ key, names }: SeriesView): string {
  const region = names.get('region_name') ?? `region ${key.region_id}`;
  const item = names.get('item_name') ?? `item ${key.item_id}`;
  return `${item} of ${region}`;
}
