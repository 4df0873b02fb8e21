import type { Theme } from '../../charts/theme.js';

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
