import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/contract/addresses.js';
import { type EndpointName, endpoints } from '../../src/contract/endpoints.js';
import { RECORDED_ANSWERS, WRITTEN_ANSWERS } from '../../src/contract/openapi/document.js';
import { seriesBlock } from '../../src/contract/shapes.js';
import { answerOf, RECORDED } from '../contract/openapi/answers.js';
import { useDemoService } from './demo-service.js';

interface Described {
  name?: string;
  description?: string;
}

interface Operation {
  description: string;
  tags: string[];
  parameters: Described[];
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: object; example?: unknown }> }>;
}

const demo = useDemoService();
let operations: { name: string; operation: Operation }[];
beforeAll(async () => {
  const answer = await demo.service(new Request('http://service.invalid/openapi.json'));
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Operation>> };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  );
});

/** The names of properties of a JSON schema without a description. */
function* undescribed(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties = {} } = schema as { properties?: Record<string, Described> };
  for (const [name, { description }] of Object.entries(properties)) if (!description) yield name;
  for (const inner of Object.values(schema)) yield* undescribed(inner);
}

describe('the OpenAPI document', () => {
  it('describes every operation, parameter and field of a body', () => {
    expect(operations.length).toBeGreaterThan(25);
    for (const { name, operation } of operations) {
      expect(operation.description.length, name).toBeGreaterThan(20);
      expect(operation.parameters.filter(({ description }) => !description).map((one) => one.name)).toEqual(
        [],
      );
      const bodies = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema);
      expect([...undescribed(bodies)], name).toEqual([]);
    }
  });

  it('has an example of every answer that is not binary or a picture, and of every body', () => {
    for (const { name, operation } of operations) {
      for (const [type, { example }] of Object.entries(operation.responses['200']!.content!))
        if (!/arrow|runs|octet-stream|svg/.test(type)) expect(example, `${name} ${type}`).toBeDefined();
      for (const [type, { example }] of Object.entries(operation.requestBody?.content ?? {}))
        if (!type.includes('octet-stream')) expect(example, `${name} ${type}`).toBeDefined();
    }
  });
});

describe('the examples', () => {
  it.each(RECORDED)('are what the service answers: %s', async (name) => {
    expect(await answerOf(demo, name)).toEqual(RECORDED_ANSWERS[name]);
  });

  it('of many selections are those of one', async () => {
    expect(await answerOf(demo, 'pointsBatch')).toEqual(RECORDED_ANSWERS.points);
  });

  const all = { ...RECORDED_ANSWERS, ...WRITTEN_ANSWERS };
  it.each(Object.keys(all) as EndpointName[])('fit the schema: %s', (name) => {
    const { answer, streams } = endpoints[name] as Endpoint;
    const schema = answer ?? (streams?.[0] === 'application/json' ? v.array(seriesBlock) : v.string());
    expect(v.safeParse(schema, all[name]).issues).toBeUndefined();
  });
});
