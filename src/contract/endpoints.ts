import * as v from 'valibot';
import { CONTAINING_TYPES, ENTITY_TYPES, SEARCHABLE_TYPES } from '../model/entity.js';
import type { PointFlags } from '../model/schema/fields.js';
import { FIELDS, POINT_FLAGS } from '../model/schema/fields.js';
import { DATE, ID, INTEGER, integer, meaningOf, oneOf, withMeaning } from '../model/schema/schemas.js';
import { FACETS } from '../model/selection.js';
import { type Address, addresses, type Endpoint } from './addresses.js';
import { ids } from './parameters.js';
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
const anyEntity = withMeaning(
  'Units also have dimension, such as "mass per area"; sources longName, licence, citation and url.',
  v.objectWithRest({ id: INTEGER }, v.unknown()),
);

const searchText = withMeaning(
  'words of a name, a synonym or a code; the last one may be unfinished',
  v.pipe(v.string(), v.trim(), v.minLength(1, 'is empty; give words to search for'), v.maxLength(500)),
);

const selection = {
  metricId: ids,
  itemId: ids,
  regionId: ids,
  partnerRegionId: ids,
  sourceId: ids,
  frequencyId: ids,
};

const ignored = v.optional(withMeaning('sent by other clients; has no effect', v.string()));

/** Parameters of the public Python client that this service does not need. */
const ignoredParameters = { responseType: ignored, coverageThreshold: ignored, chunkSize: ignored };

/** A selection of series; any field may be absent. */
const selectionQuery = v.partial(v.object({ ...selection, ...ignoredParameters }));

/** A selection and dates, with the plural names that ranking uses. */
const rankingQuery = v.partial(
  v.object({
    metricIds: ids,
    itemIds: ids,
    regionIds: ids,
    partnerRegionIds: ids,
    sourceIds: ids,
    frequencyIds: ids,
    startDate: DATE,
    endDate: DATE,
  }),
);

type WireFlags = {
  [Name in keyof typeof FLAG_KEYS as (typeof FLAG_KEYS)[Name]]: v.OptionalSchema<
    (typeof POINT_FLAGS)[Name],
    undefined
  >;
};

/** The flags of a request for points. */
const clientFlags = Object.fromEntries(
  Object.entries(FLAG_KEYS).map(([name, key]) => [key, v.optional(POINT_FLAGS[name as keyof PointFlags])]),
) as unknown as WireFlags;

const pointFlags = {
  ...clientFlags,
  insertNull: v.optional(
    withMeaning(
      `${meaningOf(POINT_FLAGS.insert_null)}; at most ${MAX_FILLED_PERIODS} periods a series (400)`,
      v.boolean(),
    ),
  ),
  unitId: v.optional(
    withMeaning(`${meaningOf(FIELDS.unit_id)}; units of another dimension are refused (400)`, ID),
  ),
};

/** One selection of series, and the flags of their points. */
const pointsQuery = v.object({
  ...selection,
  partnerRegionId: v.optional(ids),
  ...pointFlags,
  ...ignoredParameters,
});
export type PointsQuery = v.InferOutput<typeof pointsQuery>;

const idOrIds = v.pipe(
  v.union([ID, ids]),
  v.transform((value) => (typeof value === 'number' ? [value] : value)),
);

/** Many selections in one request, each with its own flags. */
const pointsBody = v.pipe(
  v.array(
    v.strictObject({
      ...pointFlags,
      metricId: idOrIds,
      itemId: idOrIds,
      regionId: idOrIds,
      partnerRegionId: v.optional(idOrIds),
      sourceId: idOrIds,
      frequencyId: idOrIds,
    }),
  ),
  v.minLength(1),
  v.maxLength(MAX_SERIES_PER_REQUEST),
);

/** Entities and how far to follow containment from them. */
const containmentQuery = v.object({
  ids,
  distance: v.optional(withMeaning('maximum number of steps; -1 for all', integer({ min: -1, max: 100 }))),
  level: v.optional(
    withMeaning(
      'level of regions to return; for regions only, and ignored when distance is given',
      integer({ min: 1, max: 9 }),
    ),
  ),
  includeHistorical: v.optional(v.boolean()),
});

// Counts of series and of vintages, with which a page offers only choices that have data.

