import { strict as assert } from 'node:assert';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { allowAnyone } from '../../src/service/access/auth.js';
import { serve } from '../../src/service/http/serve.js';
import { createService } from '../../src/service/service.js';
import type { Store } from '../../src/store/store.js';
import { openBigStore, type StoreShape, WHOLE } from '../service/big-store.js';
import { readPoints } from '../service/store-reading.js';
import { type Rival, rival, type WorkloadMaker, workload } from '../workload.js';
import type { FrameRead, FrameReading } from './frame-reader.js';
import { totalOfPoints } from './totals.js';

/** Series that lack days, each other ones. */
const GAPS: StoreShape = { series: 1_600, days: 9_000, share: 0.97 };

type Asked = Omit<FrameReading, 'url'>;

function asked(shape: StoreShape, count: number, compress_format: boolean): Asked {
  const wanted = Array.from({ length: count }, (_, i) => Math.floor((i * shape.series) / count));
  return { shape, wanted, compress_format };
}

function nameOf({ shape, wanted, compress_format }: Asked, where: string): string {
  const series = wanted.length.toLocaleString('en-US');
  const days = `${shape.days.toLocaleString('en-US')} days${shape.share === 1 ? '' : ' with gaps'}`;
  return `getDf of ${series} series × ${days}, ${compress_format ? 'wide' : 'long'}, ${where}`;
}

function storeAlone(store: Store, wanted: readonly number[]): Rival<FrameRead> {
  return rival({
    rival: 'reading the same points from the store alone',
    run: () => readPoints(store, wanted),
    assertEqual: ({ total: { values, sum } }, batches) => {
      const expected = totalOfPoints(batches);
      assert.equal(values, expected.values);
      assert.ok(Math.abs(sum - expected.sum) < 1e-9 * expected.values);
    },
  });
}

/**
 * `getDf` in a process of its own: with the client alone, which asks this one over a socket, or with the store and the
 * service beside it.
 */
const getDf = (one: Asked, alone: boolean) => async () => {
  const store = await openBigStore(one.shape);
  const serving = alone ? await serve(createService(store, { authorize: allowAnyone }), { port: 0 }) : null;
  const reader = fork(fileURLToPath(new URL('./frame-reader.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx', '--expose-gc'],
  });
  return workload<FrameRead>({
    workload: nameOf(one, alone ? 'the client alone' : 'all in one process'),
    rows: Math.round(one.wanted.length * one.shape.days * one.shape.share),
    bytes: ({ bytes }) => bytes,
    ours: async () => {
      reader.send({ ...one, url: serving?.url ?? null } satisfies FrameReading);
      const [read] = (await once(reader, 'message')) as [FrameRead];
      return read;
    },
    peakBytes: ({ peakBytes }) => peakBytes,
    rivals: [storeAlone(store, one.wanted)],
    close: async () => {
      reader.kill();
      await serving?.close();
      await store.close();
    },
  });
};

const ASKED = [
  asked(WHOLE, 1_000, false),
  asked(WHOLE, 1_000, true),
  asked(WHOLE, 8_000, true),
  asked(GAPS, GAPS.series, true),
];

export const workloads: WorkloadMaker[] = [true, false].flatMap((alone) =>
  ASKED.map((one) => getDf(one, alone)),
);
