import type { MapData, MapRegion } from './map-data.js';

/** The value of a region on a date; `isOlder` where it is of an earlier date. */
export interface RegionValue {
  readonly region: MapRegion;
  readonly value: number | null;
  readonly isOlder: boolean;
}

/**
 * The values of the regions on a date: those of exactly that date, or with `nearest` the latest before it where a region has
 * none. A missing value never takes the place of one.
 */
export function valuesOn(data: MapData, dateMs: number, nearest: boolean): readonly RegionValue[] {
  return data.regions.map((region) => {
    const { end, value } = region.line;
    for (let row = end.length - 1; row >= 0; row--) {
      if (end[row]! > dateMs || Number.isNaN(value[row]!)) continue;
      const isOlder = end[row] !== dateMs;
      if (isOlder && !nearest) break;
      return { region, value: value[row]!, isOlder };
    }
    return { region, value: null, isOlder: false };
  });
}

/** The latest of the dates on which most regions have a value. */
export function fullestDate({ regions, dates }: MapData): number {
  const counts = new Map<number, number>();
  for (const { line } of regions)
    line.end.forEach((end, row) => {
      if (!Number.isNaN(line.value[row]!)) counts.set(end, (counts.get(end) ?? 0) + 1);
    });
  return dates.reduce(
    (best, date) => ((counts.get(date) ?? 0) >= (counts.get(best) ?? 0) ? date : best),
    dates[0] ?? 0,
  );
}
