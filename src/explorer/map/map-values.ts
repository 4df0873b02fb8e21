import type { Theme } from '../../charts/theme.js';
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
export function valuesOn(
  { regions }: Pick<MapData, 'regions'>,
  dateMs: number,
  nearest: boolean,
): readonly RegionValue[] {
  return regions.map((region) => {
    const { end, value } = region.line;
    const row = end.findLastIndex((one) => one <= dateMs);
    const isOlder = row >= 0 && end[row] !== dateMs;
    if (row < 0 || (isOlder && !nearest)) return { region, value: null, isOlder: false };
    return { region, value: value[row]!, isOlder };
  });
}

/** Anchors of the scheme viridis, from its low end to its high one (van der Walt and Smith, matplotlib, CC0). */
const VIRIDIS = [
  [68, 1, 84],
  [71, 44, 122],
  [59, 81, 139],
  [44, 113, 142],
  [33, 144, 141],
  [39, 173, 129],
  [92, 200, 99],
  [170, 220, 50],
  [253, 231, 37],
] as const;

/**
 * The colour of a share of the way from the lowest to the highest value, as in `plotMap`: the highest value stands out most,
 * the darkest on light paper and the brightest on dark paper.
 */
export function colourOfShare(share: number, theme: Theme): string {
  const within = Math.min(1, Math.max(0, share));
  const at = (theme === 'light' ? 1 - within : within) * (VIRIDIS.length - 1);
  const low = VIRIDIS[Math.floor(at)]!;
  const high = VIRIDIS[Math.min(VIRIDIS.length - 1, Math.floor(at) + 1)]!;
  const mixed = low.map((channel, i) => Math.round(channel + (high[i]! - channel) * (at - Math.floor(at))));
  return `rgb(${mixed.join(' ')})`;
}

/** The share of the way of a value through a domain; one half where all values are equal. */
export function shareOf(value: number, [low, high]: readonly [number, number]): number {
  return high === low ? 0.5 : (value - low) / (high - low);
}
