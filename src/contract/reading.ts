import * as z from 'zod';
import { SERIES_KEY_FIELDS } from '../model/series.js';
import { type EndpointAnswer, type EndpointName, endpoints } from './endpoints.js';
import { geocodedPlace } from './requests/geocode.js';
import * as shapes from './shapes.js';

// The fields that a client requires of an answer. Other services leave fields out, send null for them, or send another
// type: a fault in a field that the client does not need never costs the rest.

const { envelope } = shapes;
const id = z.int();
const text = (fallback = '') => z.string().catch(fallback);
const optionalText = z.string().optional().catch(undefined);
const optionalNumber = z.number().optional().catch(undefined);
const optionalFlag = z.boolean().optional().catch(undefined);
const numberOrNull = z.number().nullable().catch(null);
const idsOnly = z
  .array(z.unknown())
  .catch([])
  .transform((list) => list.filter((one): one is number => Number.isInteger(one)));
/** A list that may be null where nothing is found. */
const listOrNull = <Inner extends z.ZodType>(inner: Inner) => z.array(inner).nullable();

/** A field that the work at hand does not need: null or absent where it cannot be read. */
type Tolerated<Field extends z.ZodType> =
  null extends z.output<Field> ? z.ZodCatch<Field> : z.ZodCatch<z.ZodOptional<Field>>;

/** An answer of our service, of which only some fields are needed. */
function tolerant<Shape extends Record<string, z.ZodType>, Needed extends keyof Shape & string>(
  { shape }: z.ZodObject<Shape>,
  ...needed: Needed[]
) {
  const read = Object.entries(shape).map(([name, field]) => {
    if ((needed as string[]).includes(name)) return [name, field];
    return [name, field.safeParse(null).success ? field.catch(null) : field.optional().catch(undefined)];
  });
  return z.object(
    Object.fromEntries(read) as {
      [Name in keyof Shape]: Name extends Needed ? Shape[Name] : Tolerated<Shape[Name]>;
    },
  );
}

/** An entity without a name has its id for one. */
function named<Given extends { id: number; name?: string | undefined }>(entity: Given) {
  return { ...entity, name: entity.name ?? String(entity.id) };
}

const containing = { id, name: optionalText, definition: text(), contains: idsOnly, belongsTo: idsOnly };

const region = z.object({
  ...containing,
  level: z.int().nullable().catch(null),
  latitude: numberOrNull,
  longitude: numberOrNull,
  historical: z.boolean().nullable().catch(null),
});
const periodLength = z.object({ days: optionalNumber, months: optionalNumber, years: optionalNumber });
const frequency = z.object({ id, name: optionalText, abbrev: text(), periodLength: periodLength.catch({}) });
const source = z.object({
  id,
  name: optionalText,
  longName: text(),
  licence: text(),
  citation: text(),
  url: text(),
});

/** A factor whose offset cannot be read is none: it would convert to another figure. */
const conversionFactor = z
  .object({ factor: optionalNumber, offset: z.unknown().optional() })
  .transform(({ factor, offset }) => {
    if (typeof offset === 'number') return { factor, offset };
    return offset === null || offset === undefined ? { factor } : {};
  });
const unit = z.object({
  id,
  name: optionalText,
  namePlural: text(),
  abbreviation: optionalText,
  baseConvFactor: conversionFactor.catch({}),
  dimension: optionalText,
});

/** The entities of each type, as they are read. */
export const entitySchemas = {
  metrics: z.object(containing).transform(named),
  items: z.object(containing).transform(named),
  regions: region.transform(named),
  frequencies: frequency.transform(named),
  sources: source.transform(named),
  units: unit
    .transform(named)
    .transform((given) => ({ ...given, abbreviation: given.abbreviation ?? given.name })),
};

const anyEntity = z.looseObject({ id });
const hit = z.object({ id });
const namedHit = tolerant(shapes.searchHits.element, 'id');