const facetQuery = v.object({
  ...selectionQuery.entries,
  q: v.optional(
    withMeaning(
      'only values that this text finds, best match first; it restricts no count',
      v.pipe(searchText, v.examples(['corn'])),
    ),
  ),
  in: v.optional(
    withMeaning('count these facets only; all by default', v.pipe(v.array(oneOf(FACETS)), v.minLength(1))),
  ),
  limit: v.optional(
    withMeaning('maximum number of values of a facet, besides those of the selection', FIELDS.limit),
    50,
  ),
});

const matched = v.optional(
  withMeaning('the synonym or code that matches the text; absent for the name', v.string()),
);

const facetValue = v.object({
  id: INTEGER,
  name: v.string(),
  series: withMeaning('series that have it, as if the selection did not restrict this facet', INTEGER),
  matched,
});

const values = v.optional(withMeaning('those with the most series first, then by name', v.array(facetValue)));

/** An object with a number for each requested facet. */
const perFacet = v.record(oneOf(FACETS), INTEGER);

/** A facet that was not requested is absent. */
const facetCounts = v.object({
  series: withMeaning('series of the selection', INTEGER),
  metrics: values,
  items: values,
  regions: values,
  partner_regions: values,
  sources: values,
  frequencies: values,
  more: withMeaning('how many further values each facet has; with a text, of its first 500 finds', perFacet),
  lifted: withMeaning('series of the selection if it did not restrict this facet', perFacet),
});

const hitQuery = v.object({
  q: searchText,
  types: v.optional(
    withMeaning(
      'search these types of entity only; all by default',
      v.pipe(v.array(oneOf(SEARCHABLE_TYPES)), v.minLength(1)),
    ),
  ),
  limit: v.optional(FIELDS.hits, 20),
});

const countedHit = v.object({
  entity_type: oneOf(SEARCHABLE_TYPES),
  id: INTEGER,
  name: v.string(),
  series: withMeaning('series that have it', INTEGER),
  exact: withMeaning(
    'whether the text is the name, a synonym or a code of the entity; a lesser match is a guess',
    v.boolean(),
  ),
  matched,
  part: v.optional(
    withMeaning(
      'the words of the text that name the entity, in lower case, where the text has others too',
      v.string(),
    ),
  ),
});

const vintageQuery = v.object({
  ...selectionQuery.entries,
  limit: v.optional(
    withMeaning('maximum number of dates of each kind; the latest are returned', FIELDS.limit),
    1_000,
  ),
});

const vintageDate = v.object({
  date: DATE,
  points: withMeaning('vintages that have this date', INTEGER),
});

const vintageDates = v.object({
  series: withMeaning('series of the selection', INTEGER),
  points: withMeaning('their vintages: every stored row, also of revised periods', INTEGER),
  available_dates: withMeaning('ascending', v.array(vintageDate)),
  reporting_dates: withMeaning(
    'ascending; vintages without a reporting date are not counted',
    v.array(vintageDate),
  ),
  more: withMeaning(
    'how many earlier dates there are',
    v.object({ available_dates: INTEGER, reporting_dates: INTEGER }),
  ),
});

const containingType = v.object({ type: oneOf(CONTAINING_TYPES) });
const relatedIds = shapes.envelope(v.record(v.string(), v.array(INTEGER)));

