import { WORLD_REGION_ID } from '../model/entity.js';
import { badArgument } from '../model/errors.js';
import type { SelectionLists } from '../model/selection.js';
import { QUERY_KEYS, SERIES_KEY_FIELDS, type SeriesKey } from '../model/series.js';
import { parseTime } from '../model/time.js';

type WireKey = (typeof QUERY_KEYS)[keyof SeriesKey];
type SelectionQuery = { readonly [Key in WireKey]?: readonly number[] | undefined };
type PluralQuery = { readonly [Key in `${WireKey}s`]?: readonly number[] | undefined };

/** Returns the selection in a query for series. Ignores partner region 0 (the world) unless others are given too. */
export function readSelection(query: SelectionQuery): SelectionLists {
  const { partner_region_id: partners, ...lists } = readLists(query);
  return partners?.some((id) => id !== WORLD_REGION_ID) ? { ...lists, partner_region_id: partners } : lists;
}

/** Returns the selection in a query for points. By default, the partner region is the world. */
export function readPointSelection(query: SelectionQuery): SelectionLists {
  return { partner_region_id: [WORLD_REGION_ID], ...readLists(query) };
}

export function readPluralSelection(query: PluralQuery): SelectionLists {
  return readSelection(
    Object.fromEntries(Object.values(QUERY_KEYS).map((key) => [key, query[`${key}s`]])) as SelectionQuery,
  );
}

/** Returns the ids in a query, without duplicates. Partner region 0 restricts the selection like any other id. */
export function readLists(query: SelectionQuery): SelectionLists {
  const lists: { [Field in keyof SelectionLists]: readonly number[] } = {};
  for (const field of SERIES_KEY_FIELDS) {
    const ids = query[QUERY_KEYS[field]];
    if (ids !== undefined) lists[field] = [...new Set(ids)];
  }
  return lists;
}

/** Returns the dates in a query as UTC milliseconds. @throws ArgumentError if the start is after the end */
export function readWindow(query: { startDate?: string | undefined; endDate?: string | undefined }): {
  startMs: number | null;
  endMs: number | null;
} {
  const startMs = query.startDate === undefined ? null : parseTime(query.startDate, 'startDate');
  const endMs = query.endDate === undefined ? null : parseTime(query.endDate, 'endDate');
  if (startMs !== null && endMs !== null && startMs > endMs)
    throw badArgument('startDate', `${query.startDate} is after endDate ${query.endDate}`);
  return { startMs, endMs };
}
