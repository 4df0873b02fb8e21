import type { SelectionLists } from '../../model/selection.js';

/** Maximum number of series in one request: a lost answer is requested again as a whole. */
const MAX_SERIES = 1000;

/** Maximum number of ids in one request: many servers refuse a URL of more than a few thousand characters. */
const MAX_IDS = 200;

/**
 * Splits a selection into parts of one request each, by halving the longest list until every part is small enough. The
 * parts together select what the whole selects, in the order of its lists.
 */
export function splitSelection(lists: SelectionLists): SelectionLists[] {
  if (isSmall(lists)) return [lists];
  const [field, ids] = longest(lists);
  const half = Math.ceil(ids.length / 2);
  return [ids.slice(0, half), ids.slice(half)].flatMap((part) => splitSelection({ ...lists, [field]: part }));
}

function isSmall(lists: SelectionLists): boolean {
  const counts = Object.values(lists).map((ids) => ids.length);
  const series = counts.reduce((product, count) => product * count, 1);
  const ids = counts.reduce((sum, count) => sum + count, 0);
  return counts.every((count) => count <= 1) || (series <= MAX_SERIES && ids <= MAX_IDS);
}

function longest(lists: SelectionLists): [string, readonly number[]] {
  return Object.entries(lists).reduce((max, list) => (list[1].length > max[1].length ? list : max));
}
