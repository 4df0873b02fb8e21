import * as v from 'valibot';
import { RIGHTS } from '../../model/access.js';
import { FIELDS } from '../../model/schema/fields.js';
import { jsonSchema } from '../../model/schema/json-schema.js';
import { meaningOf, withMeaning } from '../../model/schema/schemas.js';
import { QUERY_KEYS } from '../../model/series.js';
import type { Endpoint } from '../addresses.js';
import { type EndpointName, endpoints } from '../endpoints.js';
import { seriesBlock } from '../shapes.js';
import { ARROW_STREAM, BYTES, FLAG_KEYS, RUNS } from '../wire-names.js';
import examples from './examples.json' with { type: 'json' };
import texts from './texts.json' with { type: 'json' };

type Json = Record<string, unknown>;

interface OperationText {
  /** A key of `tags`. The documentation groups operations by tag. */
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
}

/** The texts for each operation. `{selection}` in a description is replaced by a sentence about selections. */
export const OPERATION_TEXTS: Readonly<Record<EndpointName, OperationText>> = texts.operations;

interface ExampleRequest {
  readonly path?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: Readonly<Record<string, string | number | (string | number)[]>> | undefined;
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

/** An example request for each operation. The requests are chosen so that responses are short. */
export const EXAMPLE_REQUESTS: Readonly<Record<EndpointName, ExampleRequest>> = examples.requests;

type ExampleAnswers = { readonly [Name in EndpointName]?: unknown };

/** Example responses that `test/contract/openapi/record.ts` recorded from a service with the data set `demo`. */
export const RECORDED_ANSWERS: ExampleAnswers = examples.answers;

/** Handwritten example responses for operations that import data, make backups or have varying responses. */
export const WRITTEN_ANSWERS: ExampleAnswers = examples.written;

const DESCRIPTION = `Time series for agriculture, described by metrics, items, regions, frequencies, sources and units.

Send \`authorization: Bearer TOKEN\`; a service without access control needs no token. A list is a repeated parameter:
\`regionId=21&regionId=22\`. Dates are \`YYYY-MM-DD\` or ISO 8601 timestamps in UTC. Responses have strong entity tags; send one
as \`If-None-Match\` to learn whether the data have changed. Errors have a code for programs and a message for people. Examples
use the data set \`demo\`.`;

const problem = v.object({
  error: withMeaning('code of the kind of error, for programs', v.string()),
  message: withMeaning('what is wrong and, in most cases, how to fix it', v.string()),
});

/** Generates the OpenAPI 3.1 document from the schemas that validate requests. */
export function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    paths[endpoint.path] ??= {};
    paths[endpoint.path]![endpoint.method.toLowerCase()] = operation(name, endpoint);
  }
  const description = `An access token. Each operation names the right that the token needs: ${RIGHTS.join(', ')}.`;
  return {
    openapi: '3.1.0',
    info: {
      title: 'cropframe',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '.', description: 'This service, also if a proxy serves it under another path' }],
    tags: Object.entries(texts.tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { Problem: toDescribedSchema(problem, 'output') },
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description } },
    },
  };
}

function operation(name: EndpointName, endpoint: Endpoint): Json {
  const example = EXAMPLE_REQUESTS[name];
  const body = requestBody(endpoint, example);
  const { tag, summary, description } = OPERATION_TEXTS[name];
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: description.replace('{selection}', texts.selection),
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
  schema: v.GenericSchema | undefined,
  place: 'path' | 'query',
  examples: Readonly<Record<string, unknown>> = {},
): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = toDescribedSchema(schema, 'input') as {
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
      schema: toDescribedSchema(form, 'input'),
      example: example.form,
    });
  if (body === undefined) return null;
  return content('application/json', { schema: toDescribedSchema(body, 'input'), example: example.body });
}

function responses(name: EndpointName, endpoint: Endpoint): Json {
  const types = endpoint.streams ?? ['application/json'];
  const content = Object.fromEntries(types.map((type) => [type, media(name, endpoint, type)]));
  const failures = ['400', '403', '404', '408', '413', '414', '421', '429', '500', '503'];
  if (endpoint.body !== undefined) failures.push('415');
  if (endpoint.open !== true || endpoint.form !== undefined) failures.push('401', '402');
  return {
    '200': { description: OPERATION_TEXTS[name].summary, content },
    ...(endpoint.emptyIs204 === true ? { '204': { description: 'there is no data to rank' } } : {}),
    ...(endpoint.method === 'GET' ? { '304': { description: 'unchanged since the given ETag' } } : {}),
    ...Object.fromEntries(failures.sort().map((status) => [status, FAILURE])),
  };
}

const FAILURE = {
  description: 'the error and its message',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

/** Describes a response's content in one media type, with an example unless the content is binary. */
function media(name: EndpointName, { answer }: Endpoint, type: string): Json {
  const recorded = RECORDED_ANSWERS[name === 'pointsBatch' ? 'points' : name];
  const example = recorded ?? WRITTEN_ANSWERS[name];
  if (type === ARROW_STREAM || type === RUNS) return { schema: { type: 'string', format: 'binary' } };
  if (answer !== null) return { schema: toDescribedSchema(answer, 'output'), example };
  const isJson = type === 'application/json';
  return { schema: isJson ? toDescribedSchema(v.array(seriesBlock), 'output') : { type: 'string' }, example };
}

function toDescribedSchema(schema: v.GenericSchema, typeMode: 'input' | 'output'): Json {
  return addDescriptions(jsonSchema(schema, typeMode)) as Json;
}

function addDescriptions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(addDescriptions);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.entries(schema).map(([key, value]) => [
    key,
    key === 'properties' ? describeProperties(value as Record<string, Json>) : addDescriptions(value),
  ]);
  return Object.fromEntries(inner);
}

function describeProperties(properties: Readonly<Record<string, Json>>): Json {
  const described = Object.entries(properties).map(([name, property]) => {
    const description = property.description ?? fieldText(name);
    return [name, { ...(addDescriptions(property) as Json), description }];
  });
  return Object.fromEntries(described);
}

/** Looks up, by name, the description of a parameter or field that the schemas do not describe. */
function fieldText(name: string): string | undefined {
  const [, entity, kind] =
    /^(metric|item|region|partner_region|source|frequency|unit)_(id|name)$/.exec(name) ?? [];
  if (name === 'partner_region_id') return 'id of the partner region; 0 is the world';
  if (entity !== undefined) return `${kind} of the ${entity.replace('_', ' ')}`;
  return PARAMETER_TEXTS[name] ?? PARAMETER_TEXTS[name.replace(/s$/, '')] ?? FIELD_TEXTS[name];
}

const PARAMETER_TEXTS: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  Object.entries({ ...QUERY_KEYS, ...FLAG_KEYS }).map(([name, key]) => [
    key,
    meaningOf(FIELDS[name as keyof typeof FIELDS]),
  ]),
);

/** Descriptions by field name, used for fields that have no description in their schema. */
const FIELD_TEXTS: Readonly<Record<string, string | undefined>> = texts.fields;
