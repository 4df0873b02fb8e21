import * as v from 'valibot';
import { SERIES_WORDS } from '../series.js';
import type { KnownKeys } from './check.js';
import { FIELDS } from './fields.js';
import { ANYTHING, DATE, ID_OR_IDS } from './schemas.js';

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

/** The fields of selections. A series, a point or an item that `getTop` returned can serve as one. */
export const SELECTION_KEYS: KnownKeys = {
  ...SERIES,
  ...allowAnything('value', 'unit_id', 'reporting_date', 'available_date', 'belongs_to', 'unitId'),
  ...Object.fromEntries(SERIES_WORDS.map(({ camelCase }) => [camelCase, v.nullable(ID_OR_IDS)])),
};