const combination = tolerant(shapes.combination, 'metric_id', 'item_id');

/** A count that may be sent as a text. */
const count = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
  .optional()
  .catch(undefined);
const series = tolerant(shapes.series, ...SERIES_KEY_FIELDS).extend({ data_count_estimate: count });

const timeFrequency = tolerant(shapes.timeFrequency, 'frequencyId').transform((given) => ({
  ...given,
  name: given.name ?? String(given.frequencyId),
}));

const topItem = tolerant(shapes.topItem, 'metricId', 'itemId', 'regionId', 'frequencyId', 'sourceId').extend({
  value: numberOrNull,
});

/** A shape is read where it is used; errors name its place. */
const geoCentre = tolerant(shapes.geoCentre, 'regionId')
  .extend({ geojson: z.unknown().optional() })
  .transform((given) => ({ ...given, regionName: given.regionName ?? String(given.regionId) }));

/** The regions that contain places: an id that cannot be read could be any region, so it is refused. */
const geocodedPlaces = z.array(tolerant(geocodedPlace, 'l5_id', 'l4_id', 'l3_id'));

const areaWeightedSeries = endpoints.areaWeighting.answer;
const { data_points, series_description } = areaWeightedSeries.shape;
const description = tolerant(series_description, 'item_id', 'metric_id', 'frequency_id', 'source_id');
const weightedSeries = tolerant(areaWeightedSeries, 'data_points').extend({
  data_points: z.array(tolerant(data_points.element, 'value', 'timestamp')),
  series_description: description,
  weights_description: z.array(description),
});

const relatedIds = envelope(z.record(z.string(), z.array(id).nullable()));
/** The schema that reads the answer of each operation. Streamed answers have other readers. */
const readers = {
  combinations: envelope(z.array(combination)),
  searchAll: listOrNull(z.tuple([id, z.string()])),
  search: listOrNull(namedHit),
  seriesList: envelope(z.array(series)),
  timeFrequencies: listOrNull(timeFrequency),
  rankedSources: listOrNull(id),
  top: listOrNull(topItem),
  allowedUnits: envelope(z.array(hit)),
  geocentres: envelope(z.array(geoCentre)),
  descendants: relatedIds,
  ancestors: relatedIds,
  entity: envelope(anyEntity),
  geocode: envelope(geocodedPlaces),
  areaWeighting: weightedSeries,
  entities: envelope(z.union([z.record(z.string(), anyEntity.nullable()), z.array(anyEntity)])),
} satisfies Partial<Record<EndpointName, z.ZodType>>;

/** The answer of an operation, as a client reads it. */
export type ReadAnswer<Name extends EndpointName> = Name extends keyof typeof readers
  ? z.output<(typeof readers)[Name]>
  : EndpointAnswer<Name>;

/** The schema with which the answer of an operation is read. */
export function readerOf(name: EndpointName): z.ZodType {
  return name in readers ? readers[name as keyof typeof readers] : (endpoints[name].answer as z.ZodType);
}

/** Operations that may find nothing, which an empty answer (204) says; for all others it is an error. */
export const MAY_FIND_NOTHING: ReadonlySet<EndpointName> = new Set([
  'search',
  'searchAll',
  'timeFrequencies',
  'rankedSources',
  'top',
  'points',
]);

/** The ids and the other read fields of a series block; its points are read one by one. */
export const blockShape = z.object({
  series: z
    .looseObject({
      unitId: id.nullish().catch(undefined),
      belongsTo: z.looseObject({}).nullish().catch(undefined),
      metadata: z
        .object({
          includesHistoricalRegion: optionalFlag,
          includesHistoricalPartnerRegion: optionalFlag,
        })
        .nullish()
        .catch(undefined),
    })
    .nullish(),
  data: z.custom<readonly unknown[]>(Array.isArray, 'expected a list of points').nullish(),
});
export type BlockShape = z.output<typeof blockShape>;
