/** The share of values that are known, 0 to 1; NaN is not. */
export function knownShare(values: Float64Array): number {
  let known = 0;
  for (const value of values) if (!Number.isNaN(value)) known++;
  return known / values.length;
}
