import * as v from 'valibot';
import { DATE, INTEGER, optionalWith, withMeaning } from '../model/schema/schemas.js';
import { datedSeries } from '../model/schema/series.js';
import { everyId } from './parameters.js';

// These schemas describe the JSON in responses. Readers ignore fields that are not declared here.

/** A combination of metric, item, region and source that has data. */
export const combination = v.pick(datedSeries, [
  ...(['metric_id', 'metric_name', 'item_id', 'item_name'] as const),
  ...(['region_id', 'region_name', 'source_id', 'source_name'] as const),
]);

export const topItem = v.object({
  /** The metric's id. */
  metricId: INTEGER,
  /** The item's id. */
  itemId: INTEGER,
  /** The region's id. */
  regionId: INTEGER,
  /** The frequency's id. */
  frequencyId: INTEGER,
  /** The source's id. */
  sourceId: INTEGER,
  /** The id of the unit of `value`; null if it has no unit. */
  unitId: v.nullable(INTEGER),
  /** The sum of the values over the time range. */
  value: withMeaning('the sum', v.number()),
});

export const geoCentre = v.object({
  /** The latitude and longitude in degrees; null if neither a shape nor coordinates are known. */
  centre: withMeaning('latitude and longitude in degrees', v.nullable(v.tuple([v.number(), v.number()]))),
  /** The region's id. */
  regionId: INTEGER,
  /** The region's name. */
  regionName: v.string(),
  geojson: optionalWith(
    'the shape as JSON text, `null` if there is none; with stringify=false, an object or null. Only with includeGeojson',
    v.union([v.string(), v.looseObject({}), v.null()]),
  ),
});

/** A point as an array. The elements after the value may be absent. */
export const positionalPoint = withMeaning(
  '0 start, 1 end, 2 value or null, 3 reporting date or null, 4 unit id, 5 metadata, 6 available date',
  v.looseTuple([
    DATE,
    DATE,
    v.nullable(v.number()),
    v.nullish(DATE),
    v.optional(v.nullable(INTEGER)),
    v.nullish(v.looseObject({})),
    v.nullish(DATE),
  ]),
);

export const seriesBlock = v.object({
  series: v.object({
    ...everyId(INTEGER),
    partnerRegionId: v.nullish(INTEGER, 0),
    unitId: v.nullish(INTEGER),
    belongsTo: withMeaning('the requested ids', v.nullish(v.looseObject({}))),
    metadata: v.nullish(
      v.looseObject({
        includesHistoricalRegion: v.optional(v.boolean()),
        includesHistoricalPartnerRegion: v.optional(v.boolean()),
      }),
    ),
  }),
  data: v.array(positionalPoint),
});
export type SeriesBlock = v.InferOutput<typeof seriesBlock>;

/** Returns the schema of `{"data": …}`, the shape of most responses. */
export function dataOf<Inner extends v.GenericSchema>(inner: Inner) {
  return v.object({ data: inner });
}
