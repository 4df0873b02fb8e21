import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

function refused(typo: string, name: string) {
  return {
    status: 400,
    error: 'argument',
    message: `${typo}: there is no such parameter; did you mean ${name}?`,
  };
}

/** What a program watches a service by: the first ignores parameters, the second needs a right. */
const ABOUT_SERVICE = ['/health', '/metrics'];

describe('an unknown parameter is a 400 with the nearest', () => {
  it.each(ALL.filter(({ endpoint }) => !ABOUT_SERVICE.includes(endpoint.path)))(
    'in the query of $name',
    async ({ method, path, endpoint }) => {
      const [known] = Object.keys(endpoint.query?.entries ?? {});
      const typo = known === undefined ? 'ids' : `${known}x`;
      const found = await refusal(method, `${path}?${typo}=1`, method === 'POST' ? '' : undefined);
      expect(found).toMatchObject(
        known === undefined
          ? { status: 400, message: 'ids: there is no such parameter; there are none' }
          : refused(typo, known),
      );
    },
  );

  it('is ignored in the query of /health, because what watches a service may add one', async () => {
    expect(await refusal('GET', '/health?now=5')).toMatchObject({ status: 200 });
  });

  it.each(ALL.filter(({ endpoint }) => endpoint.form !== undefined))(
    'in the form of $name',
    async ({ method, path, endpoint }) => {
      const [known] = Object.keys(endpoint.form!.entries);
      expect(await refusal(method, path, `${known}x=1`)).toMatchObject(refused(`${known}x`, known!));
    },
  );

  it('in the body of many selections', async () => {
    const selection = { metricId: 1, itemId: 1, regionId: 1, sourceId: 1, frequencyId: 1 };
    const body = JSON.stringify([selection, { ...selection, atTimex: 1 }]);
    expect(await refusal('POST', '/v2/data', body)).toMatchObject(refused('[1].atTimex', 'atTime'));
  });

  it('in the body of a weighting', async () => {
    const series = { item_id: 1, metric_id: 1, frequency_id: 1, source_id: 1 };
    const body = JSON.stringify({ series, weights: [{ ...series, metricid: 1 }], region_ids: [1] });
    expect(await refusal('POST', '/v2/area-weighting', body)).toMatchObject(
      refused('weights[0].metricid', 'metric_id'),
    );
  });
});

it('accepts on every selection what the public Python client sends without need', () => {
  const selecting = ALL.filter(
    ({ name, endpoint }) => name !== 'resolve' && 'metricId' in (endpoint.query?.entries ?? {}),
  );
  expect(selecting.length).toBeGreaterThan(3);
  for (const { name, endpoint } of selecting)
    expect(Object.keys(endpoint.query!.entries), name).toEqual(
      expect.arrayContaining(['responseType', 'coverageThreshold', 'chunkSize']),
    );
});
