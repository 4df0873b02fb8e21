import * as v from 'valibot';
import { DATE, INTEGER, withMeaning } from '../model/schema/schemas.js';

// The JSON on the wire. Readers ignore fields that are not declared here.

export const searchHits = v.array(
  v.object({
    id: INTEGER,
    name: v.optional(withMeaning('name of the entity', v.string())),
    exact: v.optional(
      withMeaning(
        'whether the text is the name, a synonym or a code of the entity; a lesser match is a guess',
        v.boolean(),
      ),
    ),
  }),
);

const FIGURE = {
  metric_id: INTEGER,
  metric_name: v.optional(v.string()),
  item_id: INTEGER,
  item_name: v.optional(v.string()),
  region_id: INTEGER,
  region_name: v.optional(v.string()),
};

const SOURCE = {
  source_id: INTEGER,
  source_name: v.optional(v.string()),
};

export const combination = v.object({
  ...FIGURE,
  ...SOURCE,
});

export const series = v.object({
  ...FIGURE,
  partner_region_id: v.nullish(INTEGER, 0),
  partner_region_name: v.optional(v.string()),
  ...SOURCE,
  frequency_id: INTEGER,
  frequency_name: v.optional(v.string()),
  start_date: DATE,
  end_date: DATE,
  data_count_estimate: v.optional(
    withMeaning('number of points that the default retrieval returns', v.number()),
  ),
  metadata: v.optional(v.object({ includes_historical_region: v.optional(v.boolean()) })),
});

export const timeFrequency = v.object({
  startDate: DATE,
  endDate: DATE,
  frequencyId: INTEGER,
  name: v.string(),
});

export const topItem = v.object({
  metricId: INTEGER,
  itemId: INTEGER,
  regionId: INTEGER,
  frequencyId: INTEGER,
  sourceId: INTEGER,
  unitId: v.nullable(INTEGER),
  value: withMeaning('the sum', v.number()),
});

export const geoCentre = v.object({
  centre: withMeaning('latitude and longitude in degrees', v.nullable(v.tuple([v.number(), v.number()]))),
  regionId: INTEGER,
  regionName: v.string(),
  geojson: v.optional(
    withMeaning(
      'JSON text, which is `null` without a shape; with stringify=false an object or null. Only with includeGeojson',
      v.union([v.string(), v.looseObject({}), v.null()]),
    ),
  ),
});

export const positionalPoint = withMeaning(
  '0 start, 1 end, 2 value or null, 3 reporting date or null, 4 unit id, 5 metadata, 6 available date',
  v.tupleWithRest([DATE, DATE], v.unknown()),
);

export const seriesBlock = v.object({
  series: v.object({
    metricId: INTEGER,
    itemId: INTEGER,
    regionId: INTEGER,
    partnerRegionId: v.nullish(INTEGER, 0),
    frequencyId: INTEGER,
    sourceId: INTEGER,
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

export const problem = v.object({
  error: withMeaning('kind of the error, for programs', v.string()),
  message: withMeaning('the fault, and the remedy', v.string()),
});

/** `{"data": …}`: the form of most answers. */
export function envelope<Inner extends v.GenericSchema>(inner: Inner) {
  return v.object({ data: inner });
}
