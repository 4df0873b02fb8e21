import * as v from 'valibot';
import { FIELDS } from '../../model/schema/fields.js';
import { DATE, ID, INTEGER, withMeaning } from '../../model/schema/schemas.js';
import { parseTime } from '../../model/time.js';
import { ids } from '../parameters.js';

/** Maximum number of weight series in one request. */
const MAX_WEIGHTS = 10;

const NO_RASTERS =
  'names rasters, which this service does not hold; weigh by stored series: POST /v2/area-weighting with weights';

const weightedSeries = v.strictObject({ item_id: ID, metric_id: ID, frequency_id: ID, source_id: ID });

/** A series, the series that weigh its regions, and the regions. */
const areaWeightingBody = v.pipe(
  v.strictObject({
    weight_names: v.optional(v.never(NO_RASTERS)),
    series: withMeaning('the series that is weighted, in every region', weightedSeries),
    weights: withMeaning(
      "A region's weight is the product of the means over time of these series, over all stored periods. A region without one of them weighs 0, and the answer lists it.",
      v.pipe(v.array(weightedSeries), v.minLength(1), v.maxLength(MAX_WEIGHTS)),
    ),
    region_ids: ids,
    method: v.optional(
      withMeaning(
        'sum: value × weight summed over the regions; null where a region with a weight has no value. normalize: divided by the weights of the regions with a value.',
        FIELDS.weighting_method,
      ),
      'sum',
    ),
    start_date: v.optional(DATE),
    end_date: v.optional(DATE),
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

const description = v.object({
  item_id: ID,
  metric_id: ID,
  frequency_id: ID,
  unit_id: v.optional(v.nullable(ID), null),
  source_id: ID,
});

const seconds = INTEGER;

/** A weighted series. All after `weights_description`, and all after `available_timestamp`, is ours. */
const areaWeightedSeries = v.object({
  data_points: v.array(
    v.object({
      value: v.nullable(v.number()),
      timestamp: withMeaning('last date of the period, Unix seconds', seconds),
      available_timestamp: v.optional(
        withMeaning('when the last of the values became available, Unix seconds', v.nullable(seconds)),
        null,
      ),
      start_timestamp: v.optional(withMeaning('first date of the period, Unix seconds', seconds)),
      weight_present: v.optional(
        withMeaning(
          'sum of the weights of the regions that have a value, over the sum of all weights; 1 when none is missing',
          v.number(),
        ),
      ),
    }),
  ),
  series_description: description,
  weights_description: v.array(description),
  regions_without_data: v.optional(
    withMeaning('region_ids without a series to weigh, in their order', v.array(ID)),
  ),
  regions_without_weight: v.optional(
    withMeaning(
      'region_ids without a value of one of the weight series, which weigh 0; in their order',
      v.array(ID),
    ),
  ),
});

const ignored = v.optional(v.string());

/** The request of the public clients to the older operation. */
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

/** The schemas of both operations. */
export const areaWeightingForms = {
  areaWeighting: { body: areaWeightingBody, answer: areaWeightedSeries },
  rasterWeighting: { query: rasterWeightingQuery, answer: v.never() },
} as const;

/** Why the older operation has no answer. */
export const NO_RASTER_SERIES = `seriesName: ${NO_RASTERS}`;
