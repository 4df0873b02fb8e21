import { strict as assert } from 'node:assert';
import { servedWorkload } from '../processes/served-workload.js';
import { type Answered, ServiceReader } from '../processes/service-reader.js';
import { dailyStore, POINTS_A_SERIES, storeBytes, wholeStore } from '../stores/daily-store.js';
import type { Wanted } from '../stores/engine.js';
import { scattered, singles } from '../stores/selections.js';
import type { StoreShape } from '../stores/synthetic-weather.js';
import { type Figures, type Rival, rival, type WorkloadMaker } from '../workload.js';

/** Millions of points in a store, and the option with which the store is made and measured. */
const SIZES = [[10], [100, 'million-100'], [1_000, 'million-1000']] as const;
const SMALLEST = SIZES[0][0];
/** A store may be this much slower than one a tenth or a hundredth of its size. */
const FLAT = 0.67;

const shapeOf = (millions: number): StoreShape => wholeStore((millions * 1e6) / POINTS_A_SERIES);

const ASKED: Readonly<Record<string, (shape: StoreShape) => Wanted[]>> = {
  'one series, 200 requests in a row': (shape) => singles(200, shape),
  '100 scattered series': (shape) => [scattered(100, shape)],
};

/** The same requests to the smallest store: its series have as many points. */
async function smallestStore(requestsOf: (shape: StoreShape) => Wanted[]) {
  const shape = shapeOf(SMALLEST);
  const reader = await ServiceReader.open(await dailyStore(shape));
  const rivals: Rival<Answered>[] = [
    rival<Answered, Answered>({
      rival: `the same of a store of ${SMALLEST} million points`,
      run: () => reader.ask({ requests: requestsOf(shape) }),
      ownMs: ({ ms }) => ms,
      assertEqual: (ours, theirs) => assert.equal(ours.answer.rows, theirs.answer.rows),
      wanted: FLAT,
    }),
  ];
  return { rivals, close: () => reader.close() };
}

const bytesAPoint =
  (millions: number) =>
  (file: string): Figures => ({
    'bytes a point on disk': Number((storeBytes(file) / (millions * 1e6)).toPrecision(3)),
  });

export const workloads: WorkloadMaker[] = SIZES.flatMap(([millions, option]) =>
  Object.entries(ASKED).map(([what, requestsOf]) =>
    servedWorkload({
      name: `${what}, of a store of ${millions.toLocaleString('en-US')} million points`,
      shape: shapeOf(millions),
      asked: { requests: requestsOf(shapeOf(millions)) },
      option,
      ofItsOwn: false,
      figures: bytesAPoint(millions),
      rivals: option === undefined ? undefined : () => smallestStore(requestsOf),
    }),
  ),
);
