import * as v from 'valibot';
import { required } from '../../model/schema/check.js';
import { FIELDS } from '../../model/schema/fields.js';
import { DATE, ID, INTEGER, listOf, withMeaning } from '../../model/schema/schemas.js';
import { parseTime } from '../../model/time.js';
import { ids } from '../parameters.js';

const MAX_WEIGHTS = 10;

const NO_RASTERS =
  'names rasters, which this service does not have; weight by stored series instead: POST /v2/area-weighting with weights';

const weightedSeries = v.strictObject({
  /** Id of the item. */
  item_id: ID,
  /** Id of the metric. */
  metric_id: ID,
  /** Id of the frequency. */
  frequency_id: ID,
  /** Id of the source. */
  source_id: ID,
});
/** A series without its region: the weighted series, or a series of weights. */
export interface AreaSeries extends v.InferOutput<typeof weightedSeries> {}

/** The weighted series, the series of weights, and the regions. */
export const AREA_WEIGHTING = {
  /** The series to weight. */
  series: required(withMeaning('the series that is weighted, in every region', weightedSeries)),
  /** The series of weights, 1 to 10. The weight of a region is the product of their means over time. */
  weights: required(
    withMeaning(
      "A region's weight is the product of the means over time of these series, over all stored periods. A region without one of them weighs 0, and the answer lists it.",
      v.pipe(listOf(weightedSeries), v.minLength(1), v.maxLength(MAX_WEIGHTS)),
    ),
  ),
  /** Ids of the regions. */
  region_ids: required(v.pipe(ids, v.readonly())),
  /** `sum` (the default), or `normalize`, which divides by the weights of the regions with a value. */
  method: v.optional(
    withMeaning(
      'sum: value × weight summed over the regions; null where a region with a weight has no value. normalize: divided by the weights of the regions with a value.',
      FIELDS.weighting_method,
    ),
    'sum',
  ),
  /** `YYYY-MM-DD`: only periods that end on or after this date. The weights cover all periods. */
  start_date: v.optional(DATE),
  /** `YYYY-MM-DD`: only periods that start on or before this date. */
  end_date: v.optional(DATE),
};

const areaWeightingBody = v.pipe(
  v.strictObject({
    weight_names: v.optional(v.never(NO_RASTERS)),
    ...AREA_WEIGHTING,
  }),
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
  /** Last date of the period, Unix seconds. */
  timestamp: withMeaning('last date of the period, Unix seconds', INTEGER),
  /** When the last of the values became available, Unix seconds; null without a value or if unknown. */
  available_timestamp: v.optional(
    withMeaning('when the last of the values became available, Unix seconds', v.nullable(INTEGER)),
    null,
  ),
  /** First date of the period, Unix seconds. Services that implement only the JSON base omit it. */
  start_timestamp: v.optional(withMeaning('first date of the period, Unix seconds', INTEGER)),
  /** The share of the total weight whose regions have a value. Services with only the JSON base omit it. */
  weight_present: v.optional(
    withMeaning(
      'sum of the weights of the regions that have a value, over the sum of all weights; 1 when none is missing',
      v.number(),
    ),
  ),
});
/** One period of a weighted series. */
export interface AreaWeightedPoint extends v.InferOutput<typeof point> {}

const description = v.object({
  ...weightedSeries.entries,
  /** Id of the unit; null for no unit. */
  unit_id: v.optional(v.nullable(ID), null),
});
/** A series without its region, and the unit of its values. */
export interface AreaSeriesDescription extends v.InferOutput<typeof description> {}

/** A weighted series. Fields after `weights_description` and, in points, `available_timestamp` are extensions. */
const areaWeightedSeries = v.object({
  /** One point per period, in order of its end. */
  data_points: v.array(point),
  /** The weighted series. With `sum`, values are in this unit multiplied by the units of the weights. */
  series_description: description,
  /** The series of weights. */
  weights_description: v.array(description),
  /** Regions without a series to weight. Services that implement only the JSON base omit this list. */
  regions_without_data: v.optional(
    withMeaning('region_ids without a series to weight, in the order of the request', v.array(ID)),
  ),
  /** Regions without a series of weights; they weigh 0. Services that implement only the JSON base omit this list. */
  regions_without_weight: v.optional(
    withMeaning(
      'region_ids without a value of one of the weight series, whose weight is 0; in the order of the request',
      v.array(ID),
    ),
  ),
});
/** A series weighted over regions. */
export interface AreaWeightedSeries extends v.InferOutput<typeof areaWeightedSeries> {}

const ignored = v.optional(v.string());

/** The request that public clients send to the older operation of raster weighting. */
const rasterWeightingQuery = v.object({
  seriesName: ignored,
  weightNames: v.optional(v.array(v.string())),
  regionIds: v.optional(v.array(v.string())),
  aggregation: ignored,
  startDate: ignored,
  endDate: ignored,
  limit: ignored,
  level: ignored,
  method: ignored,
  latestDateOnly: ignored,
  metadata: ignored,
});

export const areaWeightingForms = {
  areaWeighting: { body: areaWeightingBody, answer: areaWeightedSeries },
  rasterWeighting: { query: rasterWeightingQuery, answer: v.never() },
} as const;

/** Why the older operation has no answer. */
export const NO_RASTER_SERIES = `seriesName: ${NO_RASTERS}`;
