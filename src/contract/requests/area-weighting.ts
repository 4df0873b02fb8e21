import * as v from 'valibot';
import { required } from '../../model/schema/check.js';
import { FIELDS } from '../../model/schema/fields.js';
import { DATE, ID, INTEGER, listOf, optionalWith, withMeaning } from '../../model/schema/schemas.js';
import { parseTime } from '../../model/time.js';
import { ids } from '../parameters.js';

const MAX_WEIGHTS = 10;

const weightedSeries = v.strictObject({
  /** The item's id. */
  item_id: ID,
  /** The metric's id. */
  metric_id: ID,
  /** The frequency's id. */
  frequency_id: ID,
  /** The source's id. */
  source_id: ID,
});
/** A series to weight, or a series of weights. It has no region, because it is read for every region. */
export interface AreaSeries extends v.InferOutput<typeof weightedSeries> {}

/** The fields of an area-weighting request. */
export const AREA_WEIGHTING = {
  /** The series to weight. */
  series: required(withMeaning('the series that is weighted, in every region', weightedSeries)),
  /** One to ten series of weights. A region's weight is the product of the means of these series over time. */
  weights: required(
    withMeaning(
      "A region's weight is the product of the means over time of these series, over all stored periods. A region without a value of one of these series weighs 0, and the response lists the region.",
      v.pipe(listOf(weightedSeries), v.minLength(1), v.maxLength(MAX_WEIGHTS)),
    ),
  ),
  /** The ids of the regions. */
  region_ids: required(v.pipe(ids, v.readonly())),
  /** `sum` (the default), or `normalize`, which divides the sum by the total weight of the regions with a value. */
  method: optionalWith(
    'sum: the sum of value × weight over the regions; null if a region with a weight has no value. normalize: this sum divided by the total weight of the regions with a value.',
    FIELDS.weighting_method,
    'sum',
  ),
  /** Includes only periods that end on or after this date (`YYYY-MM-DD`). Weights are computed over all periods. */
  start_date: v.optional(DATE),
  /** Includes only periods that start on or before this date (`YYYY-MM-DD`). */
  end_date: v.optional(DATE),
};

const areaWeightingBody = v.pipe(
  v.strictObject(AREA_WEIGHTING),
  v.forward(
    v.check(
      ({ start_date, end_date }) =>
        start_date === undefined ||
        end_date === undefined ||
        parseTime(start_date, 'start_date') <= parseTime(end_date, 'end_date'),
      'is after end_date',
    ),
    ['start_date'],
  ),
);

const point = v.object({
  /** The weighted value. With `sum`, it is null if a region with a weight has no value. */
  value: v.nullable(v.number()),
  /** The last date of the period, in Unix seconds. */
  timestamp: withMeaning('last date of the period, in Unix seconds', INTEGER),
  /** When the last value of the regions became available, in Unix seconds; null if unknown or if there is no value. */
  available_timestamp: optionalWith(
    'when the last of the regions’ values became available, in Unix seconds',
    v.nullable(INTEGER),
    null,
  ),
  /** The first date of the period, in Unix seconds. Services that implement only the basic JSON API omit it. */
  start_timestamp: optionalWith('first date of the period, in Unix seconds', INTEGER),
  /** The share of weight held by regions with a value. Services that implement only the basic JSON API omit it. */
  weight_present: optionalWith(
    'sum of the weights of the regions that have a value, over the sum of all weights; 1 when none is missing',
    v.number(),
  ),
});
/** One period of a weighted series. */
export interface AreaWeightedPoint extends v.InferOutput<typeof point> {}

const description = v.object({
  ...weightedSeries.entries,
  /** The id of the values' unit; null if they have no unit. */
  unit_id: v.optional(v.nullable(ID), null),
});
/** A series without a region, with the unit of its values. */
export interface AreaSeriesDescription extends v.InferOutput<typeof description> {}

const areaWeightedSeries = v.object({
  /** One point per period, ordered by the end of the period. */
  data_points: v.array(point),
  /** The series that was weighted. With `sum`, the results' unit is this series' unit times the weights' unit. */
  series_description: description,
  /** The series that served as weights. */
  weights_description: v.array(description),
  /** Regions that have no series to weight. Services that implement only the basic JSON API omit this list. */
  regions_without_data: optionalWith(
    'ids of requested regions that have no series to weight, in the order of the request',
    v.array(ID),
  ),
  /**
   * Regions whose weight is 0 because a series of weights has no value for them. Services that implement only the basic
   * JSON API omit this list.
   */
  regions_without_weight: optionalWith(
    'ids of requested regions whose weight is 0 because a series of weights has no value for them, in the order of the request',
    v.array(ID),
  ),
});
/** A weighted combination of one series over several regions. */
export interface AreaWeightedSeries extends v.InferOutput<typeof areaWeightedSeries> {}

export const areaWeightingForm = { body: areaWeightingBody, answer: areaWeightedSeries };
