import { deepStrictEqual } from 'node:assert';
import { Child, type Measured } from './child.js';
import type { Print, Scan } from './engine-child.js';
import type { Retrieval } from './frame-child.js';
import { rival, type WorkloadMaker, workload } from './measure.js';
import { DAYS, SERIES, ServedStore, weatherFiles } from './weather.js';

/** Requests for one series each, from all over the store. */
const requests = (count: number, readers: number): WorkloadMaker => {
  const name = `${count} requests for one series, ${readers === 1 ? 'in a row' : `${readers} readers`}`;
  return {
    name,
    async make() {
      const { store, plain } = await weatherFiles();
      const served = await ServedStore.start(store);
      const queries = Array.from({ length: count }, (_, i) => [(i * 97) % SERIES]);
      const ours = new Child<Retrieval, Print>(new URL('./frame-child.ts', import.meta.url));
      const engine = new Child<Scan, Print>(new URL('./engine-child.ts', import.meta.url));
      return workload<Measured<Print>>({
        name,
        rows: count * DAYS,
        ours: () => ours.run({ url: served.url, store, queries, readers, compress_format: false }),
        ownMs: ({ ms }) => ms,
        ownPeak: ({ peakBytes }) => peakBytes,
        rivals: [
          rival<Measured<Print>, Measured<Print>>({
            name: 'bare engine, a query each',
            run: () => engine.run({ plain, queries, readers }),
            ownMs: ({ ms }) => ms,
            assertEqual: (one, other) => deepStrictEqual(one.answer, other.answer),
          }),
        ],
        close: () => Promise.all([ours.close(), engine.close(), served.close()]),
      });
    },
  };
};

export const workloads: readonly WorkloadMaker[] = [requests(200, 1), requests(320, 16)];
