import * as v from 'valibot';
import { badArgument } from './errors.js';
import type { KnownKeys } from './schema/check.js';
import { FIELDS } from './schema/fields.js';
import { ANYTHING, DATE, ID_OR_IDS, INTEGER, optionalWith, withMeaning } from './schema/schemas.js';
import { SERIES_KEY_FIELDS, SERIES_WORDS, type SeriesKey, type SeriesWord } from './series.js';

/** Selects series by the ids in their keys. Each field has one or more ids. An absent field matches every id. */
export type Selection = { [Field in keyof SeriesKey]?: number | readonly number[] | undefined };

/** A normalised selection: every restricted field has a list of distinct ids. */
export type SelectionLists = { [Field in keyof SeriesKey]?: readonly number[] };

const allowAnything = (...names: readonly string[]): KnownKeys =>
  Object.fromEntries(names.map((name) => [name, ANYTHING]));

/** The fields that a series may have, including those that a search adds. */
export const SERIES: KnownKeys = {
  ...Object.fromEntries(SERIES_WORDS.map(({ field }) => [field, FIELDS[field]])),
  ...allowAnything(...SERIES_WORDS.map(({ word }) => `${word}_name`)),
  start_date: v.nullable(DATE),
  end_date: v.nullable(DATE),
  ...allowAnything('data_count_estimate', 'metadata', 'coverage', 'matched'),
};

/** The fields that a selection may have. Series, points and the items returned by `getTop` can serve as selections. */
export const SELECTION_KEYS: KnownKeys = {
  ...SERIES,
  ...allowAnything('value', 'unit_id', 'reporting_date', 'available_date', 'belongs_to', 'unitId'),
  ...Object.fromEntries(SERIES_WORDS.map(({ camelCase }) => [camelCase, v.nullable(ID_OR_IDS)])),
};

/**
 * Normalises a selection. Fields may also have the camelCase names used in items returned by `getTop`. Properties that
 * do not belong to a selection are ignored.
 * @throws ArgumentError if a field has two different ids
 */
export function selectionLists(selection: Selection): SelectionLists {
  const lists: { [Field in keyof SeriesKey]?: number[] } = {};
  const given = selection as Readonly<Record<string, number | readonly number[] | null | undefined>>;
  for (const { field, camelCase } of SERIES_WORDS) {
    const [own, top] = [given[field] ?? undefined, given[camelCase] ?? undefined];
    if (own !== undefined && top !== undefined && String(own) !== String(top))
      throw badArgument(field, `is ${String(own)}, but ${camelCase} is ${String(top)}; omit one of them`);
    const wanted = own ?? top;
    if (wanted !== undefined) lists[field] = [...new Set(typeof wanted === 'number' ? [wanted] : wanted)];
  }
  return lists;
}

/** Returns a series key for every combination of the listed ids, or no keys if a field has no list. */
export function listedKeys(lists: SelectionLists): SeriesKey[] {
  return SERIES_KEY_FIELDS.reduce<Partial<SeriesKey>[]>(
    (keys, field) => keys.flatMap((key) => (lists[field] ?? []).map((id) => ({ ...key, [field]: id }))),
    [{}],
  ) as SeriesKey[];
}

export function selectionTest(selection: Selection): (series: { readonly key: SeriesKey }) => boolean {
  const lists = selectionLists(selection);
  return ({ key }) => SERIES_KEY_FIELDS.every((field) => lists[field]?.includes(key[field]) ?? true);
}

/** The facets by which series are counted. Each facet counts series per entity in one field of the series key. */
export const FACETS = ['metrics', 'items', 'regions', 'partner_regions', 'sources', 'frequencies'] as const;
/** A facet by which a store's series are counted. */
export type FacetName = (typeof FACETS)[number];

/** For each facet, the field of the series key to which it belongs, and the type of the entities in that field. */
export const FACET_FIELDS = Object.fromEntries(SERIES_WORDS.map((word) => [word.facet, word])) as {
  readonly [Word in SeriesWord as Word['facet']]: Word;
};

export const facetValue = v.object({
  /** The entity's id. */
  id: INTEGER,
  /** The entity's name. */
  name: v.string(),
  /** The number of series that have this entity and match the selection's ids in all other facets. */
  series: withMeaning('series that have it, as if the selection did not restrict this facet', INTEGER),
  /** The synonym or code that matched the search text; absent if the name matched. */
  matched: optionalWith('the synonym or code that matches the text; absent for the name', v.string()),
});
/** A facet value: an entity that at least one series has. */
export interface FacetValue extends v.InferOutput<typeof facetValue> {}
