/** A quantile of ascending values, between two of them in proportion. */
export function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  // Of two infinities the difference is no number.
  return low === high ? low : low + (high - low) * (at - Math.floor(at));
}
