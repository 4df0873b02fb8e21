import * as z from 'zod';
import { FIELDS } from '../model/arguments/fields.js';
import { CONTAINING_TYPES, ENTITY_TYPES, SEARCHABLE_TYPES } from '../model/entity.js';
import { FACETS } from '../model/selection.js';
import { addresses, type Endpoint } from './addresses.js';
import { date, flag, id, ids, isTime, parameter, searchText } from './parameters.js';
import { areaWeightedSeries, areaWeightingBody, rasterWeightingQuery } from './requests/area-weighting.js';
import { chartQuery } from './requests/chart.js';
import { geocodedPlace, geocodeForm } from './requests/geocode.js';
import {
  containmentQuery,
  pointsBody,
  pointsQuery,
  rankingQuery,
  selectionQuery,
} from './requests/queries.js';
import * as upkeep from './requests/upkeep.js';
import * as shapes from './shapes.js';
import { ARROW_STREAM, BYTES, METRICS_TEXT, NDJSON, RUNS, SVG } from './wire-names.js';

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

/** Every operation of the service. The first entry whose path matches a request is used. */
export const endpoints = {
  health: {
    ...addresses.health,
    summary: 'Check that the store answers',
    answer: z.object({ status: z.literal('ok'), engine: z.string(), store_version: z.string() }),
  },
  metrics: {
    ...addresses.metrics,
    summary: "Get the service's metrics in Prometheus' text form, if it was started with `--metrics`",
    right: 'administer',
    withoutData: true,
    answer: null,
    streams: [METRICS_TEXT],
  },
  accessToken: {
    ...addresses.accessToken,
    summary: 'Get an access token by email and password',
    form: z.object({ email: z.string().min(1).max(320), password: z.string().min(1).max(1024) }),
    answer: shapes.envelope(
      z.object({ accessToken: z.string().meta({ description: 'send it as `authorization: Bearer …`' }) }),
    ),
  },
  combinations: {
    ...addresses.combinations,
    summary: 'List combinations of entities that have data',
    query: selectionQuery,
    answer: shapes.envelope(z.array(shapes.combination)),
  },
  searchAll: {
    ...addresses.searchAll,
    summary: 'Search all entity types by name, best match first',
    query: z.object({ q: searchText }),
    answer: shapes.typedHits,
  },
  searchHits: {
    ...addresses.searchHits,
    summary: 'Search entities by name as somebody types, those with series first',
    query: hitQuery,
    answer: shapes.envelope(z.array(countedHit)),
  },
  search: {
    ...addresses.search,
    summary: 'Search one entity type by name, best match first',
    pathParameters: z.object({ type: z.enum(SEARCHABLE_TYPES) }),
    query: z.object({ q: searchText }),
    answer: shapes.searchHits,
  },
  seriesList: {
    ...addresses.seriesList,
    summary: 'List the series of a selection',
    query: selectionQuery,
    answer: shapes.envelope(z.array(shapes.series)),
  },
  seriesStream: {
    ...addresses.seriesStream,
    summary: 'Stream the series of a selection, 10,000 per line',
    query: selectionQuery,
    answer: null,
    streams: [NDJSON],
  },
  facets: {
    ...addresses.facets,
    summary: 'Count the series of a selection by metric, item, region, source and frequency',
    query: facetQuery,
    answer: shapes.envelope(facetCounts),
  },
  vintages: {
    ...addresses.vintages,
    summary:
      'List the dates on which points of a selection became available, and those on which they were reported',
    query: vintageQuery,
    answer: shapes.envelope(vintageDates),
  },
  timeFrequencies: {
    ...addresses.timeFrequencies,
    emptyIs204: true,
    summary: 'List frequencies and time ranges that have data, best coverage first',
    query: rankingQuery,
    answer: z.array(shapes.timeFrequency),
  },
  rankedSources: {
    ...addresses.rankedSources,
    emptyIs204: true,
    summary: 'List sources that have data, best coverage first',
    query: rankingQuery,
    answer: z.array(z.int()),
  },
  points: {
    ...addresses.points,
    summary: 'Get the data points of a selection',
    query: pointsQuery,
    answer: null,
    streams: ['application/json', ARROW_STREAM, RUNS],
  },
  pointsBatch: {
    ...addresses.pointsBatch,
    summary: 'Get the data points of many selections in one request',
    body: pointsBody,
    answer: null,
    streams: ['application/json', ARROW_STREAM, RUNS],
  },
  chart: {
    ...addresses.chart,
    summary: 'Draw series over time as a picture that stays current',
    query: chartQuery,
    answer: null,
    streams: [SVG],
  },
  top: {
    ...addresses.top,
    summary: 'Rank items or regions by cumulative value, highest first',
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
    ...addresses.allowedUnits,
    summary: 'List the units allowed for a metric (and item)',
    query: z.object({ metricIds: ids, itemIds: ids.optional() }),
    answer: shapes.envelope(z.array(z.object({ id: z.int() }))),
  },
  geocentres: {
    ...addresses.geocentres,
    summary: 'Get the centres and shapes of regions',
    query: z.object({
      regionIds: ids,
      includeGeojson: flag.optional().meta({ description: 'return shapes too' }),
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
      stringify: flag
        .default(true)
        .meta({ description: 'return shapes as JSON text; false returns objects' }),
    }),
    answer: shapes.envelope(z.array(shapes.geoCentre)),
  },
  geocode: {
    ...addresses.geocode,
    summary: 'Find the country, province, district and nearest weather station of places',
    form: geocodeForm,
    answer: shapes.envelope(z.array(geocodedPlace)),
  },
  areaWeighting: {
    ...addresses.areaWeighting,
    summary: 'Weight a series over regions by the means of other series',
    body: areaWeightingBody,
    answer: areaWeightedSeries,
  },
  rasterWeighting: {
    ...addresses.rasterWeighting,
    summary: 'Always 400: this older operation names rasters, which the service does not hold',
    query: rasterWeightingQuery,
    answer: z.never(),
  },
  importBegin: {
    ...addresses.importBegin,
    summary: 'Begin an import: name the data set and its files. Only where the service allows imports',
    right: 'import',
    body: upkeep.importRequest,
    answer: shapes.envelope(upkeep.importBegun),
  },
  importPart: {
    ...addresses.importPart,
    summary: 'Send a part of a file, at most 8 MiB, in order; a repeated part replaces the earlier one',
    right: 'import',
    pathParameters: upkeep.importFilePath,
    query: upkeep.importFileQuery,
    takesBytes: true,
    answer: shapes.envelope(upkeep.importedPart),
  },
  importRun: {
    ...addresses.importRun,
    summary:
      'Import the files, all or nothing. Lines of progress and rejected rows, then the report or the error',
    right: 'import',
    pathParameters: upkeep.importPath,
    answer: null,
    streams: [NDJSON],
  },
  importCancel: {
    ...addresses.importCancel,
    summary: 'Discard the files of an import that was not run',
    right: 'import',
    pathParameters: upkeep.importPath,
    answer: shapes.envelope(z.object({ cancelled: z.boolean() })),
  },
  backupBegin: {
    ...addresses.backupBegin,
    summary:
      'Make a backup of the store. Lines of progress, then the backup, kept for 15 minutes, or the error',
    right: 'administer',
    answer: null,
    streams: [NDJSON],
  },
  backupPart: {
    ...addresses.backupPart,
    summary: 'Get a part of a backup, at most 8 MiB, with its content-digest',
    right: 'administer',
    pathParameters: upkeep.backupPath,
    query: upkeep.backupPartQuery,
    answer: null,
    streams: [BYTES],
  },
  backupDiscard: {
    ...addresses.backupDiscard,
    summary: 'Discard a backup that was fetched',
    right: 'administer',
    pathParameters: upkeep.backupPath,
    answer: shapes.envelope(z.object({ discarded: z.boolean() })),
  },
  descendants: {
    ...addresses.descendants,
    summary: 'List the ids of the descendants of entities',
    pathParameters: containingType,
    query: containmentQuery,
    answer: relatedIds,
  },
  ancestors: {
    ...addresses.ancestors,
    summary: 'List the ids of the ancestors of entities',
    pathParameters: containingType,
    query: containmentQuery,
    answer: relatedIds,
  },
  entity: {
    ...addresses.entity,
    summary: 'Get one entity',
    pathParameters: z.object({ type: z.enum(ENTITY_TYPES), id }),
    answer: shapes.envelope(shapes.anyEntity),
  },
  entities: {
    ...addresses.entities,
    summary: 'Get entities by id, or the first 5000 of the type',
    pathParameters: z.object({ type: z.enum(ENTITY_TYPES) }),
    query: z.object({ ids: ids.optional() }),
    answer: shapes.envelope(z.union([z.record(z.string(), shapes.anyEntity), z.array(shapes.anyEntity)])),
  },
} as const satisfies Record<keyof typeof addresses, Endpoint>;

export type EndpointName = keyof typeof endpoints;
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
