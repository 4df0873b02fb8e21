import * as v from 'valibot';
import { CONTAINING_TYPES, ENTITY_TYPES, SEARCHABLE_TYPES } from '../model/entity.js';
import { MEANING } from '../model/schema/entities.js';
import { FIELDS, POINT_FLAGS, type PointFlags } from '../model/schema/fields.js';
import {
  DATE,
  ID,
  INTEGER,
  integer,
  meaningOf,
  oneOf,
  optionalWith,
  withMeaning,
} from '../model/schema/schemas.js';
import { datedSeries } from '../model/schema/series.js';
import { FACETS, facetValue } from '../model/selection.js';
import { type Endpoint, post } from './addresses.js';
import { everyId, ids } from './parameters.js';
import { areaWeightingForm } from './requests/area-weighting.js';
import { chartQuery } from './requests/chart.js';
import { geocodedPlace, geocodeForm } from './requests/geocode.js';
import { resolveForm } from './requests/resolve.js';
import { upkeepEndpoints } from './requests/upkeep.js';
import { combination, dataOf, geoCentre, topItem } from './shapes.js';
import { ARROW_STREAM, FLAG_KEYS, METRICS_TEXT, NDJSON, RUNS, SVG } from './wire-names.js';

/** The maximum number of series whose points can be requested at once. */
export const MAX_SERIES_PER_REQUEST = 10_000;

/** The maximum number of periods that a series may have after its gaps are filled. */
export const MAX_FILLED_PERIODS = 100_000;

const anyEntity = withMeaning(
  'Units also have a dimension, such as "mass per area". Sources also have longName, licence, citation and url.',
  v.objectWithRest({ id: INTEGER }, v.unknown()),
);

const searchText = withMeaning(
  'words of a name, a synonym or a code; the last one may be unfinished',
  v.pipe(v.string(), v.trim(), v.minLength(1, 'is empty; enter words to search for'), v.maxLength(500)),
);

const ignored = optionalWith('sent by other clients; has no effect', v.string());

/** Parameters that the public Python client sends but this service does not need. */
const ignoredParameters = { responseType: ignored, coverageThreshold: ignored, chunkSize: ignored };

const someOf = <const Word extends string>(words: readonly Word[]) =>
  v.pipe(v.array(oneOf(words)), v.minLength(1));

const selectionQuery = v.partial(v.object({ ...everyId(ids), ...ignoredParameters }));

/** The query of the ranking operations. Unlike in other queries, parameter names are plural, such as `metricIds`. */
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

const clientFlags = Object.fromEntries(
  Object.entries(FLAG_KEYS).map(([name, key]) => [key, v.optional(POINT_FLAGS[name as keyof PointFlags])]),
) as unknown as WireFlags;

const pointFlags = {
  ...clientFlags,
  insertNull: optionalWith(
    `${meaningOf(POINT_FLAGS.insert_null)}; at most ${MAX_FILLED_PERIODS} periods a series (400)`,
    v.boolean(),
  ),
  unitId: optionalWith(`${meaningOf(FIELDS.unit_id)}; units of another dimension are refused (400)`, ID),
};

const pointsQuery = v.object({
  ...everyId(ids),
  partnerRegionId: v.optional(ids),
  ...pointFlags,
  ...ignoredParameters,
});
export type PointsQuery = v.InferOutput<typeof pointsQuery>;

const idOrIds = v.pipe(
  v.union([ID, ids]),
  v.transform((value) => (typeof value === 'number' ? [value] : value)),
);

const pointsBody = v.pipe(
  v.array(v.strictObject({ ...pointFlags, ...everyId(idOrIds), partnerRegionId: v.optional(idOrIds) })),
  v.minLength(1),
  v.maxLength(MAX_SERIES_PER_REQUEST),
);

const containmentQuery = v.object({
  ids,
  distance: optionalWith('maximum number of steps; -1 for all', integer({ min: -1, max: 100 })),
  level: optionalWith(
    'level of regions to return; for regions only, and ignored when distance is given',
    integer({ min: 1, max: 9 }),
  ),
  includeHistorical: v.optional(v.boolean()),
});

// Series and vintage counts let a user interface offer only choices that have data.

const facetQuery = v.object({
  ...selectionQuery.entries,
  q: optionalWith(
    'return only values that match this text, best match first; the text does not affect the counts',
    v.pipe(searchText, v.examples(['corn'])),
  ),
  in: optionalWith('count these facets only; all by default', someOf(FACETS)),
  limit: optionalWith(
    "maximum number of values per facet, not counting the selection's own values",
    FIELDS.limit,
    50,
  ),
});

const values = optionalWith(
  'values of the facet: those with the most series first, then by name',
  v.array(facetValue),
);

const perFacet = v.record(oneOf(FACETS), INTEGER);

