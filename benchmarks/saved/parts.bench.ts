import { strict as assert } from 'node:assert';
import { quantile } from '../measure.js';
import type { Scan, Scanned } from '../processes/engine-process.js';
import type { Parts, PartsTask } from '../processes/parts-process.js';
import type { Measured } from '../processes/tasks.js';
import { Worker } from '../processes/worker.js';
import { dailyStore, POINTS_A_SERIES, WHOLE } from '../stores/daily-store.js';
import { plainPoints } from '../stores/plain-points.js';
import { neighbouring } from '../stores/selections.js';
import { type Figures, maker, rival, type WorkloadMaker, workload } from '../workload.js';

const COUNT = 1_000;

/** `getDf` over a socket, client and service in one process so that its parts add up; each part is run by itself too. */
const parts = (form: 'long' | 'wide'): WorkloadMaker =>
  maker(`parts of getDf of 1,000 neighbouring series × 2,000 points, ${form}`, async (name) => {
    const file = await dailyStore(WHOLE);
    const wanted = neighbouring(COUNT, WHOLE);
    const worker = new Worker<PartsTask, Parts>(new URL('../processes/parts-process.ts', import.meta.url));
    const engine = new Worker<Scan, Scanned>(new URL('../processes/engine-process.ts', import.meta.url));
    const scan: Scan = { file: await plainPoints(WHOLE), queries: [wanted] };
    await engine.run({ ...scan, prepare: true });
    return workload<Measured<Parts>>({
      workload: name,
      rows: COUNT * POINTS_A_SERIES,
      bytes: () => 0,
      ours: () => worker.run({ file, wanted, compress_format: form === 'wide' }),
      ownMs: ({ answer }) => answer.whole,
      peakBytes: ({ peakBytes }) => peakBytes,
      figures: (_, runs) => mediansOf(runs.map(({ answer }) => answer)),
      rivals: [
        rival<Measured<Parts>, Measured<Scanned>>({
          rival: 'bare engine scan',
          run: () => engine.run(scan),
          ownMs: ({ ms }) => ms,
          assertEqual: (_, { answer }) => assert.equal(answer.rows, COUNT * POINTS_A_SERIES),
        }),
      ],
      close: async () => {
        await Promise.all([worker.close(), engine.close()]);
      },
    });
  });

function mediansOf(runs: readonly Parts[]): Figures {
  const names = ['store', 'encode', 'transfer', 'decode', 'frame'] as const;
  const median = (name: keyof Parts): number =>
    Math.round(
      quantile(
        runs.map((run) => run[name]),
        0.5,
      ),
    );
  return Object.fromEntries(names.map((name) => [`${name} ms`, median(name)]));
}

export const workloads: WorkloadMaker[] = [parts('long'), parts('wide')];
