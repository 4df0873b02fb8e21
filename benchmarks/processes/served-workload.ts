import { dailyStore, POINTS_A_SERIES } from '../stores/daily-store.js';
import { plainPoints } from '../stores/plain-points.js';
import type { StoreShape } from '../stores/synthetic-weather.js';
import { type Figures, maker, type Rival, type WorkloadMaker, workload } from '../workload.js';
import type { Scan, Scanned } from './engine-process.js';
import { engineRival } from './engine-rival.js';
import { type Answered, type Asked, ServiceReader, servedFigures } from './service-reader.js';
import { Worker } from './worker.js';

/** Node compiles a script as it is used: requests take half as long after a thousand as after the first hundred. */
const WARM_UPS = 8;

/** What every workload of a served store has: the reader measures itself. */
export const servedBasics = (series: number) => ({
  rows: series * POINTS_A_SERIES,
  bytes: ({ answer }: Answered) => answer.bytes,
  ownMs: ({ ms }: Answered) => ms,
  peakBytes: ({ peakBytes }: Answered) => peakBytes,
  figures: servedFigures,
  warmUps: WARM_UPS,
});

interface ServedPlan {
  readonly name: string;
  readonly shape: StoreShape;
  readonly asked: Asked;
  /** As many times as fast as the engine it has to be. */
  readonly wanted?: number | undefined;
  readonly option?: string | undefined;
  /** What else is told, of the store's file. */
  readonly figures?: ((file: string) => Figures) | undefined;
  /** False has the engine read the store's own file, of a store too large for a second one. Default true. */
  readonly ofItsOwn?: boolean | undefined;
  /** Rivals beside the engine. */
  readonly rivals?: (() => Promise<{ rivals: Rival<Answered>[]; close: () => Promise<void> }>) | undefined;
}

/** Requests of a process to a served store, against the bare engine in a process of its own. */
export function servedWorkload(plan: ServedPlan): WorkloadMaker {
  const { name, shape, asked, wanted, option, ofItsOwn = true, ...more } = plan;
  const make = async () => {
    const file = await dailyStore(shape);
    const others = await more.rivals?.();
    const reader = await ServiceReader.open(file);
    const engine = new Worker<Scan, Scanned>(new URL('./engine-process.ts', import.meta.url));
    const scan: Scan = {
      file: ofItsOwn ? await plainPoints(shape) : file,
      queries: asked.requests,
      readers: asked.readers,
    };
    await engine.run({ ...scan, prepare: true });
    const basics = servedBasics(asked.requests.flat().length);
    return workload<Answered>({
      workload: name,
      ...basics,
      figures: (first, runs) => ({ ...basics.figures(first, runs), ...more.figures?.(file) }),
      ours: () => reader.ask(asked),
      rivals: [engineRival(engine, scan, wanted), ...(others?.rivals ?? [])],
      close: async () => {
        await Promise.all([reader.close(), engine.close(), others?.close()]);
      },
    });
  };
  return maker(name, make, option);
}
