import { mixColours, type Theme } from './theme.js';

/** Anchor colours of the viridis scheme, from low to high values (van der Walt and Smith, matplotlib, CC0). */
const VIRIDIS = '#440154 #472c7a #3b518b #2c718e #21908d #27ad81 #5cc863 #aadc32 #fde725'.split(' ');

/** Interpolates between anchor colours. `share` is the position between the first and last anchor, from 0 to 1. */
function colourAlong(anchors: readonly string[], share: number): string {
  const at = share * (anchors.length - 1);
  return mixColours(anchors[Math.floor(at)]!, anchors[Math.ceil(at)]!, at - Math.floor(at));
}

const MAX_CLASSES = 7;

/** Returns ascending class limits: round numbers, or quantiles if one class would otherwise contain most values. */
export function breaksOf(values: readonly number[]): readonly number[] {
  const sorted = Float64Array.from(values).sort();
  const [low, high] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  if (low === high) return [];
  const step = roundStep((high - low) / (MAX_CLASSES - 1));
  const first = Math.floor(low / step) + 1;
  const count = Math.floor(high / step) - first + 1;
  const steps = Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)));
  if (!isCrowded(values, steps)) return steps;
  const quantiles = quantilesOf(sorted, MAX_CLASSES - 1);
  return quantiles.length === 0 ? steps : quantiles;
}

/** Returns rounded limits that divide sorted values into classes of about the same size. */
function quantilesOf(sorted: Float64Array, classes: number): readonly number[] {
  const low = sorted[0] ?? 0;
  const width = ((sorted.at(-1) ?? 0) - low) / classes;
  const digits = width > 0 ? 10 ** Math.max(0, 1 - Math.floor(Math.log10(width))) : 1;
  const limits = Array.from({ length: classes - 1 }, (_, i) => {
    const value = sorted[Math.floor(((i + 1) * sorted.length) / classes)] ?? low;
    return Math.round(value * digits) / digits;
  });
  return [...new Set(limits)].filter((one) => one > low);
}

/** The number of classes for values that are lower than all values on the newest date. */
const OLDER_CLASSES = 3;

/** Returns class limits for `all` or, if most `newest` values would share a class, for `newest` and lower values. */
export function limitsOfAll(all: readonly number[], newest: readonly number[]): readonly number[] {
  const ofAll = breaksOf(all);
  if (!isCrowded(newest, ofAll)) return ofAll;
  const lowest = Math.min(...newest);
  const lower = Float64Array.from(all.filter((value) => value < lowest)).sort();
  // Rounding can raise a limit above all the values that it divides.
  const older = quantilesOf(lower, OLDER_CLASSES).filter((limit) => limit < lowest);
  return [...older, ...breaksOf(newest)];
}

function isCrowded(values: readonly number[], breaks: readonly number[]): boolean {
  const counts = new Array<number>(breaks.length + 1).fill(0);
  for (const value of values) counts[classOf(value, breaks)]! += 1;
  return Math.max(...counts) > values.length / 2;
}

function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const times = step / power;
  return power * (times >= 7.1 ? 10 : times >= 3.2 ? 5 : times >= 1.5 ? 2 : 1);
}

// BrBG colours, starting with the colour nearest to zero (Brewer, colorbrewer2.org, Apache 2.0).
const BELOW = '#f6e8c3 #dfc27d #bf812d #8c510a #543005'.split(' ');
const ABOVE = '#c7eae5 #80cdc1 #35978f #01665e #003c30'.split(' ');

/** Adds zero to the class limits if some but not all values are negative, so that no class mixes signs. */
export function addZeroBreak(breaks: readonly number[], values: readonly number[]): readonly number[] {
  const isBoth = values.some((value) => value < 0) && values.some((value) => value >= 0);
  return isBoth && !breaks.includes(0) ? [...breaks, 0].sort((a, b) => a - b) : breaks;
}

/** Returns the class colours, lowest first: brown below zero and green above, equally strong at equal distances. */
export function signedColours(
  breaks: readonly number[],
  [low, high]: readonly [number, number],
): readonly string[] {
  const count = breaks.length + 1;
  const below = high < 0 ? count : low >= 0 ? 0 : breaks.filter((value) => value <= 0).length;
  const far = Math.max(below, count - below, 2) - 1;
  return Array.from({ length: count }, (_, at) => {
    const [side, steps] = at < below ? [BELOW, below - 1 - at] : [ABOVE, at - below];
    return colourAlong(side, steps / far);
  });
}

/** Returns the class colours, lowest first. High values are dark in the light theme and bright in the dark theme. */
export function classColours(breaks: readonly number[], theme: Theme): readonly string[] {
  return Array.from({ length: breaks.length + 1 }, (_, at) => {
    const share = breaks.length === 0 ? 0.6 : 0.06 + (0.94 * at) / breaks.length;
    return colourAlong(VIRIDIS, theme === 'light' ? 1 - share : share);
  });
}

export function classOf(value: number, breaks: readonly number[]): number {
  const at = breaks.findIndex((limit) => value < limit);
  return at < 0 ? breaks.length : at;
}
