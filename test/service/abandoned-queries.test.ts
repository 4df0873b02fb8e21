import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Endpoint } from '../../src/contract/addresses.js';
import { endpoints } from '../../src/contract/endpoints.js';
import { allowAnyone } from '../../src/service/access/auth.js';
import { createService } from '../../src/service/service.js';
import type { Store } from '../../src/store/store.js';
import { openServedStore } from './serving-store.js';

/** Queries of a store that end with their request; the others are few rows, or kept for other requests. */
const QUERIES = [
  'lookup',
  'list',
  'combinations',
  'allowedUnits',
  'sums',
  'shapes',
  'series',
  'points',
  'facets',
  'vintages',
] as const;

let store: Store;
beforeAll(async () => {
  ({ store } = await openServedStore());
});
afterAll(() => store?.close());

/** The real store; it notes which queries are made, and with which signal. */
function watched(seen: { query: string; signal: AbortSignal | undefined }[]): Store {
  return new Proxy(store, {
    get(target, key: keyof Store) {
      const value = target[key];
      if (typeof value !== 'function' || !(QUERIES as readonly string[]).includes(key)) return value;
      return (...args: unknown[]) => {
        const options = args.at(-1) as { signal?: AbortSignal } | undefined;
        seen.push({ query: key, signal: options?.signal });
        return (value as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}

const DAILY = 'metricId=2&itemId=2&regionId=1389719618&sourceId=20&frequencyId=1';
const selection = { metricId: 2, itemId: 2, regionId: 1389719618, sourceId: 20, frequencyId: 1 };
const weighted = { item_id: 2, metric_id: 2, frequency_id: 1, source_id: 20 };
const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** A request of each endpoint that reads the store for itself, and the queries that it makes. */
const REQUESTS: Partial<Record<keyof typeof endpoints, readonly [string, string[], RequestInit?]>> = {
  combinations: ['/v2/entities/list?itemId=2', ['combinations']],
  seriesList: ['/v2/data_series/list?itemId=2', ['series']],
  seriesStream: ['/v2/stream/data_series/list?itemId=2', ['series']],
  timeFrequencies: ['/v2/available/time-frequencies?itemIds=2', ['series']],
  rankedSources: ['/v2/available/sources?itemIds=2', ['series']],
  points: [`/v2/data?${DAILY}`, ['series', 'points']],
  pointsBatch: ['/v2/data', ['series', 'points'], post([selection])],
  top: ['/v2/top/regions?metricId=2&itemId=2&sourceId=20&frequencyId=1', ['sums']],
  allowedUnits: ['/v2/units/allowed?metricIds=2', ['allowedUnits']],
  geocentres: ['/v2/geocentres?regionIds=250&includeGeojson=true', ['lookup', 'shapes']],
  areaWeighting: [
    '/v2/area-weighting',
    ['series', 'points'],
    post({ series: weighted, weights: [weighted], region_ids: [1389719618] }),
  ],
  resolve: ['/v2/resolve?itemId=2', ['series']],
  facets: ['/v2/facets?itemId=2', ['facets']],
  vintages: [`/v2/vintages?${DAILY}`, ['series', 'vintages']],
  entity: ['/v2/regions/250', ['lookup']],
  entities: ['/v2/regions?ids=250', ['lookup']],
};

it.each(Object.entries(REQUESTS))(
  'queries of %s end when its client leaves',
  async (_, [path, queries, init]) => {
    const seen: { query: string; signal: AbortSignal | undefined }[] = [];
    const service = createService(watched(seen), { authorize: allowAnyone });
    const leaving = new AbortController();
    const request = new Request(`http://localhost${path}`, { ...init, signal: leaving.signal });
    const response = await service(request);
    expect([response.status, (await response.text()).length > 0]).toEqual([200, true]);
    for (const query of queries) {
      const signals = seen.filter((one) => one.query === query).map(({ signal }) => signal);
      expect(signals.length, query).toBeGreaterThan(0);
      expect(
        signals.some((signal) => signal !== undefined && !signal.aborted),
        query,
      ).toBe(true);
    }
    leaving.abort();
    for (const query of queries) {
      const ended = seen.filter((one) => one.query === query && one.signal?.aborted === true);
      expect(ended.length, query).toBeGreaterThan(0);
    }
  },
);

it('no endpoint is forgotten: those that do not import read what is kept between requests, or nothing', () => {
  const others = Object.entries(endpoints as Record<string, Endpoint>)
    .filter(([name, { right }]) => right !== 'import' && !(name in REQUESTS))
    .map(([name]) => name);
  expect(others).toEqual(
    (
      'health metrics accessToken searchAll searchHits search chart geocode ' +
      'descendants ancestors backupBegin backupPart backupDiscard'
    ).split(' '),
  );
});
