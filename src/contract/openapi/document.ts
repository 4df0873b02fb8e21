import * as z from 'zod';
import { RIGHTS } from '../../model/access.js';
import { FIELDS } from '../../model/arguments/fields.js';
import type { Endpoint } from '../addresses.js';
import { type EndpointName, endpoints } from '../endpoints.js';
import { idRedirects, problem, seriesBlock } from '../shapes.js';
import { ARROW_STREAM, BYTES, FLAG_KEYS, QUERY_KEYS, RUNS } from '../wire-names.js';
import examples from './examples.json' with { type: 'json' };

type Json = Record<string, unknown>;

/** A request that the documentation shows, of the data set `demo`. */
interface ExampleRequest {
  readonly path?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: Readonly<Record<string, string | number | (string | number)[]>> | undefined;
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

/** A request of each operation, with an answer that is short. */
export const EXAMPLE_REQUESTS: Readonly<Record<EndpointName, ExampleRequest>> = examples.requests;

type ExampleAnswers = { readonly [Name in EndpointName]?: unknown };

/** The answers of a service with the data set `demo`; `test/contract/openapi/record.ts` writes them. */
export const RECORDED_ANSWERS: ExampleAnswers = examples.answers;

/** Answers that differ each time, or need a service that imports or backs up: written by hand. */
export const WRITTEN_ANSWERS: ExampleAnswers = examples.written;

const DESCRIPTION = `Time series for agriculture, described by metrics, items, regions, frequencies, sources and units.

Send \`authorization: Bearer TOKEN\`; a service without tokens needs none. A list is a repeated key: \`regionId=21&regionId=22\`.
Dates are \`YYYY-MM-DD\` or ISO 8601 timestamps, UTC. Answers have strong entity tags; repeat one as \`If-None-Match\` to learn
whether it has changed. Errors have a kind for programs and a message for people. Examples are of the data set \`demo\`.`;

/** The OpenAPI 3.1 document of the service, derived from the schemas that validate requests. */
export function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    if (endpoint.answer instanceof z.ZodNever) continue;
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operation(name, endpoint),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'cropframe',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '.', description: 'This service, also below the path of a proxy' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { Problem: jsonSchema(problem, 'output'), MovedIds: jsonSchema(idRedirects, 'output') },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: `An access token. Each operation names the right that the token needs: ${RIGHTS.join(', ')}.`,
        },
      },
    },
  };
}

function operation(name: EndpointName, endpoint: Endpoint): Json {
  const example = EXAMPLE_REQUESTS[name];
  const body = requestBody(endpoint, example);
  const { tag, description } = OPERATION_TEXTS[name];
  return {
    operationId: name,
    tags: [tag],
    summary: endpoint.summary,
    description,
    security: endpoint.open === true ? [] : [{ token: [endpoint.right ?? 'read'] }],
    parameters: [
      ...parameters(endpoint.pathParameters, 'path', example.path),
      ...parameters(endpoint.query, 'query', example.query),
    ],
    ...(body === null ? {} : { requestBody: body }),
    responses: responses(name, endpoint),
  };
}

function parameters(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query',
  examples: Readonly<Record<string, unknown>> = {},
): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Json> | undefined;
    required?: string[] | undefined;
  };
  return Object.entries(properties).map(([name, { description, examples: _, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    description,
    ...(name in examples ? { example: examples[name] } : {}),
    ...(property.type === 'array' ? { style: 'form', explode: true } : {}),
    schema: property,
  }));
}

function requestBody({ form, body, takesBytes }: Endpoint, example: ExampleRequest): Json | null {
  const content = (type: string, media: Json): Json => ({ required: true, content: { [type]: media } });
  if (takesBytes === true) return content(BYTES, { schema: { type: 'string', format: 'binary' } });
  if (form !== undefined)
    return content('application/x-www-form-urlencoded', {
      schema: jsonSchema(form, 'input'),
      example: example.form,
    });
  if (body === undefined) return null;
  return content('application/json', { schema: jsonSchema(body, 'input'), example: example.body });
}

function responses(name: EndpointName, endpoint: Endpoint): Json {
  const types = endpoint.streams ?? ['application/json'];
  const content = Object.fromEntries(types.map((type) => [type, media(name, endpoint, type)]));
  const failures = ['400', '403', '404', '408', '413', '414', '421', '429', '500', '503'];
  if (endpoint.body !== undefined) failures.push('415');
  if (endpoint.open !== true || endpoint.form !== undefined) failures.push('401', '402');
  return {
    '200': { description: endpoint.summary, content },
    ...(endpoint.emptyIs204 === true ? { '204': { description: 'there is no data to rank' } } : {}),
    ...(endpoint.query === undefined
      ? {}
      : { '301': reference('some ids have changed; repeat the request with the new ids', 'MovedIds') }),
    ...(endpoint.method === 'GET' ? { '304': { description: 'unchanged since the given ETag' } } : {}),
    ...Object.fromEntries(
      failures.sort().map((status) => [status, reference('the error and its message', 'Problem')]),
    ),
  };
}

