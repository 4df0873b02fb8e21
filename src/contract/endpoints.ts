import * as z from 'zod';
import { FIELDS, POINT_FLAGS } from '../model/arguments/fields.js';
import { CONTAINING_TYPES, ENTITY_TYPES, SEARCHABLE_TYPES } from '../model/entity.js';
import type { PointFlags } from '../model/point.js';
import { FACETS } from '../model/selection.js';
import { type Address, addresses, type Endpoint } from './addresses.js';
import { date, id, ids, isTime, parameter } from './parameters.js';
import { areaWeightingForms } from './requests/area-weighting.js';
import { chartQuery } from './requests/chart.js';
import { geocodedPlace, geocodeForm } from './requests/geocode.js';
import { resolveForm } from './requests/resolve.js';
import { upkeepForms } from './requests/upkeep.js';
import * as shapes from './shapes.js';
import { ARROW_STREAM, FLAG_KEYS, METRICS_TEXT, NDJSON, RUNS, SVG } from './wire-names.js';

/** Maximum number of series whose points one request may select. */
export const MAX_SERIES_PER_REQUEST = 10_000;

/** Maximum number of periods of one series whose gaps are filled. */
export const MAX_FILLED_PERIODS = 100_000;

/** An entity of the type in the path. */
const anyEntity = z.looseObject({ id: z.int() }).meta({
  description:
    'Units also have dimension, such as "mass per area"; sources longName, licence, citation and url.',
});

const searchText = z
  .string()
  .trim()
  .min(1, 'is empty; give words to search for')
  .max(500)
  .meta({ description: 'words of a name, a synonym or a code; the last one may be unfinished' });

const selection = {
  metricId: ids,
  itemId: ids,
  regionId: ids,
  partnerRegionId: ids,
  sourceId: ids,
  frequencyId: ids,
};

const ignored = z.string().optional().meta({ description: 'sent by other clients; has no effect' });

/** Parameters of the public Python client that this service does not need. */
const ignoredParameters = { responseType: ignored, coverageThreshold: ignored, chunkSize: ignored };

/** A selection of series; any field may be absent. */
const selectionQuery = z.object({ ...selection, ...ignoredParameters }).partial();

/** A selection and dates, with the plural names that ranking uses. */
const rankingQuery = z
  .object({
    metricIds: ids,
    itemIds: ids,
    regionIds: ids,
    partnerRegionIds: ids,
    sourceIds: ids,
    frequencyIds: ids,
    startDate: date,
    endDate: date,
  })
  .partial();

type WireFlag<Name extends keyof PointFlags> =
  NonNullable<PointFlags[Name]> extends string ? typeof date : z.ZodBoolean;

type WireFlags = {
  [Name in keyof typeof FLAG_KEYS as (typeof FLAG_KEYS)[Name]]: z.ZodOptional<WireFlag<Name>>;
};

/** The flags of a request for points: names and meanings follow from those of the client. */
const clientFlags = Object.fromEntries(
  Object.entries(FLAG_KEYS).map(([name, key]) => {
    const check = POINT_FLAGS[name as keyof PointFlags];
    return [key, parameter<unknown>(check).optional().meta({ description: check.meaning })];
  }),
) as WireFlags;

const pointFlags = {
  ...clientFlags,
  insertNull: clientFlags.insertNull.meta({
    description: `${POINT_FLAGS.insert_null.meaning}; at most ${MAX_FILLED_PERIODS} periods a series (400)`,
  }),
  unitId: id.optional().meta({
    description: `${FIELDS.unit_id.meaning}; units of another dimension are refused (400)`,
  }),
};

/** One selection of series, and the flags of their points. */
const pointsQuery = z.object({
  ...selection,
  partnerRegionId: ids.optional(),
  ...pointFlags,
  ...ignoredParameters,
});
export type PointsQuery = z.output<typeof pointsQuery>;

const idOrIds = z.union([id, ids]).transform((value) => (typeof value === 'number' ? [value] : value));

/** Many selections in one request, each with its own flags. */
const pointsBody = z
  .array(
    z.strictObject({
      ...pointFlags,
      metricId: idOrIds,
      itemId: idOrIds,
      regionId: idOrIds,
      partnerRegionId: idOrIds.optional(),
      sourceId: idOrIds,
      frequencyId: idOrIds,
    }),
  )
  .min(1)
  .max(MAX_SERIES_PER_REQUEST);

