import * as z from 'zod';
import { RIGHTS } from '../model/access/rights.js';
import { type Endpoint, endpoints } from './endpoints.js';
import { seriesStreamColumns } from './series-stream/layout.js';
import { idRedirects, problem } from './shapes.js';
import { ARROW_STREAM, ARROW_STREAM_BY_SERIES } from './wire-names.js';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the service, derived from the schemas that validate requests. */
export function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
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
      description:
        'Time series for agriculture, described by metrics, items, regions, frequencies, sources and units.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
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

function operation(name: string, endpoint: Endpoint): Json {
  const body = requestBody(endpoint);
  return {
    operationId: name,
    summary: endpoint.summary,
    security: endpoint.open === true ? [] : [{ token: [endpoint.right ?? 'read'] }],
    parameters: [...parameters(endpoint.pathParameters, 'path'), ...parameters(endpoint.query, 'query')],
    ...(body === null ? {} : { requestBody: body }),
    responses: responses(endpoint),
  };
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Json> | undefined;
    required?: string[] | undefined;
  };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    ...(property.type === 'array' ? { style: 'form', explode: true } : {}),
    schema: property,
  }));
}

function requestBody({ form, body, takesBytes }: Endpoint): Json | null {
  if (takesBytes === true) return { required: true, content: { 'application/octet-stream': { schema: {} } } };
  if (form !== undefined) {
    return {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema: jsonSchema(form, 'input') } },
    };
  }
  return body === undefined
    ? null
    : { required: true, content: { 'application/json': { schema: jsonSchema(body, 'input') } } };
}

function responses(endpoint: Endpoint): Json {
  const types = endpoint.streams ?? ['application/json'];
  const schema = endpoint.answer === null ? {} : { schema: jsonSchema(endpoint.answer, 'output') };
  const content = Object.fromEntries(
    types.map((type) => [type, type === ARROW_STREAM_BY_SERIES ? { schema: SERIES_STREAM } : schema]),
  );
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

/** The layout with one row a run of points, with what is present on request. */
const SERIES_STREAM: Json = {
  description:
    'An Arrow IPC stream with one row a run of points of one series, whose lists have one element a point. ' +
    'available_date, available_dates and metadata are present on request.',
  contentMediaType: ARROW_STREAM,
  'x-arrow-columns': seriesStreamColumns({ withAvailableDate: true, withMetadata: true }).map(
    ({ name, type, list, nullable }) => ({ name, type: list ? `list<${type}>` : type, nullable }),
  ),
};

function reference(description: string, schema: string): Json {
  return {
    description,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  });
  return rest;
}
