import type { SelectionLists } from '../../model/selection.js';

/** Series that one request may name, so that its answer is no more to lose than can be asked for again. */
const SERIES_PER_REQUEST = 1000;

/** Ids that one request may name: an address of more than some thousand characters is refused by many servers. */
const IDS_PER_REQUEST = 200;

/**
 * A selection in parts that one request each can ask for: the longest list is halved until every part is small enough.
 * The parts together select what the whole selects, in the order of its lists.
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
  return counts.every((count) => count <= 1) || (series <= SERIES_PER_REQUEST && ids <= IDS_PER_REQUEST);
}

function longest(lists: SelectionLists): [string, readonly number[]] {
  return Object.entries(lists).reduce((max, list) => (list[1].length > max[1].length ? list : max));
}