/** Entities and how far to follow containment from them. */
const containmentQuery = z.object({
  ids,
  distance: z.int().min(-1).max(100).optional().meta({ description: 'maximum number of steps; -1 for all' }),
  level: z.int().min(1).max(9).optional().meta({
    description: 'level of regions to return; for regions only, and ignored when distance is given',
  }),
  includeHistorical: z.boolean().optional(),
});

// Counts of series and of vintages, with which a page offers only choices that have data.

const facetQuery = z.object({
  ...selectionQuery.shape,
  q: searchText.optional().meta({
    description: 'only values that this text finds, best match first; it restricts no count',
    examples: ['corn'],
  }),
  in: z
    .array(z.enum(FACETS))
    .min(1)
    .optional()
    .meta({ description: 'count these facets only; all by default' }),
  limit: parameter(FIELDS.limit)
    .default(50)
    .meta({ description: 'maximum number of values of a facet, besides those of the selection' }),
});

const matched = z
  .string()
  .optional()
  .meta({ description: 'the synonym or code that matches the text; absent for the name' });

const facetValue = z.object({
  id: z.int(),
  name: z.string(),
  series: z
    .int()
    .meta({ description: 'series that have it, as if the selection did not restrict this facet' }),
  matched,
});

const values = z
  .array(facetValue)
  .optional()
  .meta({ description: 'those with the most series first, then by name' });

/** An object with a number for each requested facet. */
const perFacet = z.partialRecord(z.enum(FACETS), z.int());

/** A facet that was not requested is absent. */
const facetCounts = z.object({
  series: z.int().meta({ description: 'series of the selection' }),
  metrics: values,
  items: values,
  regions: values,
  partner_regions: values,
  sources: values,
  frequencies: values,
  more: perFacet.meta({
    description: 'how many further values each facet has; with a text, of its first 500 finds',
  }),
  lifted: perFacet.meta({
    description: 'series of the selection if it did not restrict this facet',
  }),
});

const hitQuery = z.object({
  q: searchText,
  types: z
    .array(z.enum(SEARCHABLE_TYPES))
    .min(1)
    .optional()
    .meta({ description: 'search these types of entity only; all by default' }),
  limit: parameter(FIELDS.hits).default(20).meta({ description: FIELDS.limit.meaning }),
});

const countedHit = z.object({
  entity_type: z.enum(SEARCHABLE_TYPES),
  id: z.int(),
  name: z.string(),
  series: z.int().meta({ description: 'series that have it' }),
  exact: z.boolean().meta({
    description: 'whether the text is the name, a synonym or a code of the entity; a lesser match is a guess',
  }),
  matched,
  part: z.string().optional().meta({
    description: 'the words of the text that name the entity, in lower case, where the text has others too',
  }),
});

const vintageQuery = z.object({
  ...selectionQuery.shape,
  limit: parameter(FIELDS.limit)
    .default(1_000)
    .meta({ description: 'maximum number of dates of each kind; the latest are returned' }),
});

const vintageDate = z.object({
  date: z.string().refine(isTime),
  points: z.int().meta({ description: 'vintages that have this date' }),
});

const vintageDates = z.object({
  series: z.int().meta({ description: 'series of the selection' }),
  points: z.int().meta({ description: 'their vintages: every stored row, also of revised periods' }),
  available_dates: z.array(vintageDate).meta({ description: 'ascending' }),
  reporting_dates: z
    .array(vintageDate)
    .meta({ description: 'ascending; vintages without a reporting date are not counted' }),
  more: z
    .object({ available_dates: z.int(), reporting_dates: z.int() })
    .meta({ description: 'how many earlier dates there are' }),
});

const containingType = z.object({ type: z.enum(CONTAINING_TYPES) });
const relatedIds = shapes.envelope(z.record(z.string(), z.array(z.int())));

