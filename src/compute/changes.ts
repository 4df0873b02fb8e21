/** Returns the changes between two dates. A change is null if a value is missing, or if it is a percentage of zero. */
export function changesBetween<Valued extends { readonly value: number | null }>(
  before: readonly Valued[],
  after: readonly Valued[],
  { isPercent }: { isPercent: boolean },
): readonly Valued[] {
  return after.map((one, at) => {
    const [old, value] = [before[at]!.value, one.value];
    if (value === null || old === null || (isPercent && old === 0)) return { ...one, value: null };
    return { ...one, value: isPercent ? (100 * (value - old)) / Math.abs(old) : value - old };
  });
}
