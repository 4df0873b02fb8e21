import type * as v from 'valibot';
import type { EntityType } from './entity.js';
import type { coverage, dataSeries, datedSeries, seriesKey } from './schema/series.js';

/** The ids that identify a series. A `partner_region_id` of 0 stands for the world. */
export interface SeriesKey extends v.InferOutput<typeof seriesKey> {}

/** A series with the first and last dates of its data, as listed by this project's service. */
export interface DatedSeries extends v.InferOutput<typeof datedSeries> {}

/** A series with the time range of its data. Dates are ISO 8601 strings in UTC with milliseconds. */
export interface DataSeries extends v.InferOutput<typeof dataSeries> {}

/** The figures by which series are ranked. */
export interface Coverage extends Readonly<v.InferOutput<typeof coverage>> {}

/**
 * The parts of a series key, in order. Each part has a name, the field that holds its id, its entity type, its facet in
 * counts of series, and the field's camelCase name in queries and in items returned by `getTop`.
 */
export const SERIES_WORDS = [
  { word: 'metric', field: 'metric_id', type: 'metrics', facet: 'metrics', camelCase: 'metricId' },
  { word: 'item', field: 'item_id', type: 'items', facet: 'items', camelCase: 'itemId' },
  { word: 'region', field: 'region_id', type: 'regions', facet: 'regions', camelCase: 'regionId' },
  {
    word: 'partner_region',
    field: 'partner_region_id',
    type: 'regions',
    facet: 'partner_regions',
    camelCase: 'partnerRegionId',
  },
  {
    word: 'frequency',
    field: 'frequency_id',
    type: 'frequencies',
    facet: 'frequencies',
    camelCase: 'frequencyId',
  },
  { word: 'source', field: 'source_id', type: 'sources', facet: 'sources', camelCase: 'sourceId' },
] as const satisfies readonly { field: keyof SeriesKey; type: EntityType; [text: string]: string }[];
export type SeriesWord = (typeof SERIES_WORDS)[number];

const [METRIC, ITEM, REGION, PARTNER_REGION, , SOURCE] = SERIES_WORDS;
/** The parts of a series key that can be searched by name. */
export const NAMED_WORDS = [METRIC, ITEM, REGION, PARTNER_REGION] as const;
export const SOURCE_WORD = SOURCE;

/** The fields of a series key, in the order in which data frames show and sort them. */
export const SERIES_KEY_FIELDS: readonly (keyof SeriesKey)[] = SERIES_WORDS.map(({ field }) => field);

export const SERIES_KEY_TYPES = seriesWordsBy('field', 'type');

export const QUERY_KEYS = seriesWordsBy('field', 'camelCase');

function seriesWordsBy<Key extends keyof SeriesWord, Value extends keyof SeriesWord>(
  key: Key,
  value: Value,
): { readonly [Word in SeriesWord as Word[Key]]: Word[Value] } {
  return Object.fromEntries(SERIES_WORDS.map((word) => [word[key], word[value]])) as {
    readonly [Word in SeriesWord as Word[Key]]: Word[Value];
  };
}

/** Extracts the series key from an object that has other fields as well. */
export function seriesKeyOf(series: SeriesKey): SeriesKey {
  const { metric_id, item_id, region_id, partner_region_id, frequency_id, source_id } = series;
  return { metric_id, item_id, region_id, partner_region_id, frequency_id, source_id };
}

/** Returns the ids in a series key under their camelCase names, as used in queries and in the JSON form of points. */
export function camelCaseKeyOf(series: SeriesKey): { [Word in SeriesWord as Word['camelCase']]: number } {
  return Object.fromEntries(SERIES_WORDS.map(({ camelCase, field }) => [camelCase, series[field]])) as {
    [Word in SeriesWord as Word['camelCase']]: number;
  };
}

/** Encodes a series key as a unique string. */
export function seriesKeyText(key: SeriesKey): string {
  const { metric_id, item_id, region_id, partner_region_id, frequency_id, source_id } = key;
  return `${metric_id}-${item_id}-${region_id}-${partner_region_id}-${frequency_id}-${source_id}`;
}

/** Parses a string that `seriesKeyText` returned. Returns null for any other string. */
export function parseSeriesKey(text: string): SeriesKey | null {
  if (!/^\d+(-\d+){5}$/.test(text)) return null;
  const ids = text.split('-').map(Number);
  if (!ids.every(Number.isSafeInteger)) return null;
  return Object.fromEntries(SERIES_KEY_FIELDS.map((field, at) => [field, ids[at]])) as unknown as SeriesKey;
}

/** Compares keys in the order in which `index_by_series` sorts a frame. */
export function compareSeriesKeys(a: SeriesKey, b: SeriesKey): number {
  for (const field of SERIES_KEY_FIELDS) {
    const difference = a[field] - b[field];
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Encodes a series key as a string, ignoring the frequency. */
export function ofAnyFrequency(key: SeriesKey): string {
  return seriesKeyText({ ...key, frequency_id: 0 });
}
