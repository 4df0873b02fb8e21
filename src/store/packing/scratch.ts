/** Memory that is kept for the next reader: fresh memory takes longer to get than to fill. */
const MAX_KEPT = 8;
const MAX_KEPT_ROWS = 524_288;

const kept: Int32Array[] = [];

/** Integers of any content, at least so many. */
export function takeScratch(rows: number): Int32Array {
  const place = kept.findIndex(({ length }) => length >= rows);
  return place === -1 ? new Int32Array(rows) : kept.splice(place, 1)[0]!;
}

/** Gives integers back that nothing refers to any more. */
export function giveScratch(items: Int32Array): void {
  if (kept.length < MAX_KEPT && items.length <= MAX_KEPT_ROWS) kept.push(items);
}
