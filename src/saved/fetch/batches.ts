/** Limits of the number of series in a batch. */
const MAX_IN_A_BATCH = 500;
const MIN_IN_A_BATCH = 100;

/**
 * Divides positions 0 to `count` into batches, each for one request: as many as can be in flight at once, but none so
 * small that the round trip costs more than the points, nor so large that losing it is expensive.
 */
export function batchesOf(
  count: number,
  { concurrency, max = MAX_IN_A_BATCH }: { concurrency: number; max?: number | undefined },
): { from: number; to: number }[] {
  const size = Math.min(max, Math.max(MIN_IN_A_BATCH, Math.ceil(count / concurrency)));
  return Array.from({ length: Math.ceil(count / size) }, (_, batch) => ({
    from: batch * size,
    to: Math.min(count, (batch + 1) * size),
  }));
}
