import { deepStrictEqual } from 'node:assert';
import { copyFileSync, rmSync } from 'node:fs';
import { Child, type Measured } from './child.js';
import type { Print, Scan } from './engine-child.js';
import type { Retrieval } from './frame-child.js';
import { rival, type WorkloadMaker, workload } from './measure.js';
import { DAYS, ServedStore, weatherFiles } from './weather.js';

interface Asked {
  readonly count: number;
  readonly form: 'long' | 'wide';
  readonly place: 'loopback' | 'embedded';
}

const getDf = ({ count, form, place }: Asked): WorkloadMaker => {
  const name = `${count.toLocaleString('en-US')} series × ${DAYS.toLocaleString('en-US')} points, ${form}, ${place}`;
  return {
    name,
    async make() {
      const { store, plain } = await weatherFiles();
      const served = place === 'loopback' ? await ServedStore.start(store) : null;
      const copy = `${store}.copy`;
      if (served === null) copyFileSync(store, copy);
      const queries = [Array.from({ length: count }, (_, i) => 1_000 + i)];
      const retrieval: Retrieval = {
        ...{ url: served?.url ?? null, store: copy, queries, readers: 1 },
        compress_format: form === 'wide',
      };
      const ours = new Child<Retrieval, Print>(new URL('./frame-child.ts', import.meta.url));
      const engine = new Child<Scan, Print>(new URL('./engine-child.ts', import.meta.url));
      return workload<Measured<Print>>({
        name,
        rows: count * DAYS,
        ours: () => ours.run(retrieval),
        ownMs: ({ ms }) => ms,
        ownPeak: ({ peakBytes }) => peakBytes,
        rivals: [
          rival<Measured<Print>, Measured<Print>>({
            name: 'bare engine scan',
            run: () => engine.run({ plain, queries, readers: 1 }),
            ownMs: ({ ms }) => ms,
            assertEqual: (one, other) => deepStrictEqual(one.answer, other.answer),
          }),
        ],
        async close() {
          await Promise.all([ours.close(), engine.close(), served?.close()]);
          for (const file of [copy, `${copy}.wal`]) rmSync(file, { force: true });
        },
      });
    },
  };
};

export const workloads: readonly WorkloadMaker[] = [10, 1_000, 8_000].flatMap((count) =>
  (['long', 'wide'] as const).flatMap((form) =>
    (['loopback', 'embedded'] as const).map((place) => getDf({ count, form, place })),
  ),
);