/** The content of an answer in a media type, with an example unless it is binary. */
function media(name: EndpointName, { answer }: Endpoint, type: string): Json {
  const recorded = RECORDED_ANSWERS[name === 'pointsBatch' ? 'points' : name];
  const example = recorded ?? WRITTEN_ANSWERS[name];
  if (type === ARROW_STREAM || type === RUNS) return { schema: { type: 'string', format: 'binary' } };
  if (answer !== null) return { schema: jsonSchema(answer, 'output'), example };
  const isJson = type === 'application/json';
  return { schema: isJson ? jsonSchema(z.array(seriesBlock), 'output') : { type: 'string' }, example };
}

function reference(description: string, schema: string): Json {
  return {
    description,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return described(rest) as Json;
}

/** The schema, with texts for the fields that have none. */
function described(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(described);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.entries(schema).map(([key, value]) => [
    key,
    key === 'properties' ? describedProperties(value as Record<string, Json>) : described(value),
  ]);
  return Object.fromEntries(inner);
}

function describedProperties(properties: Readonly<Record<string, Json>>): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const description = property.description ?? fieldText(name);
      return [
        name,
        { ...(described(property) as Json), ...(description === undefined ? {} : { description }) },
      ];
    }),
  );
}

/** The meaning of a parameter or a field that the schemas do not describe, by its name. */
function fieldText(name: string): string | undefined {
  const [, entity, kind] =
    /^(metric|item|region|partner_region|source|frequency|unit)_(id|name)$/.exec(name) ?? [];
  if (name === 'partner_region_id') return 'id of the partner region; 0 is the world';
  if (entity !== undefined) return `${kind} of the ${entity.replace('_', ' ')}`;
  return PARAMETER_TEXTS[name] ?? PARAMETER_TEXTS[name.replace(/s$/, '')] ?? TEXTS[name];
}

/** The meanings of the parameters of operations, by their names on the wire. */
const PARAMETER_TEXTS: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  Object.entries({ ...QUERY_KEYS, ...FLAG_KEYS }).map(([name, key]) => [
    key,
    FIELDS[name as keyof typeof FIELDS].meaning,
  ]),
);

/** The meanings of names that several schemas have, or that say nearly all of it. */
const TEXTS: Readonly<Record<string, string | undefined>> = {
  ids: 'ids of entities',
  id: 'id of the entity',
  type: 'type of the entities',
  latitude: 'degrees north',
  longitude: 'degrees east',
  importId: 'id of the import',
  backupId: 'id of the backup',
  region_ids: 'ids of the regions',
  weight_names: 'names of rasters; this service holds none: always 400',
  email: 'email of the user',
  password: 'password of the user',
  settings: 'settings of the data set',
  bytes: 'length in bytes',
};

/** The groups of operations, in the order in which the documentation shows them. */
const TAGS = {
  Entities: 'Metrics, items, regions, frequencies, sources and units describe a series.',
  Search: 'Words to ids.',
  Series: 'Existing series, their entities, and their coverage of a period.',
  Points: 'Figures, sums and weighted figures.',
  Regions: 'Shapes, centres and the regions of a place.',
  Imports:
    'Importing while the service runs, if it was started with `--allow-import`, with a token that has the right to import.',
  Backups: 'Copies of the store while the service runs, with a token that has the right to administer.',
  Service: 'Access tokens, health and metrics.',
} as const;

interface OperationText {
  readonly tag: keyof typeof TAGS;
  readonly description: string;
}

const SELECTION =
  'A selection is any of the ids of a series. A repeated key selects several; an absent one restricts nothing.';

