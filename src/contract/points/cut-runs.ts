import { bitmapBytes, copyBits } from '../../columns/bitmap.js';
import type { PackedPoints } from '../../columns/packed-points.js';
import { sliceDates } from '../../columns/series-dates.js';

/** Shorter lists of points are joined into lists of at least this size. */
const MIN_LIST_SIZE = 16_384;

/** Size of a list, in points: a quarter of a megabyte of values is what a broken connection loses. */
const MAX_LIST_SIZE = 32_768;

/** Characters of remarks that count as a point. */
const CHARACTERS_A_POINT = 8;

/** The same runs in lists of about one size. A run is cut only where it is larger than a list. */
export async function* cutLists(
  lists: AsyncIterable<readonly PackedPoints[]>,
): AsyncGenerator<readonly PackedPoints[], void, undefined> {
  let runs: PackedPoints[] = [];
  let size = 0;
  for await (const list of lists) {
    for (const run of list.flatMap(cutRun)) {
      const added = sizeOf(run);
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

/** The size of a run in points. */
function sizeOf({ length, metadata }: PackedPoints): number {
  let characters = 0;
  for (const text of metadata ?? []) characters += text?.length ?? 0;
  return length + Math.ceil(characters / CHARACTERS_A_POINT);
}

function cutRun(run: PackedPoints): PackedPoints[] {
  const { length } = run;
  if (length === 0) return [];
  if (length === 1 || sizeOf(run) <= MAX_LIST_SIZE) return [run];
  const middle = length >> 1;
  return [...cutRun(sliceRun(run, 0, middle)), ...cutRun(sliceRun(run, middle, length))];
}

/** Rows `from` to `to` (exclusive) of a run; arrays are shared. */
function sliceRun(run: PackedPoints, from: number, to: number): PackedPoints {
  const { unit_id, reporting_date, available_date, metadata } = run;
  return {
    series: run.series,
    length: to - from,
    start_date: sliceDates(run.start_date, from, to),
    end_date: run.end_date && sliceDates(run.end_date, from, to),
    value: run.value.subarray(from, to),
    value_valid: sliceBits(run.value_valid, from, to),
    unit_id: typeof unit_id === 'number' ? unit_id : unit_id.subarray(from, to),
    reporting_date:
      reporting_date === null || typeof reporting_date === 'number'
        ? reporting_date
        : {
            dates: reporting_date.dates.subarray(from, to),
            valid: sliceBits(reporting_date.valid, from, to),
          },
    available_date: typeof available_date === 'object' ? available_date.subarray(from, to) : available_date,
    metadata: metadata?.slice(from, to) ?? metadata,
  };
}

/** Bits `from` to `to` (exclusive) as a bitmap of their own. */
function sliceBits(bitmap: Uint8Array | null, from: number, to: number): Uint8Array | null {
  if (bitmap === null) return null;
  const slice = new Uint8Array(bitmapBytes(to - from));
  copyBits(slice, 0, { bitmap, at: from, count: to - from });
  return slice;
}
