import * as z from 'zod';
import { isTime } from './parameters.js';

// The JSON on the wire. Readers ignore fields that are not declared here.

const id = z.int();
const isoTime = z.string().refine(isTime);

export const searchHits = z.array(
  z.object({
    id,
    name: z.string().optional().meta({ description: 'name of the entity' }),
    exact: z.boolean().optional().meta({
      description:
        'whether the text is the name, a synonym or a code of the entity; a lesser match is a guess',
    }),
  }),
);

export const combination = z.object({
  metric_id: id,
  metric_name: z.string().optional(),
  item_id: id,
  item_name: z.string().optional(),
  region_id: id,
  region_name: z.string().optional(),
  source_id: id,
  source_name: z.string().optional(),
});

export const series = z.object({
  metric_id: id,
  metric_name: z.string().optional(),
  item_id: id,
  item_name: z.string().optional(),
  region_id: id,
  region_name: z.string().optional(),
  partner_region_id: id.nullish().transform((partner) => partner ?? 0),
  partner_region_name: z.string().optional(),
  source_id: id,
  source_name: z.string().optional(),
  frequency_id: id,
  frequency_name: z.string().optional(),
  start_date: isoTime,
  end_date: isoTime,
  data_count_estimate: z
    .number()
    .optional()
    .meta({ description: 'number of points that the default retrieval returns' }),
  metadata: z.object({ includes_historical_region: z.boolean().optional() }).optional(),
});

export const timeFrequency = z.object({
  startDate: isoTime,
  endDate: isoTime,
  frequencyId: id,
  name: z.string(),
});

export const topItem = z.object({
  metricId: id,
  itemId: id,
  regionId: id,
  frequencyId: id,
  sourceId: id,
  unitId: id.nullable(),
  value: z.number().meta({ description: 'the sum' }),
});

export const geoCentre = z.object({
  centre: z
    .tuple([z.number(), z.number()])
    .nullable()
    .meta({ description: 'latitude and longitude in degrees' }),
  regionId: id,
  regionName: z.string(),
  geojson: z
    .union([z.string(), z.looseObject({}), z.null()])
    .optional()
    .meta({
      description:
        'JSON text, which is `null` without a shape; with stringify=false an object or null. Only with includeGeojson',
    }),
});

export const positionalPoint = z.tuple([isoTime, isoTime]).rest(z.unknown()).meta({
  description:
    '0 start, 1 end, 2 value or null, 3 reporting date or null, 4 unit id, 5 metadata, 6 available date',
});

export const seriesBlock = z.object({
  series: z.object({
    metricId: id,
    itemId: id,
    regionId: id,
    partnerRegionId: id.nullish().transform((partner) => partner ?? 0),
    frequencyId: id,
    sourceId: id,
    unitId: id.nullish(),
    belongsTo: z.looseObject({}).nullish().meta({ description: 'the requested ids' }),
    metadata: z
      .looseObject({
        includesHistoricalRegion: z.boolean().optional(),
        includesHistoricalPartnerRegion: z.boolean().optional(),
      })
      .nullish(),
  }),
  data: z.array(positionalPoint),
});
export type SeriesBlock = z.output<typeof seriesBlock>;

export const problem = z.object({
  error: z.string().meta({ description: 'kind of the error, for programs' }),
  message: z.string().meta({ description: 'the fault, and the remedy' }),
});

/** Wraps a schema in `{"data": …}`, the form of most responses. */
export function envelope<Inner extends z.ZodType>(inner: Inner) {
  return z.object({ data: inner });
}
