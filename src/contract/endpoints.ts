import { z } from 'zod';
import { CONTAINING_TYPES, ENTITY_TYPES, SEARCHABLE_TYPES } from '../model/entity.js';
import { ARROW_STREAM, NDJSON } from './media-types.js';
import { date, flag, id, ids, searchText } from './parameters.js';
import * as shapes from './shapes.js';

/** What one operation takes and gives. `answer: null` marks an answer that is streamed rather than one JSON value. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Parameters stand in braces, as in OpenAPI. */
  readonly path: string;
  readonly summary: string;
  readonly pathParameters?: z.ZodObject | undefined;
  readonly query?: z.ZodObject | undefined;
  readonly form?: z.ZodObject | undefined;
  readonly body?: z.ZodType | undefined;
  readonly answer: z.ZodType | null;
  /** The media types of a streamed answer, the preferred one last. */
  readonly streams?: readonly string[] | undefined;
  /** True when no access token is needed. */
  readonly open?: boolean | undefined;
  /** True when an empty answer is 204 without a body. */
  readonly emptyIs204?: boolean | undefined;
}

/** Series that one request may ask points of. */
export const SERIES_PER_REQUEST = 10_000;

const selection = {
  metricId: ids,
  itemId: ids,
  regionId: ids,
  partnerRegionId: ids,
  sourceId: ids,
  frequencyId: ids,
};
const selectionQuery = z.object(selection).partial();
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

const pointFlags = {
  startDate: date.optional(),
  endDate: date.optional(),
  showReportingDate: flag.optional().meta({ description: 'every reporting date of a period' }),
  showRevisions: flag.optional().meta({ description: 'the older name of showReportingDate' }),
  showHistory: flag.optional().meta({ description: 'every vintage' }),
  showAvailableDate: flag.optional(),
  showMetaData: flag.optional(),
  insertNull: flag.optional().meta({ description: 'a null for each period without data' }),
  atTime: date.optional().meta({ description: 'only what was available at this time' }),
  availableSince: date.optional().meta({ description: 'only what became available since' }),
  includeHistorical: flag
    .optional()
    .meta({ description: 'historical regions among the selection; default true' }),
  unitId: id.optional().meta({ description: 'convert every point to this unit' }),
};

export const pointsQuery = z.object({
  metricId: ids,
  itemId: ids,
  regionId: ids,
  partnerRegionId: ids.optional(),
  sourceId: ids,
  frequencyId: ids,
  ...pointFlags,
});
export type PointsQuery = z.output<typeof pointsQuery>;

const idOrIds = z.union([id, ids]).transform((given) => (typeof given === 'number' ? [given] : given));

