import { RunningSum } from '../../columns/running-sum.js';
import { firstFrom } from '../../columns/series-dates.js';
import { compareValues, type OrderedValue } from '../table/ordered.js';

/** Aggregates rows one at a time. Only rows with a value may be added. */
export interface Accumulator<Result> {
  clear(): void;
  add(row: number): void;
  /** Removes the oldest row. If `remove` is missing, the caller must call `clear` and add the remaining rows again. */
  remove?: ((row: number) => void) | undefined;
  /** Returns the aggregate of all added rows. `count` is the number of these rows, which must be at least 1. */
  result(count: number): Result;
}

const ignore = () => {};

export function accumulateCount(): Accumulator<number> {
  return { clear: ignore, add: ignore, remove: ignore, result: (count) => count };
}

export function accumulateDistinct(codes: Int32Array): Accumulator<number> {
  const counts = new Map<number, number>();
  return {
    clear: () => counts.clear(),
    add(row) {
      counts.set(codes[row]!, (counts.get(codes[row]!) ?? 0) + 1);
    },
    remove(row) {
      const left = counts.get(codes[row]!)! - 1;
      if (left === 0) counts.delete(codes[row]!);
      else counts.set(codes[row]!, left);
    },
    result: () => counts.size,
  };
}

export function accumulateIntegers(integers: BigInt64Array | BigUint64Array): Accumulator<bigint> {
  let sum = 0n;
  return {
    clear() {
      sum = 0n;
    },
    add(row) {
      sum += integers[row]!;
    },
    remove(row) {
      sum -= integers[row]!;
    },
    result: () => sum,
  };
}

// Sums of values up to 1e140 are finite in a table of any size.
const staysFinite = (values: Float64Array) => values.every((value) => !(Math.abs(value) > 1e140));

/** Sums values, or averages them if `isMean` is set. `remove` is omitted if a sum could become infinite. */
export function accumulateSum(values: Float64Array, isMean = false): Accumulator<number> {
  const sum = new RunningSum();
  return {
    clear: () => sum.clear(),
    add: (row) => sum.add(values[row]!),
    remove: staysFinite(values) ? (row) => sum.add(-values[row]!) : undefined,
    result: (count) => (isMean ? sum.value / count : sum.value),
  };
}

export function accumulateWeightedMean(values: Float64Array, weights: Float64Array): Accumulator<number> {
  const products = accumulateSum(values.map((value, row) => value * weights[row]!));
  const total = accumulateSum(weights);
  // An infinite value multiplied by a weight of 0 is NaN, which cannot be removed either.
  const isRemovable = products.remove && total.remove && staysFinite(values);
  return {
    clear() {
      products.clear();
      total.clear();
    },
    add(row) {
      products.add(row);
      total.add(row);
    },
    remove: isRemovable
      ? (row) => {
          products.remove!(row);
          total.remove!(row);
        }
      : undefined,
    result: (count) => {
      const sum = total.result(count);
      return sum === 0 ? Number.NaN : products.result(count) / sum;
    },
  };
}

/** Sums the squared deviations of two columns, and the products of their deviations (Welford 1962). */
export function accumulateMoments<Result>(
  first: Float64Array,
  second: Float64Array,
  result: (moments: Moments) => Result,
): Accumulator<Result> & { result(): Result } {
  let [count, meanA, meanB, squaresA, squaresB, products] = [0, 0, 0, 0, 0, 0];
  return {
    clear() {
      [count, meanA, meanB, squaresA, squaresB, products] = [0, 0, 0, 0, 0, 0];
    },
    add(row) {
      count++;
      const [a, b] = [first[row]! - meanA, second[row]! - meanB];
      meanA += a / count;
      meanB += b / count;
      const restB = second[row]! - meanB;
      squaresA += a * (first[row]! - meanA);
      squaresB += b * restB;
      products += a * restB;
    },
    result: () => result({ count, mean: meanA, squares: [squaresA, squaresB], products }),
  };
}

export interface Moments {
  readonly count: number;
  /** The mean of the first column. */
  readonly mean: number;
  readonly squares: readonly [number, number];
  readonly products: number;
}

/** Computes a quantile. A single new value is inserted in sorted order, whereas several cause a complete sort. */
export function accumulateQuantile(values: Float64Array, share: number): Accumulator<number> {
  let buffer = new Float64Array(64);
  let [count, sorted] = [0, 0];
  const sort = () => {
    if (count - sorted === 1) insertLast(buffer, sorted);
    else if (count > sorted) buffer.subarray(0, count).sort();
    sorted = count;
  };
  return {
    clear() {
      [count, sorted] = [0, 0];
    },
    add(row) {
      if (count === buffer.length) {
        const longer = new Float64Array(count * 2);
        longer.set(buffer);
        buffer = longer;
      }
      buffer[count++] = values[row]!;
    },
    remove(row) {
      sort();
      const place = firstFrom(buffer, values[row]!, sorted);
      buffer.copyWithin(place, place + 1, count);
      sorted = --count;
    },
    result() {
      sort();
      return quantile(buffer.subarray(0, count), share);
    },
  };
}

function insertLast(buffer: Float64Array, length: number): void {
  const value = buffer[length]!;
  const place = firstFrom(buffer, value, length);
  buffer.copyWithin(place + 1, place, length);
  buffer[place] = value;
}

/** Finds the row that comes first in the order of `goesBefore`. Among equal rows, the row added first is chosen. */
function accumulateBest(goesBefore: (a: number, b: number) => boolean): Accumulator<number> {
  // The row at index `from` is the result. Each later row becomes the result once all rows before it have been removed.
  let [rows, from]: [number[], number] = [[], 0];
  return {
    clear() {
      [rows, from] = [[], 0];
    },
    add(row) {
      while (rows.length > from && goesBefore(row, rows.at(-1)!)) rows.pop();
      rows.push(row);
    },
    remove(row) {
      if (rows[from] === row) from++;
    },
    result: () => rows[from]!,
  };
}

export function accumulateExtreme(
  valueAt: (row: number) => OrderedValue,
  isGreatest: boolean,
): Accumulator<number> {
  const sign = isGreatest ? -1 : 1;
  return accumulateBest((a, b) => sign * compareValues(valueAt(a), valueAt(b)) < 0);
}

export function accumulateEnd(isLast: boolean): Accumulator<number> {
  return accumulateBest(() => isLast);
}

export function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  if (low === high) return low;
  const part = at - Math.floor(at);
  return Number.isFinite(high - low) ? low + (high - low) * part : low * (1 - part) + high * part;
}