/** The number of series for each value of each facet. A facet that was not requested is absent. */
const facetCounts = v.object({
  series: withMeaning('number of series in the selection', INTEGER),
  metrics: values,
  items: values,
  regions: values,
  partner_regions: values,
  sources: values,
  frequencies: values,
  more: withMeaning(
    'number of values omitted from each facet; if a text is given, only its first 500 matches are considered',
    perFacet,
  ),
  lifted: withMeaning(
    'for each facet, the number of series that the selection would have if it did not restrict that facet',
    perFacet,
  ),
});

const hitQuery = v.object({
  q: searchText,
  types: optionalWith('search these types of entity only; all by default', someOf(SEARCHABLE_TYPES)),
  limit: v.optional(FIELDS.hits, 20),
});

const countedHit = v.object({
  /** The entity's type. */
  entity_type: oneOf(SEARCHABLE_TYPES),
  /** The entity's id. */
  id: INTEGER,
  /** The entity's name. */
  name: v.string(),
  /** The number of series that have this entity. Series that have it only as their partner region are not counted. */
  series: withMeaning('number of series that have the entity', INTEGER),
  /** Whether the search text is the entity's name, a synonym or a code; false for a guess. */
  exact: MEANING.exact,
  /** The synonym or code that matched the search text; absent if the name matched. */
  matched: facetValue.entries.matched,
  /** The words of the search text that name the entity, in lower case; absent if they are the whole text. */
  part: optionalWith(
    'words of the search text that name the entity, in lower case; absent if they are the whole text',
    v.string(),
  ),
});
/** A hit in a search across entity types, with the number of series that have the entity. */
export interface CountedHit extends v.InferOutput<typeof countedHit> {}

const vintageQuery = v.object({
  ...selectionQuery.entries,
  limit: optionalWith('maximum number of dates of each kind; the latest are returned', FIELDS.limit, 1_000),
});

const vintageDate = v.object({
  /** The date, as an ISO 8601 string in UTC with milliseconds. */
  date: DATE,
  /** The number of stored points with this date, including points that were later revised. */
  points: withMeaning(
    'number of stored points with this date, including points that were later revised',
    INTEGER,
  ),
});
/** A date and the number of stored points that have it. */
export interface VintageDate extends v.InferOutput<typeof vintageDate> {}

const vintageDates = v.object({
  /** The number of series in the selection. */
  series: withMeaning('number of series in the selection', INTEGER),
  /** The number of stored points in these series, including points that were later revised. */
  points: withMeaning(
    'number of stored points in these series, including points that were later revised',
    INTEGER,
  ),
  /** The dates on which points became available, in ascending order. */
  available_dates: withMeaning('dates on which points became available, ascending', v.array(vintageDate)),
  /** The dates on which the source reported points, in ascending order. Points without such a date are not counted. */
  reporting_dates: withMeaning(
    'dates on which the source reported points, ascending; points without such a date are not counted',
    v.array(vintageDate),
  ),
  /** The number of earlier dates that were omitted from each list. */
  more: withMeaning(
    'number of earlier dates omitted from each list',
    v.object({ available_dates: INTEGER, reporting_dates: INTEGER }),
  ),
});
/** The dates on which a selection's points became available, and the dates on which the sources reported them. */
export interface Vintages extends v.InferOutput<typeof vintageDates> {}

const searchHits = v.array(
  v.object({
    id: INTEGER,
    name: optionalWith('name of the entity', v.string()),
    exact: v.optional(MEANING.exact),
  }),
);

const timeFrequency = v.object({ startDate: DATE, endDate: DATE, frequencyId: INTEGER, name: v.string() });

const containingType = v.object({ type: oneOf(CONTAINING_TYPES) });
const relatedIds = dataOf(v.record(v.string(), v.array(INTEGER)));

const get = <const Path extends string>(path: Path) => ({ method: 'GET', path }) as const;

