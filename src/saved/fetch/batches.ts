/** Series that one batch asks for at most, and, where there are as many, at least. */
const MAX_IN_A_BATCH = 200;
const MIN_IN_A_BATCH = 20;

/**
 * Positions 0 to `count` in parcels, each of which one request may ask for: as many parcels as can be under way at once,
 * none so small that the way there costs more than the points, and none so large that losing it would hurt.
 */
export function batchesOf(
  count: number,
  { concurrency, max = MAX_IN_A_BATCH }: { concurrency: number; max?: number | undefined },
): { from: number; to: number }[] {
  const size = Math.min(max, Math.max(MIN_IN_A_BATCH, Math.ceil(count / concurrency)));
  return Array.from({ length: Math.ceil(count / size) }, (_, parcel) => ({
    from: parcel * size,
    to: Math.min(count, (parcel + 1) * size),
  }));
}
