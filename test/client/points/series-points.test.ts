import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planBatch, type SeriesRequest } from '../../../src/client/points/batch-plan.js';
import {
  readBatch,
  type SeriesAnswer,
  type SeriesPointSource,
} from '../../../src/client/points/series-points.js';
import { countRows, type PackedPoints, unpackPoints } from '../../../src/columns/packed-points.js';
import { DAY_MS } from '../../../src/model/time.js';
import { runsOfRows } from '../../columns/rows.js';
import { countRuns } from '../../endurance.js';
import { cornSeries, fillWithCorn } from '../../journeys/corn-states.js';
import { AT_ONCE, type DemoService, openDemoService } from '../../journeys/demo-service.js';

const SERIES = cornSeries(60);
let corn: DemoService;
beforeAll(async () => {
  corn = await openDemoService(fillWithCorn(60, 2000));
});
afterAll(() => corn.close());

/** Fetches series of which none fails. */
function fetchAll(
  source: SeriesPointSource,
  requests: readonly SeriesRequest[],
  onArrival: (position: number, answer: SeriesAnswer) => void,
): Promise<void> {
  return source.begin().fetch(requests, {
    onArrival,
    onFailure: (_, cause) => {
      throw cause;
    },
  });
}

const rowsOf = ({ runs }: SeriesAnswer) => countRows(runs);

/** A service whose first `times` answers break off after `after` bytes. */
function breaking(after: number, times: number) {
  const asked: number[] = [];
  return {
    asked,
    async fetch(request: Request): Promise<Response> {
      const body = (await request.clone().json()) as { regionId: number[] }[];
      asked.push(body.reduce((sum, { regionId }) => sum + regionId.length, 0));
      const response = await corn.service(request);
      if (asked.length > times) return response;
      const whole = new Uint8Array(await response.arrayBuffer());
      return new Response(whole.slice(0, after), { status: 200, headers: response.headers });
    },
  };
}

describe('a batch of series', () => {
  it('passes on every series for each of its requests, in one request to the service', async () => {
    const { fetch, asked } = breaking(0, 0);
    const { seriesPoints } = corn.serviceClient({ fetch });
    const requests = [
      ...SERIES,
      SERIES[3]!,
      { ...SERIES[3]!, start_date: '1990-01-01', end_date: '1994-12-31' },
    ];
    const arrived = new Map<number, SeriesAnswer>();
    await fetchAll(seriesPoints, requests, (position, answer) => {
      expect(arrived.has(position)).toBe(false);
      arrived.set(position, answer);
    });
    expect(asked).toHaveLength(1);
    expect(arrived.size).toBe(62);
    expect(rowsOf(arrived.get(0)!)).toBe(2000);
    expect(rowsOf(arrived.get(6)!)).toBe(3);
    expect(rowsOf(arrived.get(60)!)).toBe(rowsOf(arrived.get(3)!));
    expect(rowsOf(arrived.get(61)!)).toBe(5);
    for (const [position, { series }] of arrived) expect(series).toMatchObject(cornKey(requests[position]!));
  });

  it('requests after a broken connection only what has not arrived whole', async () => {
    const { fetch, asked } = breaking(800_000, 2);
    const { seriesPoints } = corn.serviceClient({ fetch, retry: AT_ONCE });
    const arrived: number[] = [];
    await fetchAll(seriesPoints, SERIES, (position) => arrived.push(position));
    expect([...arrived].sort((a, b) => a - b)).toEqual(SERIES.map((_, position) => position));
    expect(asked).toHaveLength(3);
    expect(asked[0]).toBe(60);
    expect(asked[1]).toBeLessThan(50);
    expect(asked[2]).toBeLessThan(asked[1]!);
  });

  it('is requested again if an import changes the store before the rest arrives', async () => {
    const { fetch, asked } = breaking(800_000, 1);
    const changing = async (request: Request): Promise<Response> => {
      const response = await fetch(request);
      expect(response.headers.get('x-store-version')).toBe(await corn.store.version());
      response.headers.set('x-store-version', asked.length === 1 ? 'before' : 'after');
      return response;
    };
    const { seriesPoints } = corn.serviceClient({ fetch: changing, retry: AT_ONCE });
    const versions = new Map<number, string | null>();
    await fetchAll(seriesPoints, SERIES, (position, { origin }) =>
      versions.set(position, origin.storeVersion),
    );
    expect([...versions.values()]).toEqual(SERIES.map(() => 'after'));
    expect(asked).toHaveLength(3);
    expect(asked[1]! + asked[2]!).toBe(60);
  });

  it('is not requested again after a refusal', async () => {
    const asked: string[] = [];
    const refusing = async (request: Request): Promise<Response> => {
      asked.push(request.method);
      return request.method === 'POST' ? new Response('{}', { status: 405 }) : corn.service(request);
    };
    const { seriesPoints } = corn.serviceClient({ fetch: refusing });
    const arrived: number[] = [];
    for (let times = 0; times < 2; times++)
      await fetchAll(seriesPoints, SERIES.slice(0, 3), (position) => arrived.push(position));
    expect(arrived).toHaveLength(6);
    expect(asked).toEqual(['POST', ...Array(6).fill('GET')]);
  });
});

function cornKey({ metric_id, item_id, region_id, source_id }: (typeof SERIES)[number]) {
  return { metric_id, item_id, region_id, source_id };
}

const keyOf = (region_id: number) => ({
  metric_id: 1,
  item_id: 2,
  region_id,
  partner_region_id: 0,
  frequency_id: 1,
  source_id: 5,
});

/** Messages that cut through series of these lengths. */
function* messages(lengths: readonly number[], max: number): Generator<PackedPoints[]> {
  const rows = lengths.flatMap((length, series) => Array.from({ length }, (_, day) => ({ series, day })));
  for (let from = 0; from < rows.length; from += max) {
    const some = rows.slice(from, from + max);
    yield runsOfRows(
      some.map(({ series, day }) => ({
        series,
        startMs: day * DAY_MS,
        endMs: day * DAY_MS,
        value: series * 1_000 + day,
        unitId: 7,
        reportingMs: null,
      })),
    );
  }
}

it('passes on each series whole, to be kept, though messages cut through series', async () => {
  const anyLengths = fc.array(fc.nat(40), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(anyLengths, fc.integer({ min: 1, max: 50 }), async (lengths, max) => {
      const requests = lengths.map((_, position) => ({ position, request: keyOf(position) }));
      const series = lengths.map((_, position) => ({ ...keyOf(position), unit_id: 7, selection: 0 }));
      const batches = (async function* () {
        yield* messages(lengths, max);
      })();
      const arrived: (readonly PackedPoints[])[] = [];
      await readBatch({ series, batches }, planBatch(requests), (asking, { runs }) => {
        arrived[asking[0]!.position] = runs;
      });
      const held = arrived.map((runs) => unpackPoints(runs));
      expect(held.map(({ value }) => [...value])).toEqual(
        lengths.map((length, at) => Array.from({ length }, (_, day) => at * 1_000 + day)),
      );
      expect(held.map(({ end_date }) => [...end_date])).toEqual(
        lengths.map((length) => Array.from({ length }, (_, day) => BigInt(day * DAY_MS))),
      );
    }),
    { numRuns: countRuns({ quick: 20, all: 200 }) },
  );
});
