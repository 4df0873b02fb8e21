import { type PackedPoints, sliceRun } from '../../columns/packed-points.js';

/**
 * The private format of points between our service and our client: frames of runs, as JSON followed by their arrays in
 * memory layout. 1,000 series of 2,000 daily points take 16 MB. Plain Arrow takes 80 MB, and seven times as long. A
 * frame consists of four 32-bit words (a marker, the number of bytes of the text, the number of bytes that follow, 0),
 * the text, and the arrays. The text and each array are padded to a multiple of 8 bytes. The text of the first frame is
 * `{ series }`. The text of the last frame is `{ points }`, the number of points, so that a truncated response or a
 * missing frame is detected. The other frames have `{ runs }`, in which each array is replaced by the name of its kind.
 * All numbers are little-endian.
 */
export const MARKER = 0x33524643;
export const HEAD_BYTES = 16;

/** The kinds of arrays. An array of a run has a number for each point; `bits` is a validity bitmap. */
export const ARRAY_KINDS = {
  f64: Float64Array,
  i32: Int32Array,
  /** Dates as days since 1970-01-01, which halves the size of most monthly series. */
  days: Int32Array,
  bits: Uint8Array,
} as const;
export type ArrayKind = keyof typeof ARRAY_KINDS;

export function roundUpToEight(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

/** The minimum size of a list, in points. Shorter lists are joined. */
const MIN_LIST_SIZE = 16_384;

/** The maximum size of a list, in points. A broken connection loses at most 256 kB of values. */
const MAX_LIST_SIZE = 32_768;

/** The number of characters of remarks that count as one point. */
const CHARACTERS_PER_POINT = 8;

/** Divides runs into lists of about equal size. Only a run larger than a list is cut. */
export async function* cutLists(
  lists: AsyncIterable<readonly PackedPoints[]>,
): AsyncGenerator<readonly PackedPoints[], void, undefined> {
  let runs: PackedPoints[] = [];
  let size = 0;
  for await (const list of lists) {
    for (const run of list.flatMap(cutRun)) {
      const added = runSize(run);
      if (size + added > MAX_LIST_SIZE && runs.length > 0) {
        yield runs;
        [runs, size] = [[], 0];
      }
      runs.push(run);
      size += added;
    }
    if (size < MIN_LIST_SIZE) continue;
    yield runs;
    [runs, size] = [[], 0];
  }
  if (runs.length > 0) yield runs;
}

function runSize({ length, metadata }: PackedPoints): number {
  let characters = 0;
  for (const text of metadata ?? []) characters += text?.length ?? 0;
  return length + Math.ceil(characters / CHARACTERS_PER_POINT);
}

function cutRun(run: PackedPoints): PackedPoints[] {
  const { length } = run;
  if (length === 0) return [];
  if (length === 1 || runSize(run) <= MAX_LIST_SIZE) return [run];
  const middle = length >> 1;
  return [...cutRun(sliceRun(run, 0, middle)), ...cutRun(sliceRun(run, middle, length))];
}
