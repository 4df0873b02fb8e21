import { strict as assert } from 'node:assert';
import { ARROW_STREAM } from '../../src/contract/endpoints.js';
import { decodePointStream } from '../../src/contract/point-decoder.js';
import { decodeSeriesBlocks } from '../../src/contract/series-blocks.js';
import type { SeriesBlock } from '../../src/contract/shapes.js';
import type { PointColumns } from '../../src/model/point.js';
import { openToAll } from '../../src/service/auth.js';
import { createService, serve } from '../../src/service/service.js';
import type { StoredSeries } from '../../src/store/plan.js';
import type { Store } from '../../src/store/store.js';
import { quantile } from '../measure.js';
import { rival, type WorkloadMaker, workload } from '../workload.js';
import { keyOf, openBigStore, POINTS_A_SERIES, SERIES } from './big-store.js';

/** Rows and a sum of values: enough to tell wrong answers, cheap enough not to be measured. */
interface Answer {
  rows: number;
  sum: number;
}

const assertSame = (ours: Answer, theirs: Answer): void => assert.deepEqual(ours, theirs);

async function opened() {
  const store = await openBigStore();
  const serving = await serve(createService(store, { authorize: openToAll }), { port: 0 });
  const close = async (): Promise<void> => {
    await serving.close();
    await store.close();
  };
  return { store, url: serving.url, close };
}

/** Series scattered over the whole store, other ones at every call. */
function scattered(count: number, call: number): number[] {
  const step = Math.floor(SERIES / count);
  return Array.from({ length: count }, (_, i) => (i * step + call * 37) % SERIES);
}

async function fromStore(store: Store, wanted: readonly number[]): Promise<Answer> {
  const found: StoredSeries[] = [];
  const keys = wanted.map(keyOf);
  const selection = {
    metric_id: [2],
    item_id: [...new Set(keys.map((key) => key.item_id))],
    region_id: [...new Set(keys.map((key) => key.region_id))],
    partner_region_id: [0],
  };
  for await (const batch of store.series({ selection, includeHistorical: true })) found.push(...batch);
  const plan = {
    series: found.filter((one) =>
      keys.some((key) => key.item_id === one.item_id && key.region_id === one.region_id),
    ),
    startMs: null,
    endMs: null,
    history: 'latest' as const,
    atMs: null,
    sinceMs: null,
    withAvailableDate: false,
    withMetadata: false,
  };
  const batches: PointColumns[] = [];
  for await (const columns of store.points(plan)) batches.push(columns);
  return summed(batches);
}

function selectionOf(i: number): object {
  const { metric_id, item_id, region_id, source_id, frequency_id } = keyOf(i);
  return {
    metricId: metric_id,
    itemId: item_id,
    regionId: region_id,
    sourceId: source_id,
    frequencyId: frequency_id,
  };
}

function post(url: string, wanted: readonly number[], accept: string): Promise<Response> {
  const body = JSON.stringify(wanted.map(selectionOf));
  return fetch(`${url}/v2/data`, {
    method: 'POST',
    body,
    headers: { accept, 'content-type': 'application/json', 'accept-encoding': 'identity' },
  });
}

async function asArrow(url: string, wanted: readonly number[]): Promise<Answer> {
  const response = await post(url, wanted, ARROW_STREAM);
  const { batches } = await decodePointStream(response.body!, 'points');
  const arrived: PointColumns[] = [];
  for await (const columns of batches) arrived.push(columns);
  return summed(arrived);
}

async function asJson(url: string, wanted: readonly number[]): Promise<Answer> {
  const response = await post(url, wanted, 'application/json');
  return summed(decodeSeriesBlocks((await response.json()) as SeriesBlock[], 'points').batches);
}

function summed(batches: readonly PointColumns[]): Answer {
  let rows = 0;
  let sum = 0;
  for (const { length, value } of batches) {
    rows += length;
    for (let i = 0; i < length; i += 1) sum += value[i]!;
  }
  return { rows, sum: Math.round(sum * 10) / 10 };
}

/** Many single requests in one run; tells how they spread. */
async function singles(
  count: number,
  label: string,
  one: (wanted: number[]) => Promise<Answer>,
): Promise<Answer> {
  const times: number[] = [];
  let whole: Answer = { rows: 0, sum: 0 };
  for (let call = 0; call < count; call += 1) {
    const began = performance.now();
    const { rows, sum } = await one([(call * 97) % SERIES]);
    times.push(performance.now() - began);
    whole = { rows: whole.rows + rows, sum: Math.round((whole.sum + sum) * 10) / 10 };
  }
  console.log(
    `    ${label}: p50 ${quantile(times, 0.5).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`,
  );
  return whole;
}

async function concurrently(
  readers: number,
  each: number,
  one: (wanted: number[]) => Promise<Answer>,
): Promise<Answer> {
  const answers = await Promise.all(
    Array.from({ length: readers }, async (_, reader) => {
      let rows = 0;
      let sum = 0;
      for (let call = 0; call < each; call += 1) {
        const answer = await one([(reader * 613 + call * 97) % SERIES]);
        rows += answer.rows;
        sum += answer.sum;
      }
      return { rows, sum };
    }),
  );
  return {
    rows: answers.reduce((total, { rows }) => total + rows, 0),
    sum: Math.round(answers.reduce((total, { sum }) => total + sum, 0) * 10) / 10,
  };
}

const WIRE_BYTES = (rows: number) => rows * 48;

export const workloads: WorkloadMaker[] = [
  async () => {
    const { store, url, close } = await opened();
    return workload<Answer>({
      workload: 'one series of 2,000 points, 100 requests one after another',
      rows: 100 * POINTS_A_SERIES,
      bytes: ({ rows }) => WIRE_BYTES(rows),
      ours: () => singles(100, 'service, Arrow over a socket', (wanted) => asArrow(url, wanted)),
      rivals: [
        rival({
          rival: 'the same query straight on the store',
          run: () => singles(100, 'store', (wanted) => fromStore(store, wanted)),
          assertEqual: assertSame,
          wanted: 1 / 2,
        }),
      ],
      close,
    });
  },
  async () => {
    const { store, url, close } = await opened();
    const wanted = scattered(100, 1);
    return workload<Answer>({
      workload: '100 scattered series as Arrow',
      rows: 100 * POINTS_A_SERIES,
      bytes: ({ rows }) => WIRE_BYTES(rows),
      ours: () => asArrow(url, wanted),
      rivals: [
        rival({
          rival: 'the same as JSON',
          run: () => asJson(url, wanted),
          assertEqual: assertSame,
          wanted: 3,
        }),
        rival({
          rival: 'the same query straight on the store',
          run: () => fromStore(store, wanted),
          assertEqual: assertSame,
        }),
      ],
      close,
    });
  },
  async () => {
    const { store, url, close } = await opened();
    return workload<Answer>({
      workload: '16 concurrent readers, 20 series each, one a request',
      rows: 320 * POINTS_A_SERIES,
      bytes: ({ rows }) => WIRE_BYTES(rows),
      ours: () => concurrently(16, 20, (wanted) => asArrow(url, wanted)),
      rivals: [
        rival({
          rival: 'the same queries straight on the store',
          run: () => concurrently(16, 20, (wanted) => fromStore(store, wanted)),
          assertEqual: assertSame,
        }),
      ],
      close,
    });
  },
];
