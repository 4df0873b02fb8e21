import type { EntityType } from './entity.js';
import { ArgumentError } from './errors.js';
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

/** The fields of a selection as an item of `getTop` spells them. */
const TOP_ITEM_FIELDS: Readonly<Record<string, keyof SeriesKey>> = {
  metricId: 'metric_id',
  itemId: 'item_id',
  regionId: 'region_id',
  sourceId: 'source_id',
  frequencyId: 'frequency_id',
};

/** The ids of a selection, or of an item of `getTop`. @throws ArgumentError when a field has different ids in both spellings */
function idsOf(selection: Selection): Selection {
  const spelled = Object.entries(TOP_ITEM_FIELDS).filter(([key]) => Object.hasOwn(selection, key));
  if (spelled.length === 0) return selection;
  const given = selection as Readonly<Record<string, unknown>>;
  const fields = spelled.map(([key, field]) => {
    const [own, top] = [given[field] ?? undefined, given[key] ?? undefined];
    if (own !== undefined && top !== undefined && String(own) !== String(top))
      throw new ArgumentError(
        field,
        `${field}: is ${String(own)}, but ${key} beside it is ${String(top)}; omit one`,
      );
    return [field, own ?? top];
  });
  return { ...selection, ...Object.fromEntries(fields) };
}

/**
 * The normal form of a selection. Keys that are not part of a selection are ignored.
 * @throws ArgumentError when a field has different ids in both spellings
 */
export function selectionLists(selection: Selection): SelectionLists {
  const lists: { [Field in keyof SeriesKey]?: number[] } = {};
  const ids = idsOf(selection);
  for (const field of SELECTION_FIELDS) {
    const wanted = ids[field];
    if (wanted === undefined || wanted === null) continue;
    lists[field] = [...new Set(typeof wanted === 'number' ? [wanted] : wanted)];
  }
  return lists;
}

/** A test whether a selection has a series. */
export function selectionTest(selection: Selection): (series: { readonly key: SeriesKey }) => boolean {
  const lists = selectionLists(selection);
  return ({ key }) => SELECTION_FIELDS.every((field) => lists[field]?.includes(key[field]) ?? true);
}

/** What series are counted by: the fields of a selection, under the names of what they hold. */
export const FACETS = ['metrics', 'items', 'regions', 'partner_regions', 'sources', 'frequencies'] as const;
/** A facet of the series of a store. */
export type FacetName = (typeof FACETS)[number];

/** The field of a series that each facet counts, and the type of the entities that it holds. */
export const FACET_FIELDS = {
  metrics: { field: 'metric_id', type: 'metrics' },
  items: { field: 'item_id', type: 'items' },
  regions: { field: 'region_id', type: 'regions' },
  partner_regions: { field: 'partner_region_id', type: 'regions' },
  sources: { field: 'source_id', type: 'sources' },
  frequencies: { field: 'frequency_id', type: 'frequencies' },
} as const satisfies Readonly<Record<FacetName, { field: keyof SeriesKey; type: EntityType }>>;

/** A value of a facet: an entity that series have. */
export interface FacetValue {
  /** Id of the entity. */
  id: number;
  /** Its name. */
  name: string;
  /** How many series of the selection have it, whatever the selection says of this facet itself. */
  series: number;
  /** The synonym or code that the text was found in; absent where it was found in the name. */
  matched?: string | undefined;
}
