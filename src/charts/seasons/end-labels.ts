/** A label at the end of a line, and the value beside which it belongs. */
export interface EndLabel {
  readonly text: string;
  readonly value: number;
}

/** More labels than this do not fit; only the highest, the lowest and the highlighted are shown. */
const MAX_LABELS = 14;

/** The labels to show beside the lines. */
export function shownLabels<Label extends EndLabel>(
  labels: readonly Label[],
  highlight: number | null,
): Label[] {
  if (labels.length <= MAX_LABELS) return [...labels];
  const ascending = [...labels].sort((a, b) => a.value - b.value);
  const kept = new Set([ascending[0]!, ascending.at(-1)!]);
  if (highlight !== null) kept.add(labels[highlight]!);
  return labels.filter((label) => kept.has(label));
}

/**
 * Heights for labels, at least `gap` apart and as near to their values as that allows, in the order of the values.
 * @param limits the lowest and the highest height
 */
export function spreadLabels(
  values: readonly number[],
  gap: number,
  [low, high]: readonly [number, number],
): number[] {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!);
  const heights = new Array<number>(values.length);
  let floor = low;
  for (const at of order) {
    heights[at] = Math.max(values[at]!, floor);
    floor = heights[at]! + gap;
  }
  let ceiling = high;
  for (const at of order.reverse()) {
    heights[at] = Math.min(heights[at]!, ceiling);
    ceiling = heights[at]! - gap;
  }
  return heights;
}
