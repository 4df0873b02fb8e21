import { strict as assert } from 'node:assert';
import { quantile } from '../measure.js';
import type { Scan, Scanned } from '../processes/engine-process.js';
import type { Measured } from '../processes/tasks.js';
import { Worker } from '../processes/worker.js';
import { dailyStore, WHOLE } from '../stores/daily-store.js';
import type { Wanted } from '../stores/engine.js';
import { plainPoints } from '../stores/plain-points.js';
import { neighbouring, scattered } from '../stores/selections.js';
import type { StoreShape } from '../stores/synthetic-weather.js';
import { type Figures, maker, rival, type WorkloadMaker, workload } from '../workload.js';
import { frameGetter, type Got, type Place } from './frame-getter.js';

/** Series that lack days, each other ones. */
const GAPS: StoreShape = { series: 1_600, days: 9_000, share: 0.97 };
/** As many times the engine's time as ours may take. */
const WANTED = 1 / 3;

interface Asked {
  readonly shape: StoreShape;
  readonly count: number;
  readonly placement: keyof typeof PLACED;
  readonly form: 'long' | 'wide';
  readonly place: Place;
}

const PLACED = { neighbouring, scattered };

function nameOf({ shape, count, placement, form, place }: Asked): string {
  const days = `${shape.days.toLocaleString('en-US')} points${shape.share === 1 ? '' : ' with gaps'}`;
  return `getDf of ${count.toLocaleString('en-US')} ${placement} series × ${days}, ${form}, ${place}`;
}

const getDf = (asked: Asked): WorkloadMaker =>
  maker(nameOf(asked), async (name) => {
    const file = await dailyStore(asked.shape);
    const wanted = PLACED[asked.placement](asked.count, asked.shape);
    const getter = await frameGetter({ file, wanted, compress_format: asked.form === 'wide' }, asked.place);
    const engine = new Worker<Scan, Scanned>(new URL('../processes/engine-process.ts', import.meta.url));
    const scan: Scan = { file: await plainPoints(asked.shape), queries: [wanted] };
    await engine.run({ ...scan, prepare: true });
    const ownScan = await scanOfStore(file, wanted);
    return workload<Got>({
      workload: name,
      rows: Math.round(asked.count * asked.shape.days * asked.shape.share),
      bytes: ({ answer }) => answer.bytes,
      ours: () => getter.get(),
      ownMs: ({ ms }) => ms,
      peakBytes: ({ peakBytes }) => peakBytes,
      figures: (first, runs) => ({ ...ownFigures(first, runs), ...ownScan }),
      rivals: [
        rival<Got, Measured<Scanned>>({
          rival: 'bare engine scan',
          run: () => engine.run(scan),
          ownMs: ({ ms }) => ms,
          assertEqual: (ours, theirs) => {
            assert.deepEqual(ours.answer.fingerprint, theirs.answer.fingerprint);
            assert.equal(theirs.answer.fingerprint!.points, theirs.answer.rows);
          },
          figures: (first, runs) => ({
            'scan CPU ms': median(runs.map(({ cpuMs }) => cpuMs)),
            'scan peak MB': megabytes(first.peakBytes),
          }),
          wanted: WANTED,
        }),
      ],
      close: async () => {
        await getter.close();
        await engine.close();
      },
    });
  });

/** What the engine takes for the store's own table, which is laid out in another way than the rival's. */
async function scanOfStore(file: string, wanted: Wanted): Promise<Figures> {
  const engine = new Worker<Scan, Scanned>(new URL('../processes/engine-process.ts', import.meta.url));
  const scan: Scan = { file, queries: [wanted] };
  await engine.run({ ...scan, prepare: true });
  const times: number[] = [];
  while (times.length < 5) times.push((await engine.run(scan)).ms);
  await engine.close();
  return { 'scan of the store’s own table ms': Number(quantile(times, 0.5).toPrecision(3)) };
}

function ownFigures(first: Got, runs: readonly Got[]): Figures {
  return {
    'first ms': Math.round(first.ms),
    'CPU ms': median(runs.map(({ cpuMs, service }) => cpuMs + (service?.cpuMs ?? 0))),
    ...(first.service ? { 'service peak MB': megabytes(first.service.peakBytes) } : {}),
  };
}

const median = (values: readonly number[]): number => Math.round(quantile(values, 0.5));

const megabytes = (bytes: number): number => Math.round(bytes / 1e6);

const COUNTS = [10, 100, 1_000, 8_000];
const PLACES = ['loopback', 'embedded'] as const;
const PLACEMENTS = ['neighbouring', 'scattered'] as const;
const FORMS = ['long', 'wide'] as const;

export const workloads: WorkloadMaker[] = [
  ...COUNTS.flatMap((count) =>
    PLACEMENTS.flatMap((placement) =>
      FORMS.flatMap((form) => PLACES.map((place) => getDf({ shape: WHOLE, count, placement, form, place }))),
    ),
  ),
  getDf({ shape: GAPS, count: GAPS.series, placement: 'neighbouring', form: 'wide', place: 'loopback' }),
];