/** A description of each operation, beyond its summary. */
const OPERATION_TEXTS: Readonly<Record<EndpointName, OperationText>> = {
  entities: {
    tag: 'Entities',
    description:
      'With `ids`, an object of the existing entities by id; without them a list of the first 5000 by ascending id.',
  },
  entity: { tag: 'Entities', description: 'A single entity; 404 for an unknown id.' },
  descendants: {
    tag: 'Entities',
    description:
      'Metrics, items and regions contain one another. The answer has a list of ids for each id that exists.',
  },
  ancestors: {
    tag: 'Entities',
    description: 'The reverse of `contains`. The answer has a list of ids for each id that exists.',
  },
  allowedUnits: {
    tag: 'Entities',
    description: 'The units of the points of a metric (and item), and all other units of the same dimension.',
  },
  search: {
    tag: 'Search',
    description:
      'Names, synonyms and codes, in upper or lower case, with or without accents. Words may be in any order, and the last one unfinished. If little else fits, misspellings are corrected. "Georgia, USA" also names the region that contains the place.',
  },
  searchAll: {
    tag: 'Search',
    description: 'The form of other services: pairs of an id and `metric`, `item`, `region` or `source`.',
  },
  searchHits: {
    tag: 'Search',
    description:
      'All types at once, with names and the number of series of each hit, as a search box needs them. Hits that have series come first.',
  },
  combinations: {
    tag: 'Series',
    description: `Distinct combinations of metric, item, region and source. ${SELECTION}`,
  },
  seriesList: {
    tag: 'Series',
    description: `Each series with its names, first and last date and number of points. ${SELECTION}`,
  },
  seriesStream: {
    tag: 'Series',
    description: `As \`/v2/data_series/list\`, in lines of up to 10,000 series. ${SELECTION}`,
  },
  facets: {
    tag: 'Series',
    description: `Each facet is counted as if the selection did not restrict it, so that every value leads to data. Series are counted as the store has them now. ${SELECTION}`,
  },
  vintages: {
    tag: 'Series',
    description:
      'The dates that change the answers with `atTime` and `showReportingDate`. At most 10,000 series (413). An absent partner region is the world.',
  },
  timeFrequencies: {
    tag: 'Series',
    description:
      'By the share of the wanted period that has data, then by number of points, then by recency.',
  },
  rankedSources: {
    tag: 'Series',
    description:
      'By the share of the wanted period that has data, then by number of points, then by recency.',
  },
  points: {
    tag: 'Points',
    description:
      'By default the latest revision of each period; a revision to null counts. `Accept` selects JSON or an Arrow stream. Metric, item, region, source and frequency are required.',
  },
  pointsBatch: {
    tag: 'Points',
    description:
      'A list of selections, each with its own flags: one request for many series. The media types are those of `GET /v2/data`.',
  },
  chart: {
    tag: 'Points',
    description:
      'The parameters are those of a link to the *Chart* of the page. The picture has a title, sources and remarks, and shows the store as it is now. Send its entity tag to learn whether it has changed.',
  },
  top: {
    tag: 'Points',
    description: 'Sums of the latest values over the period, each unit apart, highest first.',
  },
  areaWeighting: {
    tag: 'Points',
    description:
      'The weight of a region is the product of the means of the weight series there. Values are converted to the unit of the first region that has a series.',
  },
  rasterWeighting: {
    tag: 'Points',
    description: 'Use `POST /v2/area-weighting`, which weights by stored series.',
  },
  geocentres: {
    tag: 'Regions',
    description:
      'Centres in degrees; with `includeGeojson`, shapes too; with `reqRegionLevelId`, those of all descendants of that level.',
  },
  geocode: {
    tag: 'Regions',
    description:
      'The district, province and country whose shapes contain each place, in the order given, and the nearest weather station with data. Historical regions are left out.',
  },
  importBegin: { tag: 'Imports', description: 'The next operations need the returned id.' },
  importPart: {
    tag: 'Imports',
    description: 'The body is the bytes of the part. The next part begins at `received`.',
  },
  importRun: {
    tag: 'Imports',
    description:
      'Each line is an object with `progress`, `rejected`, `report` or `error`. The last has the report, or the error; then everything is rolled back.',
  },
  importCancel: {
    tag: 'Imports',
    description: 'An import that was not run is also discarded after a while.',
  },
  backupBegin: {
    tag: 'Backups',
    description:
      'Each line is an object with `progress`, `backup` or `error`. The last has the backup with its id, which the next operations need, or the error. Only one backup is made or fetched at a time; otherwise 429.',
  },
  backupPart: {
    tag: 'Backups',
    description:
      'The bytes of a file that `cropframe store check` and `store restore` read. Fetch a part again when it does not match its `content-digest`.',
  },
  backupDiscard: {
    tag: 'Backups',
    description: 'A backup that was not fetched is also discarded after a while.',
  },
  accessToken: {
    tag: 'Service',
    description:
      'The token of a login may read, and expires after 12 hours unless the service says otherwise.',
  },
  health: {
    tag: 'Service',
    description: '503 if the store does not answer. `store_version` changes with every import.',
  },
  metrics: {
    tag: 'Service',
    description:
      'A 404 if the service was started without `--metrics`. No label names a token, an address or a query.',
  },
};
