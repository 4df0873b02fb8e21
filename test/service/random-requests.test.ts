import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HostedImports, hostImports } from '../../src/ingest/import-host.js';
import { RIGHTS } from '../../src/model/access.js';
import { AuthenticationError, StoreError } from '../../src/model/errors.js';
import type { Service } from '../../src/service/handler.js';
import { createService } from '../../src/service/service.js';
import type { Store } from '../../src/store/store.js';
import { countRuns, firstSeed, tellFigures, timeLimit } from '../endurance.js';
import { openServedStore } from './serving-store.js';

const RUNS = countRuns({ quick: 100, all: 8_000 });
const FIRST_SEED = firstSeed(20_261_120);

interface JsonSchema {
  type?: string;
  enum?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  minimum?: number;
  maximum?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}
interface Operation {
  operationId: string;
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, unknown>;
}

let store: Store;
/** A whole backup takes a second: after some, there is no room for more. */
const MAX_BACKUPS = 3;

function withFewBackups(opened: Store): Store {
  let made = 0;
  return {
    ...opened,
    async backup(to, options) {
      if (made++ < MAX_BACKUPS) return opened.backup(to, options);
      throw new StoreError('the disk has no room for a backup');
    },
  };
}

let imports: HostedImports;
let service: Service;
let operations: { method: string; path: string; operation: Operation }[];

beforeAll(async () => {
  ({ store } = await openServedStore());
  imports = await hostImports({ maxBytes: 100_000 });
  // All rights, so that the handlers of imports, backups and metrics are met.
  const authorize = async (token: string | null) => {
    if (token === 'right') return { name: 'everything', rights: RIGHTS };
    throw new AuthenticationError(401, 'authorization', 'the access token is unknown');
  };
  service = createService(withFewBackups(store), { authorize, imports, metrics: true });
  const contract = (await (await service(new Request('http://local/openapi.json'))).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
});
afterAll(async () => {
  await imports?.close();
  await store?.close();
});

/** Existing ids, and random ones. */
const id = fc.oneof(
  fc.constantFrom(0, 1, 2, 9, 20, 21, 22, 30, 110, 250, 276, 840, 10036, 10053),
  fc.integer({ min: 0, max: 2 ** 31 - 1 }),
);
const date = fc.constantFrom('2012-01-01', '2015-06-30', '2016-12-31T12:00:00Z', '1990-01-01', '2020-02-29');
const garbage = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '-1',
    '1.5',
    '1e99',
    '[',
    '[]',
    '[1,',
    'NaN',
    'null',
    'True',
    "' OR 1=1 --",
    '../..',
    '2012-02-30',
    '0x10',
    '%00',
    '٣',
  ),
  fc.integer().map(String),
);

function good(name: string, schema: JsonSchema): fc.Arbitrary<string[]> {
  if (schema.type === 'array') return fc.array(id.map(String), { minLength: 1, maxLength: 4 });
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum).map((text) => [text]);
  if (schema.type === 'boolean') return fc.constantFrom('true', 'False', 'TRUE', '0').map((text) => [text]);
  if (schema.type === 'integer' && name.toLowerCase().endsWith('id')) return id.map((one) => [String(one)]);
  if (schema.type === 'integer') {
    const min = schema.minimum ?? 0;
    return fc.integer({ min, max: Math.min(schema.maximum ?? 100, min + 100) }).map((one) => [String(one)]);
  }
  if (/date|time|since/i.test(name)) return date.map((text) => [text]);
  return fc.constantFrom('corn', 'France', 'New York', 'temperature max', 'zzz', 'ü').map((text) => [text]);
}

/** Mostly valid values, sometimes none, sometimes garbage. */
function given(name: string, schema: JsonSchema, required: boolean): fc.Arbitrary<string[]> {
  return fc.oneof(
    { weight: required ? 12 : 4, arbitrary: good(name, schema) },
    { weight: required ? 1 : 8, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.array(garbage, { minLength: 1, maxLength: 2 }) },
  );
}

function goodBody(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(goodBody));
  if (schema.type === 'array') return fc.array(goodBody(schema.items ?? {}), { minLength: 1, maxLength: 3 });
  if (schema.type === 'object') {
    const properties = Object.entries(schema.properties ?? {});
    const fields = properties.map(([name, property]) => {
      const arbitrary = /date|time|since/i.test(name) ? date : goodBody(property);
      return [
        name,
        (schema.required ?? []).includes(name) ? arbitrary : fc.option(arbitrary, { nil: undefined }),
      ] as const;
    });
    return fc.record(Object.fromEntries(fields));
  }
  if (schema.type === 'boolean') return fc.boolean();
  return schema.type === 'integer' ? id : fc.string();
}