/** The batched form: one round trip for many saved series. Each selection carries its own flags. */
export const pointsBody = z
  .array(
    z.object({
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
  .max(SERIES_PER_REQUEST);
export type PointsBody = z.output<typeof pointsBody>;

const reachQuery = z.object({
  ids,
  distance: z.int().min(-1).max(100).optional().meta({ description: 'steps to walk; -1: all' }),
  level: z.int().min(1).max(9).optional().meta({ description: 'regions only; distance takes precedence' }),
  includeHistorical: flag.optional(),
});
const containingType = z.object({ type: z.enum(CONTAINING_TYPES) });
const reached = shapes.envelope(z.record(z.string(), z.array(z.int())));

/** Every operation of the service: paths and shapes stand here alone. Earlier entries win where paths overlap. */
export const endpoints = {
  health: {
    method: 'GET',
    path: '/health',
    summary: 'Whether the store answers',
    open: true,
    answer: z.object({ status: z.literal('ok'), engine: z.string(), store_version: z.string() }),
  },
  accessToken: {
    method: 'POST',
    path: '/api-token',
    summary: 'A token for an email and its password',
    open: true,
    form: z.object({ email: z.string().min(1).max(320), password: z.string().min(1).max(1024) }),
    answer: shapes.envelope(z.object({ accessToken: z.string() })),
  },
  combinations: {
    method: 'GET',
    path: '/v2/entities/list',
    summary: 'Combinations that have data',
    query: selectionQuery,
    answer: shapes.envelope(z.array(shapes.combination)),
  },
  searchAll: {
    method: 'GET',
    path: '/v2/search',
    summary: 'Search every type at once, best first',
    query: z.object({ q: searchText }),
    answer: shapes.typedHits,
  },
  search: {
    method: 'GET',
    path: '/v2/search/{type}',
    summary: 'Search one type by name, best first',
    pathParameters: z.object({ type: z.enum(SEARCHABLE_TYPES) }),
    query: z.object({ q: searchText }),
    answer: shapes.searchHits,
  },
  seriesList: {
    method: 'GET',
    path: '/v2/data_series/list',
    summary: 'Series of a selection',
    query: selectionQuery,
    answer: shapes.envelope(z.array(shapes.series)),
  },
  seriesStream: {
    method: 'GET',
    path: '/v2/stream/data_series/list',
    summary: 'Series of a selection, 10,000 a line',
    query: selectionQuery,
    answer: null,
    streams: [NDJSON],
  },
  timeFrequencies: {
    method: 'GET',
    path: '/v2/available/time-frequencies',
    emptyIs204: true,
    summary: 'Frequencies and time ranges that have data, best covered first',
    query: rankingQuery,
    answer: z.array(shapes.timeFrequency),
  },
  rankedSources: {
    method: 'GET',
    path: '/v2/available/sources',
    emptyIs204: true,
    summary: 'Sources that have data, best covering first',
    query: rankingQuery,
    answer: z.array(z.int()),
  },
  points: {
    method: 'GET',
    path: '/v2/data',
    summary: 'Data points of the series of a selection',
    query: pointsQuery,
    answer: null,
    streams: ['application/json', ARROW_STREAM],
  },
  pointsBatch: {
    method: 'POST',
    path: '/v2/data',
    summary: 'Data points of many selections in one round trip',
    body: pointsBody,
    answer: null,
    streams: ['application/json', ARROW_STREAM],
  },
  top: {
    method: 'GET',
    path: '/v2/top/{type}',
    summary: 'Items or regions by cumulative value, highest first',
    pathParameters: z.object({ type: z.enum(['items', 'regions']) }),
    query: z.object({
      ...selectionQuery.shape,
      metricId: ids,
      frequencyId: ids,
      sourceId: ids,
      startDate: date.optional(),
      endDate: date.optional(),
      n: z.int().min(1).max(10_000).default(5),
    }),
    answer: z.array(shapes.topItem),
  },
  allowedUnits: {
    method: 'GET',
    path: '/v2/units/allowed',
    summary: 'Units usable with a metric (and item)',
    query: z.object({ metricIds: ids, itemIds: ids.optional() }),
    answer: shapes.envelope(z.array(z.object({ id: z.int() }))),
  },
  geocentres: {
    method: 'GET',
    path: '/v2/geocentres',
    summary: 'Centres and shapes of regions',
    query: z.object({
      regionIds: ids,
      includeGeojson: flag.optional(),
      zoom: z.int().min(1).max(8).default(7),
      reqRegionLevelId: z.int().min(1).max(9).optional(),
      stringify: flag.default(true),
    }),
    answer: shapes.envelope(z.array(shapes.geoCentre)),
  },
  descendants: {
    method: 'GET',
    path: '/v2/{type}/contains',
    summary: 'Ids contained in entities',
    pathParameters: containingType,
    query: reachQuery,
    answer: reached,
  },
  ancestors: {
    method: 'GET',
    path: '/v2/{type}/belongs-to',
    summary: 'Ids of what contains entities',
    pathParameters: containingType,
    query: reachQuery,
    answer: reached,
  },
  entity: {
    method: 'GET',
    path: '/v2/{type}/{id}',
    summary: 'One entity',
    pathParameters: z.object({ type: z.enum(ENTITY_TYPES), id }),
    answer: shapes.envelope(shapes.anyEntity),
  },
  entities: {
    method: 'GET',
    path: '/v2/{type}',
    summary: 'Entities by id, or the first 5000',
    pathParameters: z.object({ type: z.enum(ENTITY_TYPES) }),
    query: z.object({ ids: ids.optional() }),
    answer: shapes.envelope(z.union([z.record(z.string(), shapes.anyEntity), z.array(shapes.anyEntity)])),
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
type Part<Name extends EndpointName, Field extends string> = (typeof endpoints)[Name] extends {
  readonly [F in Field]: infer Schema extends z.ZodType;
}
  ? Schema
  : z.ZodObject<Record<never, never>>;

/** What a handler is given, already parsed. */
export interface EndpointInput<Name extends EndpointName> {
  path: z.output<Part<Name, 'pathParameters'>>;
  query: z.output<Part<Name, 'query'>>;
  form: z.output<Part<Name, 'form'>>;
  body: z.output<Part<Name, 'body'>>;
}

/** What an operation answers; null for streamed answers. */
export type EndpointAnswer<Name extends EndpointName> =
  (typeof endpoints)[Name]['answer'] extends infer Schema extends z.ZodType ? z.output<Schema> : null;
