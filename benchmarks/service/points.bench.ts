import { assertSameTotal } from '../processes/engine-rival.js';
import { servedBasics, servedWorkload } from '../processes/served-workload.js';
import { type Answered, type Asked, ServiceReader } from '../processes/service-reader.js';
import type { Measured } from '../processes/tasks.js';
import { dailyStore, WHOLE } from '../stores/daily-store.js';
import { scattered, singles } from '../stores/selections.js';
import { maker, rival, type WorkloadMaker, workload } from '../workload.js';

const one = (name: string, asked: Asked, wanted?: number): WorkloadMaker =>
  servedWorkload({ name: `one series, ${name}`, shape: WHOLE, asked, wanted });

const requests = (count: number) => singles(count, WHOLE);

const arrowOrJson = maker('100 scattered series as Arrow', async (name) => {
  const reader = await ServiceReader.open(await dailyStore(WHOLE));
  const requests = [scattered(100, WHOLE)];
  return workload<Answered>({
    workload: name,
    ...servedBasics(100),
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
  one('200 requests in a row', { requests: requests(200) }, 1 / 2),
  one('200 tables in a row from the client', { requests: requests(200), format: 'table' }),
  one('320 requests of 16 readers at once', { requests: requests(320), readers: 16 }),
  one('640 requests of 64 readers at once', { requests: requests(640), readers: 64 }),
  arrowOrJson,
];
