import fc from 'fast-check';

import { SERIES_KEY_FIELDS, type SeriesKey } from '../../../src/model/series.js';

/** Few ids of each field, so that selections often meet. */
export const IDS = {
  metric_id: [1, 2],
  item_id: [1, 2, 3],
  region_id: [0, 10, 11, 21, 22, 29, 211],
  partner_region_id: [0, 0, 0, 22, 29],
  source_id: [1, 2],
  frequency_id: [1, 6, 9],
} as const;

export const keys = fc.record(
  Object.fromEntries(SERIES_KEY_FIELDS.map((field) => [field, fc.constantFrom(...IDS[field])])),
) as unknown as fc.Arbitrary<SeriesKey>;
