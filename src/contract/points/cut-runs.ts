import { type PackedPoints, sliceRun } from '../../columns/packed-points.js';

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
