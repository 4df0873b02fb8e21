import { FLAG_KEYS } from '../contract/wire-names.js';
import { WORLD_REGION_ID } from '../model/entity.js';
import { badArgument } from '../model/errors.js';
import { check } from '../model/schema/check.js';
import type { PointFlags } from '../model/schema/fields.js';
import { IDS } from '../model/schema/schemas.js';
import { type Selection, selectionLists } from '../model/selection.js';
import { QUERY_KEYS, SERIES_KEY_FIELDS } from '../model/series.js';
import { parsePeriod, parseTime } from '../model/time.js';

type QueryLists = { readonly [key: string]: readonly number[] | undefined };

/** Converts a selection to query parameters. @throws ArgumentError if an id is not an integer, or if a list is empty */
export function toQuery(selection: Selection): QueryLists {
  const query: Record<string, readonly number[]> = {};
  const lists = selectionLists(selection);
  for (const field of SERIES_KEY_FIELDS) {
    const ids = lists[field];
    if (ids === undefined) continue;
    if (ids.length === 0) throw badArgument(field, 'the list is empty; omit it or pass an id');
    check(IDS, ids, field);
    const restricts = field !== 'partner_region_id' || ids.some((id) => id !== WORLD_REGION_ID);
    if (restricts) query[QUERY_KEYS[field]] = ids;
  }
  return query;
}

export function toPluralQuery(selection: Selection): QueryLists {
  return Object.fromEntries(Object.entries(toQuery(selection)).map(([key, ids]) => [`${key}s`, ids]));
}

/** Converts flags to query parameters. @throws ArgumentError if a date is invalid, or if the start is after the end */
export function toFlagQuery(flags: PointFlags): Readonly<Record<string, string | boolean>> {
  parsePeriod(flags);
  for (const name of ['at_time', 'available_since'] as const) {
    if (flags[name] !== undefined) parseTime(flags[name], name);
  }
  const { show_revisions, ...wanted } = flags;
  wanted.reporting_history ||= show_revisions;
  const query: Record<string, string | boolean> = {};
  for (const [name, key] of Object.entries(FLAG_KEYS)) {
    const value = wanted[name as keyof typeof wanted];
    const byDefault = name === 'include_historical';
    if (value !== undefined && value !== byDefault) query[key] = value;
  }
  return query;
}
