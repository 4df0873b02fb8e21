import { strict as assert } from 'node:assert';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Table } from 'apache-arrow';
import { createClient } from '../../src/create-client.js';
import { frameBytes } from '../../src/frame/summary.js';
import { openToAll } from '../../src/service/auth.js';
import { createService, serve } from '../../src/service/service.js';
import type { Store } from '../../src/store/store.js';
import { keyOf, openBigStore, type StoreShape, WHOLE } from '../service/big-store.js';
import { readPoints } from '../service/store-reading.js';
import { type Rival, rival, type Workload, type WorkloadMaker, workload } from '../workload.js';
import type { FrameRead, FrameReading } from './frame-reader.js';
import { type Total, totalOfFrame, totalOfPoints } from './totals.js';

/** Every day of a thousand of ten thousand series, and the whole of a store whose series lack days. */
const GAPS: StoreShape = { series: 1_600, days: 9_000, share: 0.97 };

interface Asked {
  readonly shape: StoreShape;
  readonly wanted: readonly number[];
  readonly compress_format: boolean;
}

function asked(shape: StoreShape, count: number, compress_format: boolean): Asked {
  const wanted = Array.from({ length: count }, (_, i) => Math.floor((i * shape.series) / count));
  return { shape, wanted, compress_format };
}

function rowsOf({ shape, wanted }: Asked): number {
  return Math.round(wanted.length * shape.days * shape.share);
}

function nameOf({ shape, wanted, compress_format }: Asked, where: string): string {
  const series = wanted.length.toLocaleString('en-US');
  const days = `${shape.days.toLocaleString('en-US')} days${shape.share === 1 ? '' : ' with gaps'}`;
  return `getDf of ${series} series × ${days}, ${compress_format ? 'wide' : 'long'}, ${where}`;
}

function storeAlone(store: Store, wanted: readonly number[]): Rival<{ total: Total }> {
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

/** Store, service, client and frame in one process. */
const inOneProcess = (one: Asked) => async (): Promise<Workload> => {
  const store = await openBigStore(one.shape);
  const client = createClient({
    api_host: 'http://embedded',
    access_token: 'bench',
    fetch: createService(store, { authorize: openToAll }),
  });
  for (const i of one.wanted) client.addSingleDataSeries(keyOf(i));
  return workload<{ table: Table; total: Total }>({
    workload: nameOf(one, 'all in one process'),
    rows: rowsOf(one),
    bytes: ({ table }) => frameBytes(table),
    ours: async () => {
      const table = await client.getDf({ compress_format: one.compress_format });
      return { table, total: totalOfFrame(table) };
    },
    rivals: [storeAlone(store, one.wanted)],
    close: () => store.close(),
  });
};

/** The process that calls `getDf` has the client alone: store and service are in another. */
const inAClient = (one: Asked) => async (): Promise<Workload> => {
  const store = await openBigStore(one.shape);
  const serving = await serve(createService(store, { authorize: openToAll }), { port: 0 });
  const reader = fork(fileURLToPath(new URL('./frame-reader.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx', '--expose-gc'],
  });
  const reading: FrameReading = {
    url: serving.url,
    series: one.wanted.map(keyOf),
    compress_format: one.compress_format,
  };
  return workload<FrameRead>({
    workload: nameOf(one, 'the client alone'),
    rows: rowsOf(one),
    bytes: ({ bytes }) => bytes,
    ours: () => readElsewhere(reader, reading),
    peakBytes: ({ peakBytes }) => peakBytes,
    rivals: [storeAlone(store, one.wanted)],
    close: async () => {
      reader.disconnect();
      await serving.close();
      await store.close();
    },
  });
};

async function readElsewhere(reader: ChildProcess, reading: FrameReading): Promise<FrameRead> {
  reader.send(reading);
  const [read] = (await once(reader, 'message')) as [FrameRead];
  return read;
}

const SMALL = [false, true].map((compress_format) => asked(WHOLE, 1_000, compress_format));
const LARGE = [asked(WHOLE, 8_000, true), asked(GAPS, GAPS.series, true)];

export const workloads: WorkloadMaker[] = [
  ...SMALL.map(inOneProcess),
  ...LARGE.map(inOneProcess),
  ...SMALL.map(inAClient),
  ...LARGE.map(inAClient),
];
