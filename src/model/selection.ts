import type { SeriesKey } from './series.js';

/** Which series are wanted: one id or several for any field of the key. An absent field is not restricted. */
export type Selection = { [Field in keyof SeriesKey]?: number | readonly number[] | undefined };

/** A selection in normal form: a list without duplicates for every restricted field. */
export type SelectionLists = { [Field in keyof SeriesKey]?: readonly number[] };

export const SELECTION_FIELDS = [
  'metric_id',
  'item_id',
  'region_id',
  'partner_region_id',
  'source_id',
  'frequency_id',
] as const satisfies readonly (keyof SeriesKey)[];

/** The normal form of a selection. Keys that are not part of a selection are ignored. */
export function selectionLists(selection: Selection): SelectionLists {
  const lists: { [Field in keyof SeriesKey]?: number[] } = {};
  for (const field of SELECTION_FIELDS) {
    const wanted = selection[field];
    if (wanted === undefined || wanted === null) continue;
    lists[field] = [...new Set(typeof wanted === 'number' ? [wanted] : wanted)];
  }
  return lists;
}
