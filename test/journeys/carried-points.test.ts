import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/client/http/request.js';
import type { SeriesAnswer } from '../../src/client/points/series-points.js';
import { type PackedPoints, sliceRun, unpackPoints } from '../../src/columns/packed-points.js';
import { singleTokenAuthorizer } from '../../src/service/access/auth.js';
import { createService } from '../../src/service/service.js';
import type { Store } from '../../src/store/store.js';
import { cornSeries, fillWithCorn } from './corn-states.js';
import { AT_ONCE, TOKEN, useDemoService } from './demo-service.js';
import { overBytes } from './other-forms.js';

const SERIES = cornSeries(60);
const WAYS = [
  ['in process', (service: Fetch) => service],
  ['over bytes', overBytes],
] as const;
const ONCE = { ...AT_ONCE, retries: 0 };

const corn = useDemoService(fillWithCorn(60, 2000));

async function fetchAll(fetch: Fetch): Promise<SeriesAnswer[]> {
  const arrived: SeriesAnswer[] = [];
  const { seriesPoints } = corn.serviceClient({ fetch, retry: ONCE });
  await seriesPoints.begin().fetch(SERIES, {
    onArrival(position, answer) {
      arrived[position] = answer;
    },
    onFailure(_, cause) {
      throw cause;
    },
  });
  return arrived;
}

/** Each series and a digest of its points. */
const pointsOf = (answers: readonly SeriesAnswer[]) =>
  answers.map(({ series, runs }) => {
    const { start_date, end_date, value, unit_id, reporting_date } = unpackPoints(runs);
    const digest = createHash('sha256');
    for (const column of [start_date, end_date, value, unit_id, reporting_date]) digest.update(column);
    return { series, points: value.length, digest: digest.digest('hex') };
  });

/** A service over a store whose reading of points is observed, and fails after some lists. */
function observed(
  failsAfter = Number.POSITIVE_INFINITY,
  cut = (list: readonly PackedPoints[]) => [list],
): {
  service: Fetch;
  asked: () => number;
  open: () => number;
} {
  let open = 0;
  let asked = 0;
  async function* points(...given: Parameters<Store['points']>): ReturnType<Store['points']> {
    open++;
    asked++;
    let lists = 0;
    try {
      for await (const list of corn.store.points(...given)) {
        for (const part of cut(list)) {
          if (lists++ === failsAfter) throw new Error('the disk is gone');
          yield part;
        }
      }
    } finally {
      open--;
    }
  }
  const store: Store = Object.assign(Object.create(corn.store) as Store, { points });
  const service = createService(store, { authorize: singleTokenAuthorizer(TOKEN) });
  return { service, asked: () => asked, open: () => open };
}

describe('points of a service in the same process', () => {
  it('are those that its bytes have, and no bytes are made', async () => {
    const answers: Response[] = [];
    const inProcess = await fetchAll(async (request) => {
      const response = await corn.service(request);
      answers.push(response);
      return response;
    });
    expect(pointsOf(inProcess)).toEqual(pointsOf(await fetchAll(overBytes(corn.service))));
    expect(answers.map(({ bodyUsed, status }) => [bodyUsed, status])).toEqual([[false, 200]]);
    expect(answers[0]!.headers.get('content-type')).toBe('application/vnd.cropframe.runs');
  });

  it("are the receiver's: what it writes there is seen by nobody else", async () => {
    for (const { runs } of await fetchAll(corn.service)) for (const { value } of runs) value.fill(-1);
    const again = await fetchAll(corn.service);
    expect(pointsOf(again)).toEqual(pointsOf(await fetchAll(overBytes(corn.service))));
  });

  it.each(WAYS)('break off with the same error when the store fails (%s)', async (_, over) => {
    const { service, open } = observed(1, ([run]) => [[sliceRun(run!, 0, 9)], [sliceRun(run!, 9, 10)]]);
    const client = corn.client({ fetch: over(service), retry: ONCE });
    await expect(client.getDataPointsTable(SERIES[0]!)).rejects.toMatchObject({
      code: 'network',
      message: 'points: the connection broke before the response was complete: the disk is gone',
    });
    expect(open()).toBe(0);
  });

  it.each(WAYS)('are requested again from where the store failed (%s)', async (_, over) => {
    const { service, asked } = observed(1);
    const arrived = await fetchAll(over(service));
    expect(pointsOf(arrived)).toEqual(pointsOf(await fetchAll(corn.service)));
    expect(asked()).toBe(2);
  });

  it.each(WAYS)('end the reading of the store when the client is aborted (%s)', async (_, over) => {
    const { service, open } = observed();
    const stop = new AbortController();
    const { seriesPoints } = corn.serviceClient({ fetch: over(service), retry: ONCE });
    const fetching = seriesPoints.begin().fetch(SERIES, {
      onArrival: () => stop.abort(new Error('enough')),
      onFailure: () => {},
      signal: stop.signal,
    });
    await expect(fetching).rejects.toThrow('enough');
    await expect.poll(open).toBe(0);
  });

  it('end the reading of the store when nobody reads a long answer', async () => {
    const { service, open } = observed();
    const { metric_id, item_id, source_id, frequency_id } = SERIES[0]!;
    const regions = SERIES.filter((series) => series.item_id === item_id);
    const query = `metricId=${metric_id}&itemId=${item_id}&sourceId=${source_id}&frequencyId=${frequency_id}${regions.map(({ region_id }) => `&regionId=${region_id}`).join('')}`;
    for (const accept of ['vnd.cropframe.runs', 'vnd.apache.arrow.stream', 'json']) {
      const headers = { accept: `application/${accept}`, authorization: `Bearer ${TOKEN}` };
      const response = await service(new Request(`http://service.invalid/v2/data?${query}`, { headers }));
      expect(open()).toBe(1);
      await response.body!.cancel();
      expect(open()).toBe(0);
    }
  });

  it('are read from the bytes when somebody has read a copy of the answer, and lost to a later reader', async () => {
    let bytes = 0;
    const logging: Fetch = async (request) => {
      const response = await corn.service(request);
      bytes += (await response.clone().arrayBuffer()).byteLength;
      return response;
    };
    const expected = pointsOf(await fetchAll(corn.service));
    expect(pointsOf(await fetchAll(logging))).toEqual(expected);
    expect(bytes).toBeGreaterThan(1_000_000);
    const copies: Promise<ArrayBuffer>[] = [];
    const copying: Fetch = async (request) => {
      const response = await corn.service(request);
      copies.push(response.clone().arrayBuffer());
      return response;
    };
    expect(pointsOf(await fetchAll(copying))).toEqual(expected);
    expect((await copies[0]!).byteLength).toBe(bytes);
    const answers: Response[] = [];
    const keeping: Fetch = async (request) => {
      const response = await corn.service(request);
      answers.push(response);
      return response;
    };
    expect(pointsOf(await fetchAll(keeping))).toEqual(expected);
    await expect(answers[0]!.arrayBuffer()).rejects.toThrow('have already been read');
  });
});