/** The schemas and forms of every operation. */
const forms = {
  health: { answer: v.object({ status: v.literal('ok'), engine: v.string(), store_version: v.string() }) },
  metrics: { right: 'administer', withoutData: true, answer: null, streams: [METRICS_TEXT] },
  accessToken: {
    form: v.object({
      email: v.pipe(v.string(), v.minLength(1), v.maxLength(320)),
      password: v.pipe(v.string(), v.minLength(1), v.maxLength(1024)),
    }),
    answer: shapes.envelope(
      v.object({ accessToken: withMeaning('send it as `authorization: Bearer …`', v.string()) }),
    ),
  },
  combinations: { query: selectionQuery, answer: shapes.envelope(v.array(shapes.combination)) },
  searchAll: { query: v.object({ q: searchText }), answer: v.array(v.tuple([INTEGER, v.string()])) },
  searchHits: { query: hitQuery, answer: shapes.envelope(v.array(countedHit)) },
  resolve: resolveForm,
  search: {
    pathParameters: v.object({ type: oneOf(SEARCHABLE_TYPES) }),
    query: v.object({ q: searchText }),
    answer: shapes.searchHits,
  },
  seriesList: { query: selectionQuery, answer: shapes.envelope(v.array(shapes.series)) },
  seriesStream: { query: selectionQuery, answer: null, streams: [NDJSON] },
  facets: { query: facetQuery, answer: shapes.envelope(facetCounts) },
  vintages: { query: vintageQuery, answer: shapes.envelope(vintageDates) },
  timeFrequencies: { emptyIs204: true, query: rankingQuery, answer: v.array(shapes.timeFrequency) },
  rankedSources: { emptyIs204: true, query: rankingQuery, answer: v.array(INTEGER) },
  points: { query: pointsQuery, answer: null, streams: ['application/json', ARROW_STREAM, RUNS] },
  pointsBatch: { body: pointsBody, answer: null, streams: ['application/json', ARROW_STREAM, RUNS] },
  chart: { query: chartQuery, answer: null, streams: [SVG] },
  top: {
    pathParameters: v.object({ type: oneOf(['items', 'regions']) }),
    query: v.object({
      ...selectionQuery.entries,
      metricId: ids,
      frequencyId: ids,
      sourceId: ids,
      startDate: v.optional(DATE),
      endDate: v.optional(DATE),
      n: v.optional(withMeaning(meaningOf(FIELDS.limit)!, integer({ min: 1, max: 10_000 })), 5),
    }),
    answer: v.array(shapes.topItem),
  },
  allowedUnits: {
    query: v.object({ metricIds: ids, itemIds: v.optional(ids) }),
    answer: shapes.envelope(v.array(v.object({ id: INTEGER }))),
  },
  geocentres: {
    query: v.object({
      regionIds: ids,
      includeGeojson: v.optional(withMeaning('return shapes too', v.boolean())),
      zoom: v.optional(
        withMeaning('detail of shapes: simple below 6, full from 6 on', integer({ min: 1, max: 8 })),
        7,
      ),
      reqRegionLevelId: v.optional(
        withMeaning(
          'return all descendants of this level: country 3, province 4, district 5',
          integer({ min: 1, max: 9 }),
        ),
      ),
      stringify: v.optional(
        withMeaning('return shapes as JSON text; false returns objects', v.boolean()),
        true,
      ),
    }),
    answer: shapes.envelope(v.array(shapes.geoCentre)),
  },
  geocode: { form: geocodeForm, answer: shapes.envelope(v.array(geocodedPlace)) },
  ...areaWeightingForms,
  ...upkeepForms,
  descendants: { pathParameters: containingType, query: containmentQuery, answer: relatedIds },
  ancestors: { pathParameters: containingType, query: containmentQuery, answer: relatedIds },
  entity: {
    pathParameters: v.object({ type: oneOf(ENTITY_TYPES), id: ID }),
    answer: shapes.envelope(anyEntity),
  },
  entities: {
    pathParameters: v.object({ type: oneOf(ENTITY_TYPES) }),
    query: v.object({ ids: v.optional(ids) }),
    answer: shapes.envelope(v.union([v.record(v.string(), anyEntity), v.array(anyEntity)])),
  },
} as const satisfies Record<EndpointName, Omit<Endpoint, keyof Address>>;

export type EndpointName = keyof typeof addresses;

/** Every operation of the service. The first entry whose path matches a request is used. */
export const endpoints = Object.fromEntries(
  Object.entries(forms).map(([name, form]) => [name, { ...addresses[name as EndpointName], ...form }]),
) as { readonly [Name in EndpointName]: (typeof addresses)[Name] & (typeof forms)[Name] };

type Part<Name extends EndpointName, Field extends string> = (typeof endpoints)[Name] extends {
  readonly [F in Field]: infer Schema extends v.GenericSchema;
}
  ? Schema
  : v.ObjectSchema<Record<never, never>, undefined>;

/** The parsed input of a handler. */
export interface EndpointInput<Name extends EndpointName> {
  path: v.InferOutput<Part<Name, 'pathParameters'>>;
  query: v.InferOutput<Part<Name, 'query'>>;
  form: v.InferOutput<Part<Name, 'form'>>;
  body: v.InferOutput<Part<Name, 'body'>>;
}

/** The answer of an operation; null for streamed answers. */
export type EndpointAnswer<Name extends EndpointName> =
  (typeof endpoints)[Name]['answer'] extends infer Schema extends v.GenericSchema
    ? v.InferOutput<Schema>
    : null;
