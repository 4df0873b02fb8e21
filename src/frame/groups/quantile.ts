/** Computes a quantile of ascending values, interpolated linearly. */
export function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  // The difference of two infinities is NaN.
  return low === high ? low : low + (high - low) * (at - Math.floor(at));
}
