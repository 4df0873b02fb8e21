import type { Scan, Scanned } from '../processes/engine-process.js';
import { assertSameTotal, engineRival } from '../processes/engine-rival.js';
import { type Answered, type Asked, ServiceReader, servedFigures } from '../processes/service-reader.js';
import type { Measured } from '../processes/tasks.js';
import { Worker } from '../processes/worker.js';
import { dailyStore, POINTS_A_SERIES, WHOLE } from '../stores/daily-store.js';
import type { Wanted } from '../stores/engine.js';
import { maker, rival, type WorkloadMaker, workload } from '../workload.js';

/** One series a request, other ones each time. */
const singles = (count: number): Wanted[] =>
  Array.from({ length: count }, (_, call) => [(call * 97) % WHOLE.series]);

/** Series scattered over the whole store. */
const scattered = (count: number): Wanted =>
  Array.from({ length: count }, (_, i) => Math.floor(((i + 0.5) * WHOLE.series) / count));

const WIRE_BYTES_A_POINT = 48;

const common = (rows: number) => ({
  rows,
  bytes: ({ answer }: Answered) => answer.rows * WIRE_BYTES_A_POINT,
  ownMs: ({ ms }: Answered) => ms,
  peakBytes: ({ peakBytes }: Answered) => peakBytes,
  figures: servedFigures,
});

/** Single series asked of a served store, against the bare engine in a process of its own. */
const singleSeries = (name: string, asked: Asked, wanted?: number): WorkloadMaker =>
  maker(name, async () => {
    const file = await dailyStore(WHOLE);
    const reader = await ServiceReader.open(file);
    const engine = new Worker<Scan, Scanned>(new URL('../processes/engine-process.ts', import.meta.url));
    const { requests, readers } = asked;
    return workload<Answered>({
      workload: name,
      ...common(requests.length * POINTS_A_SERIES),
      ours: () => reader.ask(asked),
      rivals: [engineRival(engine, { file, queries: requests, readers }, wanted)],
      close: async () => {
        await reader.close();
        await engine.close();
      },
    });
  });

const arrowOrJson = maker('100 scattered series as Arrow', async (name) => {
  const reader = await ServiceReader.open(await dailyStore(WHOLE));
  const requests = [scattered(100)];
  return workload<Answered>({
    workload: name,
    ...common(100 * POINTS_A_SERIES),
    ours: () => reader.ask({ requests }),
    rivals: [
      rival<Answered, Measured<{ rows: number; sum: number }>>({
        rival: 'the same as JSON',
        run: () => reader.ask({ requests, format: 'json' }),
        ownMs: ({ ms }) => ms,
        assertEqual: assertSameTotal,
        wanted: 3,
      }),
    ],
    close: () => reader.close(),
  });
});

export const workloads: WorkloadMaker[] = [
  singleSeries('one series, 200 requests in a row', { requests: singles(200) }, 1 / 2),
  singleSeries('one series, 200 tables in a row from the client', {
    requests: singles(200),
    format: 'table',
  }),
  singleSeries('one series, 320 requests of 16 readers at once', { requests: singles(320), readers: 16 }),
  singleSeries('one series, 640 requests of 64 readers at once', { requests: singles(640), readers: 64 }),
  arrowOrJson,
];
