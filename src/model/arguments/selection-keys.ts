import type { DataPoint } from '../point.js';
import type { DataSeries } from '../series.js';
import { checkDate, checkIdOrIds, checkNothing, orNull } from './checks.js';
import { FIELDS } from './fields.js';
import type { OptionKeys } from './option-keys.js';

/** The fields of a series, also as a search returns it. */
export const SERIES: OptionKeys<DataSeries & Record<'coverage' | 'matched', never>> = {
  metric_id: FIELDS.metric_id,
  metric_name: checkNothing,
  item_id: FIELDS.item_id,
  item_name: checkNothing,
  region_id: FIELDS.region_id,
  region_name: checkNothing,
  partner_region_id: FIELDS.partner_region_id,
  partner_region_name: checkNothing,
  source_id: FIELDS.source_id,
  source_name: checkNothing,
  frequency_id: FIELDS.frequency_id,
  frequency_name: checkNothing,
  start_date: orNull(checkDate),
  end_date: orNull(checkDate),
  data_count_estimate: checkNothing,
  metadata: checkNothing,
  coverage: checkNothing,
  matched: checkNothing,
};

/** The fields of a point that a series lacks. */
const POINT: OptionKeys<Omit<DataPoint, keyof DataSeries>> = {
  value: checkNothing,
  unit_id: checkNothing,
  reporting_date: checkNothing,
  available_date: checkNothing,
  belongs_to: checkNothing,
};

/** The fields of an item of `getTop`. */
const TOP_ITEM = {
  metricId: orNull(checkIdOrIds),
  itemId: orNull(checkIdOrIds),
  regionId: orNull(checkIdOrIds),
  frequencyId: orNull(checkIdOrIds),
  sourceId: orNull(checkIdOrIds),
  unitId: checkNothing,
  value: checkNothing,
};

/** The fields that a selection may have: those of a series, of a point, and of an item of `getTop`. */
export const SELECTION_KEYS = {
  ...SERIES,
  ...POINT,
  ...TOP_ITEM,
};
