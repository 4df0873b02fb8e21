import type { SeriesKey } from './series.js';

/** Which series are wanted: any of the key's fields, each one id or several. An absent field is not restricted. */
export type Selection = { [Field in keyof SeriesKey]?: number | readonly number[] };

/** A selection as plans hold it: every restricted field a list without repeats. */
export type SelectionLists = { [Field in keyof SeriesKey]?: readonly number[] };

export const SELECTION_FIELDS = [
  'metric_id',
  'item_id',
  'region_id',
  'partner_region_id',
  'source_id',
  'frequency_id',
] as const satisfies readonly (keyof SeriesKey)[];

/** Turns single ids into lists of one and drops repeats; keys that are not part of a selection are left out. */
export function selectionLists(selection: Selection): SelectionLists {
  const lists: { [Field in keyof SeriesKey]?: number[] } = {};
  for (const field of SELECTION_FIELDS) {
    const wanted = selection[field];
    if (wanted === undefined || wanted === null) continue;
    lists[field] = [...new Set(typeof wanted === 'number' ? [wanted] : wanted)];
  }
  return lists;
}