/** All operations of the service. The first entry whose path matches a request is used. */
export const endpoints = {
  health: {
    ...get('/health'),
    open: true,
    answer: v.object({ status: v.literal('ok'), engine: v.string(), store_version: v.string() }),
  },
  metrics: {
    ...get('/metrics'),
    right: 'administer',
    withoutData: true,
    answer: null,
    streams: [METRICS_TEXT],
  },
  accessToken: {
    ...post('/api-token'),
    open: true,
    form: v.object({
      email: v.pipe(v.string(), v.minLength(1), v.maxLength(320)),
      password: v.pipe(v.string(), v.minLength(1), v.maxLength(1024)),
    }),
    answer: dataOf(
      v.object({ accessToken: withMeaning('send it as `authorization: Bearer …`', v.string()) }),
    ),
  },
  combinations: { ...get('/v2/entities/list'), query: selectionQuery, answer: dataOf(v.array(combination)) },
  searchAll: {
    ...get('/v2/search'),
    query: v.object({ q: searchText }),
    answer: v.array(v.tuple([INTEGER, v.string()])),
  },
  searchHits: { ...get('/v2/search/hits'), query: hitQuery, answer: dataOf(v.array(countedHit)) },
  resolve: { ...get('/v2/resolve'), ...resolveForm },
  search: {
    ...get('/v2/search/{type}'),
    pathParameters: v.object({ type: oneOf(SEARCHABLE_TYPES) }),
    query: v.object({ q: searchText }),
    answer: searchHits,
  },
  seriesList: { ...get('/v2/data_series/list'), query: selectionQuery, answer: dataOf(v.array(datedSeries)) },
  seriesStream: {
    ...get('/v2/stream/data_series/list'),
    query: selectionQuery,
    answer: null,
    streams: [NDJSON],
  },
  facets: { ...get('/v2/facets'), query: facetQuery, answer: dataOf(facetCounts) },
  vintages: { ...get('/v2/vintages'), query: vintageQuery, answer: dataOf(vintageDates) },
  timeFrequencies: {
    ...get('/v2/available/time-frequencies'),
    emptyIs204: true,
    query: rankingQuery,
    answer: v.array(timeFrequency),
  },
  rankedSources: {
    ...get('/v2/available/sources'),
    emptyIs204: true,
    query: rankingQuery,
    answer: v.array(INTEGER),
  },
  points: {
    ...get('/v2/data'),
    query: pointsQuery,
    answer: null,
    streams: ['application/json', ARROW_STREAM, RUNS],
  },
  pointsBatch: {
    ...post('/v2/data'),
    body: pointsBody,
    answer: null,
    streams: ['application/json', ARROW_STREAM, RUNS],
  },
  chart: { ...get('/v2/chart.svg'), query: chartQuery, answer: null, streams: [SVG] },
  top: {
    ...get('/v2/top/{type}'),
    pathParameters: v.object({ type: oneOf(['items', 'regions']) }),
    query: v.object({
      ...selectionQuery.entries,
      metricId: ids,
      frequencyId: ids,
      sourceId: ids,
      startDate: v.optional(DATE),
      endDate: v.optional(DATE),
      n: optionalWith(meaningOf(FIELDS.limit)!, integer({ min: 1, max: 10_000 }), 5),
    }),
    answer: v.array(topItem),
  },
  allowedUnits: {
    ...get('/v2/units/allowed'),
    query: v.object({ metricIds: ids, itemIds: v.optional(ids) }),
    answer: dataOf(v.array(v.object({ id: INTEGER }))),
  },
  geocentres: {
    ...get('/v2/geocentres'),
    query: v.object({
      regionIds: ids,
      includeGeojson: optionalWith('return shapes too', v.boolean()),
      zoom: optionalWith('detail of shapes: simple below 6, full from 6 on', integer({ min: 1, max: 8 }), 7),
      reqRegionLevelId: optionalWith(
        'return all descendants of this level: country 3, province 4, district 5',
        integer({ min: 1, max: 9 }),
      ),
      stringify: optionalWith('return shapes as JSON text; false returns objects', v.boolean(), true),
    }),
    answer: dataOf(v.array(geoCentre)),
  },
  geocode: { ...post('/v2/geocode'), form: geocodeForm, answer: dataOf(v.array(geocodedPlace)) },
  areaWeighting: { ...post('/v2/area-weighting'), ...areaWeightingForm },
  descendants: {
    ...get('/v2/{type}/contains'),
    pathParameters: containingType,
    query: containmentQuery,
    answer: relatedIds,
  },
  ancestors: {
    ...get('/v2/{type}/belongs-to'),
    pathParameters: containingType,
    query: containmentQuery,
    answer: relatedIds,
  },
  entity: {
    ...get('/v2/{type}/{id}'),
    pathParameters: v.object({ type: oneOf(ENTITY_TYPES), id: ID }),
    answer: dataOf(anyEntity),
  },
  entities: {
    ...get('/v2/{type}'),
    pathParameters: v.object({ type: oneOf(ENTITY_TYPES) }),
    query: v.object({ ids: v.optional(ids) }),
    answer: dataOf(v.union([v.record(v.string(), anyEntity), v.array(anyEntity)])),
  },
  ...upkeepEndpoints,
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;

type Part<Name extends EndpointName, Field extends string> = (typeof endpoints)[Name] extends {
  readonly [F in Field]: infer Schema extends v.GenericSchema;
}
  ? Schema
  : v.ObjectSchema<Record<never, never>, undefined>;

export interface EndpointInput<Name extends EndpointName> {
  path: v.InferOutput<Part<Name, 'pathParameters'>>;
  query: v.InferOutput<Part<Name, 'query'>>;
  form: v.InferOutput<Part<Name, 'form'>>;
  body: v.InferOutput<Part<Name, 'body'>>;
}

/** The type of an operation's JSON response, or null if the response is streamed. */
export type EndpointAnswer<Name extends EndpointName> =
  (typeof endpoints)[Name]['answer'] extends infer Schema extends v.GenericSchema
    ? v.InferOutput<Schema>
    : null;
