import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ZodObject } from 'zod';
import type { Endpoint } from '../../src/contract/addresses.js';
import { endpoints } from '../../src/contract/endpoints.js';
import { RIGHTS } from '../../src/model/access.js';
import type { Service } from '../../src/service/handler.js';
import { createService } from '../../src/service/service.js';
import type { Store } from '../../src/store/store.js';
import { openServedStore } from './serving-store.js';

let store: Store;
let service: Service;
beforeAll(async () => {
  ({ store } = await openServedStore());
  service = createService(store, { authorize: async () => ({ name: 'tester', rights: RIGHTS }) });
});
afterAll(() => store?.close());

async function refusal(method: string, path: string, body?: string): Promise<unknown> {
  const headers = { authorization: 'Bearer right', 'content-type': 'application/json' };
  const request = new Request(`http://service.invalid${path}`, { method, headers, body: body ?? null });
  const response = await service(request);
  return { ...((await response.json()) as object), status: response.status };
}

const PATH_VALUES: Readonly<Record<string, string>> = {
  type: 'regions',
  id: '1',
  importId: 'x',
  position: '0',
};
const ALL = Object.entries(endpoints as Record<string, Endpoint>).map(([name, endpoint]) => ({
  ...{ name, endpoint, method: endpoint.method },
  path: endpoint.path.replace(/\{(\w+)\}/g, (_, key: string) => PATH_VALUES[key]!),
}));

/** A name that nobody sends, but that is near to the known one. */
function misspelt(name: string): string {
  return `${name}x`;
}

function refused(typo: string, name: string) {
  return {
    status: 400,
    error: 'argument',
    message: `${typo}: there is no such parameter; did you mean ${name}?`,
  };
}

/** What a program watches a service by: the first ignores parameters, the second needs a right. */
const ABOUT_SERVICE = ['/health', '/metrics'];

describe('an unknown query parameter is a 400 with the nearest', () => {
  const withQuery = ALL.flatMap(({ endpoint, ...rest }) =>
    Object.keys(endpoint.query?.shape ?? {}).map((parameter) => ({ ...rest, parameter })),
  );
  it.each(withQuery)('of $name: $parameter', async ({ method, path, parameter }) => {
    const typo = misspelt(parameter);
    expect(await refusal(method, `${path}?${typo}=1`)).toMatchObject(refused(typo, parameter));
  });

  it.each(
    ALL.filter(({ endpoint }) => endpoint.query === undefined && !ABOUT_SERVICE.includes(endpoint.path)),
  )('of $name, which has none', async ({ method, path }) => {
    expect(await refusal(method, `${path}?ids=1`, method === 'POST' ? '' : undefined)).toMatchObject({
      status: 400,
      message: 'ids: there is no such parameter; there are none',
    });
  });

  it('of /health is ignored, because what watches a service may add one', async () => {
    expect(await refusal('GET', '/health?now=5')).toMatchObject({ status: 200 });
  });
});

describe('an unknown key of a form is a 400 with the nearest', () => {
  const withForm = ALL.flatMap(({ endpoint, ...rest }) =>
    Object.keys(endpoint.form?.shape ?? {}).map((parameter) => ({ ...rest, parameter })),
  );
  it.each(withForm)('of $name: $parameter', async ({ method, path, parameter }) => {
    const typo = misspelt(parameter);
    const body = new URLSearchParams({ [typo]: '1' }).toString();
    expect(await refusal(method, path, body)).toMatchObject(refused(typo, parameter));
  });
});

describe('an unknown key of a body is a 400 with the nearest', () => {
  const KEY = { metricId: 1, itemId: 1, regionId: 1, sourceId: 1, frequencyId: 1 };
  const points = endpoints.pointsBatch.body.element as ZodObject;
  it.each(Object.keys(points.shape))('of pointsBatch: %s', async (key) => {
    const typo = misspelt(key);
    const body = JSON.stringify([KEY, { ...KEY, [typo]: 1 }]);
    expect(await refusal('POST', '/v2/data', body)).toMatchObject(refused(`1.${typo}`, key));
  });

  const SERIES = { item_id: 1, metric_id: 1, frequency_id: 1, source_id: 1 };
  const WEIGHTING = { series: SERIES, weights: [SERIES], region_ids: [1] };
  it.each([
    ['strat_date', { ...WEIGHTING, strat_date: '2010-01-01' }, 'start_date'],
    ['series.itemid', { ...WEIGHTING, series: { ...SERIES, itemid: 1 } }, 'item_id'],
    ['weights.0.metricid', { ...WEIGHTING, weights: [{ ...SERIES, metricid: 1 }] }, 'metric_id'],
  ])('of areaWeighting: %s', async (typo, body, known) => {
    expect(await refusal('POST', '/v2/area-weighting', JSON.stringify(body))).toMatchObject(
      refused(typo, known),
    );
  });
});

it('accepts on every selection what the public Python client sends without need', () => {
  const selecting = ALL.filter(({ endpoint }) => 'metricId' in (endpoint.query?.shape ?? {}));
  expect(selecting.length).toBeGreaterThan(3);
  for (const { name, endpoint } of selecting)
    expect(Object.keys(endpoint.query!.shape), name).toEqual(
      expect.arrayContaining(['responseType', 'coverageThreshold', 'chunkSize']),
    );
});
