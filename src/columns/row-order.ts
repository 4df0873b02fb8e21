import { epochAt, epochWords } from './epoch-words.js';
import type { PointColumns } from './point-columns.js';

/** Negative when row `a` is before row `b` by series, start and end; zero when the three are equal. */
type CompareRows = (a: number, b: number) => number;

/**
 * The rows of points in ascending order of series, start and end, by merging the runs that ascend already: `rows` is null
 * when all rows do. `unique` is false when two rows have the same series, start and end, whose order is then not known.
 */
export function ascendingRows(columns: PointColumns): { rows: Uint32Array | null; unique: boolean } {
  const compare = periodComparison(columns);
  const starts = runStarts(columns.length, compare);
  if (starts.length <= 1) return { rows: null, unique: true };
  const runs = starts
    .map((from, i) => ascendingRange(from, starts[i + 1] ?? columns.length))
    .sort((a, b) => compare(a[0]!, b[0]!));
  const rows = mergeRuns(runs, compare);
  return { rows, unique: runStarts(rows.length, (a, b) => compare(rows[a]!, rows[b]!)).length === 1 };
}

/** Whether each row is after the one before it. */
export function areAscending(columns: PointColumns): boolean {
  const compare = periodComparison(columns);
  for (let i = 1; i < columns.length; i++) if (compare(i - 1, i) >= 0) return false;
  return true;
}

function periodComparison({ series, start_date, end_date }: PointColumns): CompareRows {
  const starts = epochWords(start_date);
  const ends = epochWords(end_date);
  return (a, b) =>
    series[a]! - series[b]! || epochAt(starts, a) - epochAt(starts, b) || epochAt(ends, a) - epochAt(ends, b);
}

/** The first row of each run, in which every row is before the next. */
function runStarts(length: number, compare: CompareRows): number[] {
  const starts = length === 0 ? [] : [0];
  for (let i = 1; i < length; i++) if (compare(i - 1, i) >= 0) starts.push(i);
  return starts;
}

function ascendingRange(from: number, to: number): Uint32Array {
  const rows = new Uint32Array(to - from);
  for (let i = 0; i < rows.length; i++) rows[i] = from + i;
  return rows;
}

function mergeRuns(runs: readonly Uint32Array[], compare: CompareRows): Uint32Array {
  let left = runs;
  while (left.length > 1) {
    const merged: Uint32Array[] = [];
    for (let i = 0; i < left.length; i += 2)
      merged.push(i + 1 < left.length ? mergeTwo(left[i]!, left[i + 1]!, compare) : left[i]!);
    left = merged;
  }
  return left[0]!;
}

function mergeTwo(a: Uint32Array, b: Uint32Array, compare: CompareRows): Uint32Array {
  const merged = new Uint32Array(a.length + b.length);
  if (compare(a.at(-1)!, b[0]!) <= 0) {
    merged.set(a);
    merged.set(b, a.length);
    return merged;
  }
  let [i, j] = [0, 0];
  for (let row = 0; row < merged.length; row++) {
    const takesA = j === b.length || (i < a.length && compare(a[i]!, b[j]!) <= 0);
    merged[row] = takesA ? a[i++]! : b[j++]!;
  }
  return merged;
}