const latitude = fc.integer({ min: -91, max: 90 });
const longitude = fc.integer({ min: -180, max: 181 });

const body = (operation: Operation): fc.Arbitrary<string | null> => {
  const content = Object.entries(operation.requestBody?.content ?? {})[0];
  if (content === undefined) return fc.constant(null);
  const [type, { schema }] = content;
  const right = type.includes('json')
    ? goodBody(schema).map((value) => JSON.stringify(value))
    : fc
        .record({ latlng: fc.array(fc.tuple(latitude, longitude)).map((places) => JSON.stringify(places)) })
        .map((form) => new URLSearchParams(form).toString());
  return fc.oneof(
    { weight: 6, arbitrary: right },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
  );
};

interface RandomRequest {
  method: string;
  url: string;
  body: string | null;
  token: string;
  type: string;
  accept: string;
  operation: Operation;
}

/** Random requests of an operation. Their arbitraries take longer to build than a request takes, so each is built once. */
function randomRequest(): fc.Arbitrary<RandomRequest> {
  const asked = operations.filter(({ path }) => path !== '/api-token').map(requestsOf);
  return fc.constantFrom(...asked).chain((requests) => requests);
}

function requestsOf({ method, path, operation }: (typeof operations)[number]): fc.Arbitrary<RandomRequest> {
  const parameters = operation.parameters.map((one) => given(one.name, one.schema, one.required));
  return fc
    .record({
      values: fc.tuple(...parameters),
      body: body(operation),
      token: fc.oneof(
        { weight: 20, arbitrary: fc.constant('right') },
        { weight: 1, arbitrary: fc.constant('wrong') },
      ),
      type: fc.oneof(
        { weight: 20, arbitrary: fc.constant(Object.keys(operation.requestBody?.content ?? {})[0] ?? '') },
        { weight: 1, arbitrary: fc.constantFrom('text/plain', 'nonsense', '') },
      ),
      accept: fc.constantFrom('application/json', 'application/vnd.apache.arrow.stream', '*/*'),
      method: fc.oneof(
        { weight: 30, arbitrary: fc.constant(method) },
        { weight: 1, arbitrary: fc.constantFrom('PUT', 'DELETE', 'POST', 'GET') },
      ),
    })
    .map((drawn) => {
      const query = new URLSearchParams();
      let filled = path;
      operation.parameters.forEach(({ name, in: place }, i) => {
        const texts = drawn.values[i] ?? [];
        if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(texts[0] ?? ''));
        else for (const text of texts) query.append(name, text);
      });
      return { ...drawn, url: `http://local${filled}?${query}`, operation };
    });
}

it(
  `answers ${RUNS} random requests as the contract says, and none with 500`,
  async () => {
    const seen = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(
        randomRequest(),
        async ({ method, url, body: text, token, type, accept, operation }) => {
          const headers = { authorization: `Bearer ${token}`, accept, 'content-type': type };
          const init: RequestInit = { method, headers };
          if (text !== null && method !== 'GET') init.body = text;
          const response = await service(new Request(url, init));
          const answer = await response.text();
          seen.set(response.status, (seen.get(response.status) ?? 0) + 1);
          expect(response.status, `${method} ${url}\n${answer.slice(0, 500)}`).not.toBe(500);
          const known = [...Object.keys(operation.responses), '404', '405'];
          expect(known).toContain(String(response.status));
          if (response.status < 400) return;
          const { error, message } = JSON.parse(answer) as { error: string; message: string };
          expect(error.length * message.length).toBeGreaterThan(0);
          expect(message).not.toMatch(/\bat .*\.(ts|js):\d+|undefined|\[object/);
        },
      ),
      { numRuns: RUNS, seed: FIRST_SEED, endOnFailure: true },
    );
    const counts = Object.fromEntries([...seen].sort(([a], [b]) => a - b));
    tellFigures(`${RUNS} random requests, seed ${FIRST_SEED}: answers by status ${JSON.stringify(counts)}`);
    expect(seen.get(200)).toBeGreaterThan(RUNS / 5);
    expect(seen.get(400)).toBeGreaterThan(RUNS / 20);
  },
  timeLimit(240_000),
);
