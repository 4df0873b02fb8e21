import * as v from 'valibot';
import type { DataPoint } from '../point.js';
import type { DataSeries } from '../series.js';
import type { OptionKeys } from './check.js';
import { FIELDS } from './fields.js';
import { ANYTHING, DATE, ID_OR_IDS } from './schemas.js';

/** The fields of a series, also as a search returns it. */
export const SERIES = {
  metric_id: FIELDS.metric_id,
  metric_name: ANYTHING,
  item_id: FIELDS.item_id,
  item_name: ANYTHING,
  region_id: FIELDS.region_id,
  region_name: ANYTHING,
  partner_region_id: FIELDS.partner_region_id,
  partner_region_name: ANYTHING,
  source_id: FIELDS.source_id,
  source_name: ANYTHING,
  frequency_id: FIELDS.frequency_id,
  frequency_name: ANYTHING,
  start_date: v.nullable(DATE),
  end_date: v.nullable(DATE),
  data_count_estimate: ANYTHING,
  metadata: ANYTHING,
  coverage: ANYTHING,
  matched: ANYTHING,
} satisfies Record<keyof DataSeries | 'coverage' | 'matched', v.GenericSchema>;

/** The fields of a point that a series lacks. */
const POINT: OptionKeys<Omit<DataPoint, keyof DataSeries>> = {
  value: ANYTHING,
  unit_id: ANYTHING,
  reporting_date: ANYTHING,
  available_date: ANYTHING,
  belongs_to: ANYTHING,
};

/** The fields of an item of `getTop`. */
const TOP_ITEM = {
  metricId: v.nullable(ID_OR_IDS),
  itemId: v.nullable(ID_OR_IDS),
  regionId: v.nullable(ID_OR_IDS),
  frequencyId: v.nullable(ID_OR_IDS),
  sourceId: v.nullable(ID_OR_IDS),
  unitId: ANYTHING,
  value: ANYTHING,
};

/** The fields that a selection may have: those of a series, of a point, and of an item of `getTop`. */
export const SELECTION_KEYS = {
  ...SERIES,
  ...POINT,
  ...TOP_ITEM,
};
