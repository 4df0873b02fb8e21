import { DAY_MS } from '../../model/time.js';
import type { Line } from '../state/lines.js';

/** The first row whose number is not below a wanted one. */
function lowerBound(sorted: Float64Array, wanted: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The row whose period holds a moment; -1 where no period of the series does. */
export function rowAt({ start, end }: Line, ms: number): number {
  const row = lowerBound(start, ms + 1) - 1;
  return row >= 0 && ms < end[row]! + DAY_MS ? row : -1;
}

/** The row with a value whose period begins nearest to a moment; -1 in a series without values. */
export function nearestRow(line: Line, ms: number): number {
  const at = lowerBound(line.start, ms);
  const after = nextKnown(line, at, 1);
  const before = nextKnown(line, at - 1, -1);
  if (before < 0 || after < 0) return Math.max(before, after);
  return ms - line.start[before]! <= line.start[after]! - ms ? before : after;
}

/** The first row with a value from a row on, in a direction; -1 where there is none. */
export function nextKnown({ value }: Line, from: number, step: 1 | -1): number {
  for (let row = from; row >= 0 && row < value.length; row += step)
    if (!Number.isNaN(value[row]!)) return row;
  return -1;
}

/** The moment to which a key moves from another one along a series; null for a key that does not move. */
export function moveAlong(line: Line, ms: number, key: string): number | null {
  const at = nearestRow(line, ms);
  if (at < 0) return null;
  const startOf = (row: number) => line.start[row < 0 ? at : row]!;
  switch (key) {
    case 'ArrowRight':
      return startOf(nextKnown(line, at + 1, 1));
    case 'ArrowLeft':
      return startOf(nextKnown(line, at - 1, -1));
    case 'PageDown':
      return startOf(nearestRow(line, shiftYears(line.start[at]!, 1)));
    case 'PageUp':
      return startOf(nearestRow(line, shiftYears(line.start[at]!, -1)));
    case 'Home':
      return startOf(nextKnown(line, 0, 1));
    case 'End':
      return startOf(nextKnown(line, line.value.length - 1, -1));
    default:
      return null;
  }
}

function shiftYears(ms: number, years: number): number {
  const date = new Date(ms);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
}
