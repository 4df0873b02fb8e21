import type { Unit } from '../model/entity.js';
import { UnitError } from '../model/errors.js';
import { groupedBy } from '../model/grouping.js';
import type { SeriesKey } from '../model/series.js';
import { conversionTo } from './units.js';

/** The sum of the values that have the same series key (apart from the partner region) and unit. */
interface Sum extends Omit<SeriesKey, 'partner_region_id'> {
  readonly unit_id: number;
  readonly value: number;
}

/**
 * Converts sums to their most common unit (in a tie, the unit with the lower id), and ranks them, highest first. Sums
 * that cannot be converted come last.
 */
export function rankSums(sums: readonly Sum[], unitsById: ReadonlyMap<number, Unit>): Sum[] {
  const unit_id = mostFrequent(sums.map((sum) => sum.unit_id));
  const converted = sums.map((sum) => convertSum(sum, unit_id, unitsById));
  const rounded = addByKey(converted).map((sum) => ({
    ...sum,
    value: Number(sum.value.toPrecision(DIGITS)),
  }));
  return rounded.sort(
    (a, b) =>
      Number(a.unit_id !== unit_id) - Number(b.unit_id !== unit_id) ||
      a.unit_id - b.unit_id ||
      b.value - a.value ||
      a.region_id - b.region_id ||
      a.item_id - b.item_id,
  );
}

/** The number of significant digits to which sums are rounded, so that 0.1 + 0.2 is 0.3. */
const DIGITS = 14;

/** Adds up sums that have the same ids and unit. The addition is exact, so their order does not matter. */
export function addByKey(sums: Iterable<Sum>): Sum[] {
  const groups = groupedBy(sums, ({ metric_id, item_id, region_id, source_id, frequency_id, unit_id }) =>
    [metric_id, item_id, region_id, source_id, frequency_id, unit_id].join(' '),
  );
  return [...groups.values()].map((group) => {
    const value = addExactly(group.map((sum) => sum.value));
    return { ...group[0]!, value };
  });
}

/** A factor that keeps sums of large doubles finite. It is a power of two, so that multiplying loses no precision. */
const SMALLER = 2 ** -64;

/** Adds numbers exactly, and rounds only the total (Shewchuk 1997). */
function addExactly(values: readonly number[]): number {
  /** Numbers of ascending magnitude whose sum is the exact total so far. Their binary digits do not overlap. */
  const parts: number[] = [];
  for (const value of values) {
    let total = value;
    let kept = 0;
    for (const part of parts) {
      const sum = total + part;
      const rest = Math.abs(total) < Math.abs(part) ? total - (sum - part) : part - (sum - total);
      if (rest !== 0) parts[kept++] = rest;
      total = sum;
    }
    if (!Number.isFinite(total)) return addLargest(values);
    parts.length = kept;
    parts.push(total);
  }
  return roundParts(parts);
}

/** Adds numbers whose partial sums may exceed the largest double. */
function addLargest(values: readonly number[]): number {
  if (!values.every(Number.isFinite)) return values.reduce((sum, value) => sum + value, 0);
  return addExactly(values.map((value) => value * SMALLER)) / SMALLER;
}

/** Adds up the parts of an exact total, and rounds once, to the nearest double. */
function roundParts(parts: number[]): number {
  let total = parts.pop() ?? 0;
  let rest = 0;
  while (parts.length > 0 && rest === 0) {
    const part = parts.pop()!;
    const sum = total + part;
    rest = part - (sum - total);
    total = sum;
  }
  // If the total seems to be halfway between two doubles, the next part decides which of them is nearer.
  const next = parts.at(-1) ?? 0;
  const further = total + 2 * rest;
  const isHalfway = further - total === 2 * rest;
  return isHalfway && Math.sign(rest) === Math.sign(next) ? further : total;
}

function mostFrequent(ids: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  const [first = [0]] = [...counts].sort(([a, ofA], [b, ofB]) => ofB - ofA || a - b);
  return first[0];
}

/**
 * Converts a sum to a unit. Returns the sum unchanged if it cannot be converted, if it would become too large, or if
 * zero in one unit is not zero in the other, as with temperatures.
 */
function convertSum(sum: Sum, unit_id: number, unitsById: ReadonlyMap<number, Unit>): Sum {
  try {
    const convert = conversionTo(unit_id, sum.unit_id, unitsById);
    const value = convert?.(sum.value) ?? sum.value;
    return convert?.(0) !== 0 || !Number.isFinite(value) ? sum : { ...sum, unit_id, value };
  } catch (error) {
    if (error instanceof UnitError) return sum;
    throw error;
  }
}