/** The schemas and forms of every operation. */
const forms = {
  health: { answer: z.object({ status: z.literal('ok'), engine: z.string(), store_version: z.string() }) },
  metrics: { right: 'administer', withoutData: true, answer: null, streams: [METRICS_TEXT] },
  accessToken: {
    form: z.object({ email: z.string().min(1).max(320), password: z.string().min(1).max(1024) }),
    answer: shapes.envelope(
      z.object({ accessToken: z.string().meta({ description: 'send it as `authorization: Bearer …`' }) }),
    ),
  },
  combinations: { query: selectionQuery, answer: shapes.envelope(z.array(shapes.combination)) },
  searchAll: { query: z.object({ q: searchText }), answer: z.array(z.tuple([z.int(), z.string()])) },
  searchHits: { query: hitQuery, answer: shapes.envelope(z.array(countedHit)) },
  resolve: resolveForm,
  search: {
    pathParameters: z.object({ type: z.enum(SEARCHABLE_TYPES) }),
    query: z.object({ q: searchText }),
    answer: shapes.searchHits,
  },
  seriesList: { query: selectionQuery, answer: shapes.envelope(z.array(shapes.series)) },
  seriesStream: { query: selectionQuery, answer: null, streams: [NDJSON] },
  facets: { query: facetQuery, answer: shapes.envelope(facetCounts) },
  vintages: { query: vintageQuery, answer: shapes.envelope(vintageDates) },
  timeFrequencies: { emptyIs204: true, query: rankingQuery, answer: z.array(shapes.timeFrequency) },
  rankedSources: { emptyIs204: true, query: rankingQuery, answer: z.array(z.int()) },
  points: { query: pointsQuery, answer: null, streams: ['application/json', ARROW_STREAM, RUNS] },
  pointsBatch: { body: pointsBody, answer: null, streams: ['application/json', ARROW_STREAM, RUNS] },
  chart: { query: chartQuery, answer: null, streams: [SVG] },
  top: {
    pathParameters: z.object({ type: z.enum(['items', 'regions']) }),
    query: z.object({
      ...selectionQuery.shape,
      metricId: ids,
      frequencyId: ids,
      sourceId: ids,
      startDate: date.optional(),
      endDate: date.optional(),
      n: z.int().min(1).max(10_000).default(5).meta({ description: FIELDS.limit.meaning }),
    }),
    answer: z.array(shapes.topItem),
  },
  allowedUnits: {
    query: z.object({ metricIds: ids, itemIds: ids.optional() }),
    answer: shapes.envelope(z.array(z.object({ id: z.int() }))),
  },
  geocentres: {
    query: z.object({
      regionIds: ids,
      includeGeojson: z.boolean().optional().meta({ description: 'return shapes too' }),
      zoom: z
        .int()
        .min(1)
        .max(8)
        .default(7)
        .meta({ description: 'detail of shapes: simple below 6, full from 6 on' }),
      reqRegionLevelId: z
        .int()
        .min(1)
        .max(9)
        .optional()
        .meta({ description: 'return all descendants of this level: country 3, province 4, district 5' }),
      stringify: z
        .boolean()
        .default(true)
        .meta({ description: 'return shapes as JSON text; false returns objects' }),
    }),
    answer: shapes.envelope(z.array(shapes.geoCentre)),
  },
  geocode: { form: geocodeForm, answer: shapes.envelope(z.array(geocodedPlace)) },
  ...areaWeightingForms,
  ...upkeepForms,
  descendants: { pathParameters: containingType, query: containmentQuery, answer: relatedIds },
  ancestors: { pathParameters: containingType, query: containmentQuery, answer: relatedIds },
  entity: {
    pathParameters: z.object({ type: z.enum(ENTITY_TYPES), id }),
    answer: shapes.envelope(anyEntity),
  },
  entities: {
    pathParameters: z.object({ type: z.enum(ENTITY_TYPES) }),
    query: z.object({ ids: ids.optional() }),
    answer: shapes.envelope(z.union([z.record(z.string(), anyEntity), z.array(anyEntity)])),
  },
} as const satisfies Record<EndpointName, Omit<Endpoint, keyof Address>>;

export type EndpointName = keyof typeof addresses;

/** Every operation of the service. The first entry whose path matches a request is used. */
export const endpoints = Object.fromEntries(
  Object.entries(forms).map(([name, form]) => [name, { ...addresses[name as EndpointName], ...form }]),
) as { readonly [Name in EndpointName]: (typeof addresses)[Name] & (typeof forms)[Name] };

type Part<Name extends EndpointName, Field extends string> = (typeof endpoints)[Name] extends {
  readonly [F in Field]: infer Schema extends z.ZodType;
}
  ? Schema
  : z.ZodObject<Record<never, never>>;

/** The parsed input of a handler. */
export interface EndpointInput<Name extends EndpointName> {
  path: z.output<Part<Name, 'pathParameters'>>;
  query: z.output<Part<Name, 'query'>>;
  form: z.output<Part<Name, 'form'>>;
  body: z.output<Part<Name, 'body'>>;
}

/** The answer of an operation; null for streamed answers. */
export type EndpointAnswer<Name extends EndpointName> =
  (typeof endpoints)[Name]['answer'] extends infer Schema extends z.ZodType ? z.output<Schema> : null;
