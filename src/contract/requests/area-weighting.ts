import * as z from 'zod';
import { FIELDS } from '../../model/arguments/fields.js';
import { parseTime } from '../../model/time.js';
import { date, id, ids, parameter } from '../parameters.js';

/** Maximum number of weight series in one request. */
const MAX_WEIGHTS = 10;

const NO_RASTERS =
  'names rasters, which this service does not hold; weigh by stored series: POST /v2/area-weighting with weights';

const weightedSeries = z.strictObject({ item_id: id, metric_id: id, frequency_id: id, source_id: id });

/** A series, the series that weigh its regions, and the regions. */
const areaWeightingBody = z
  .strictObject({
    weight_names: z.never(NO_RASTERS).optional(),
    series: weightedSeries.meta({ description: 'the series that is weighted, in every region' }),
    weights: z.array(weightedSeries).min(1).max(MAX_WEIGHTS).meta({
      description:
        "A region's weight is the product of the means over time of these series, over all stored periods. A region without one of them weighs 0, and the answer lists it.",
    }),
    region_ids: ids,
    method: parameter(FIELDS.weighting_method).default('sum').meta({
      description:
        'sum: value × weight summed over the regions; null where a region with a weight has no value. normalize: divided by the weights of the regions with a value.',
    }),
    start_date: date.optional(),
    end_date: date.optional(),
  })
  .refine(
    ({ start_date, end_date }) =>
      start_date === undefined ||
      end_date === undefined ||
      parseTime(start_date, 'start_date') <= parseTime(end_date, 'end_date'),
    { path: ['start_date'], message: 'is after end_date' },
  );

const description = z.object({
  item_id: id,
  metric_id: id,
  frequency_id: id,
  unit_id: id.nullable().default(null),
  source_id: id,
});

const seconds = z.int();

/** A weighted series. All after `weights_description`, and all after `available_timestamp`, is ours. */
const areaWeightedSeries = z.object({
  data_points: z.array(
    z.object({
      value: z.number().nullable(),
      timestamp: seconds.meta({ description: 'last date of the period, Unix seconds' }),
      available_timestamp: seconds.nullable().default(null).meta({
        description: 'when the last of the values became available, Unix seconds',
      }),
      start_timestamp: seconds.optional().meta({ description: 'first date of the period, Unix seconds' }),
      weight_present: z.number().optional().meta({
        description:
          'sum of the weights of the regions that have a value, over the sum of all weights; 1 when none is missing',
      }),
    }),
  ),
  series_description: description,
  weights_description: z.array(description),
  regions_without_data: z
    .array(id)
    .optional()
    .meta({ description: 'region_ids without a series to weigh, in their order' }),
  regions_without_weight: z.array(id).optional().meta({
    description: 'region_ids without a value of one of the weight series, which weigh 0; in their order',
  }),
});

const ignored = z.string().optional();

/** The request of the public clients to the older operation. */
const rasterWeightingQuery = z.object({
  seriesName: ignored,
  weightNames: z.array(z.string()).optional(),
  regionIds: z.array(z.string()).optional(),
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
  rasterWeighting: { query: rasterWeightingQuery, answer: z.never() },
} as const;

/** Why the older operation has no answer. */
export const NO_RASTER_SERIES = `seriesName: ${NO_RASTERS}`;
