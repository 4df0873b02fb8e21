import { strict as assert } from 'node:assert';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { allowAnyone } from '../../src/service/access/auth.js';
import { serve } from '../../src/service/http/serve.js';
import { createService } from '../../src/service/service.js';
import type { Store } from '../../src/store/store.js';
import { quantile } from '../measure.js';
import { rival, type WorkloadMaker, workload } from '../workload.js';
import { openBigStore, POINTS_A_SERIES, SERIES } from './big-store.js';
import { type Answer, type Format, type Reading, type ReadingResult, summed, total } from './reading.js';
import { readPoints } from './store-reading.js';

const assertSame = (ours: Answer, theirs: Answer): void => assert.deepEqual(ours, theirs);

/** The store, served here, and asked from another process. */
async function opened() {
  const store = await openBigStore();
  const serving = await serve(createService(store, { authorize: allowAnyone }), { port: 0 });
  const reader = fork(fileURLToPath(new URL('./reader.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  });
  const ask = (
    label: string,
    requests: Reading['requests'],
    options: { format?: Format; readers?: number } = {},
  ) => askService(reader, label, { url: serving.url, requests, format: 'arrow', readers: 1, ...options });
  const close = async (): Promise<void> => {
    reader.disconnect();
    await serving.close();
    await store.close();
  };
  return { store, ask, close };
}

async function askService(reader: ChildProcess, label: string, reading: Reading): Promise<Answer> {
  reader.send(reading);
  const [{ answer, times }] = (await once(reader, 'message')) as [ReadingResult];
  tellSpread(label, times);
  return answer;
}

/** The same requests straight on the store, as many at once. */
async function askStore(store: Store, requests: Reading['requests'], readers = 1): Promise<Answer> {
  const left = [...requests];
  const times: number[] = [];
  const answers: Answer[] = [];
  const reader = async (): Promise<void> => {
    for (let wanted = left.shift(); wanted !== undefined; wanted = left.shift()) {
      const began = performance.now();
      const batches = await readPoints(store, wanted);
      times.push(performance.now() - began);
      answers.push(summed(batches));
    }
  };
  await Promise.all(Array.from({ length: readers }, reader));
  tellSpread('store', times);
  return total(answers);
}

function tellSpread(label: string, times: readonly number[]): void {
  if (times.length < 50) return;
  console.log(
    `    ${label}: p50 ${quantile(times, 0.5).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`,
  );
}

/** One series a request, other ones each time. */
const singles = (count: number): number[][] =>
  Array.from({ length: count }, (_, call) => [(call * 97) % SERIES]);

/** Series scattered over the whole store. */
const scattered = (count: number): number[] =>
  Array.from({ length: count }, (_, i) => (i * (SERIES / count) + 37) % SERIES);

const WIRE_BYTES_A_POINT = 48;
const bytes = ({ rows }: Answer): number => rows * WIRE_BYTES_A_POINT;
const ON_THE_STORE = 'the same queries straight on the store';

export const workloads: WorkloadMaker[] = [
  async () => {
    const { store, ask, close } = await opened();
    const requests = singles(200);
    return workload<Answer>({
      workload: 'one series of 2,000 points, 200 requests one after another',
      rows: requests.length * POINTS_A_SERIES,
      bytes,
      ours: () => ask('service', requests),
      rivals: [
        rival({
          rival: ON_THE_STORE,
          run: () => askStore(store, requests),
          assertEqual: assertSame,
          wanted: 1 / 2,
        }),
      ],
      close,
    });
  },
  async () => {
    const { store, ask, close } = await opened();
    const requests = [scattered(100)];
    return workload<Answer>({
      workload: '100 scattered series as Arrow',
      rows: 100 * POINTS_A_SERIES,
      bytes,
      ours: () => ask('service', requests),
      rivals: [
        rival({
          rival: 'the same as JSON',
          run: () => ask('as JSON', requests, { format: 'json' }),
          assertEqual: assertSame,
          wanted: 3,
        }),
        rival({ rival: ON_THE_STORE, run: () => askStore(store, requests), assertEqual: assertSame }),
      ],
      close,
    });
  },
  async () => {
    const { store, ask, close } = await opened();
    const requests = singles(320);
    return workload<Answer>({
      workload: '16 concurrent readers, 320 requests for one series',
      rows: requests.length * POINTS_A_SERIES,
      bytes,
      ours: () => ask('service', requests, { readers: 16 }),
      rivals: [
        rival({ rival: ON_THE_STORE, run: () => askStore(store, requests, 16), assertEqual: assertSame }),
      ],
      close,
    });
  },
];
