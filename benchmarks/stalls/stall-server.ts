import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { hostImports } from '../../src/ingest/import-host.js';
import { hashToken } from '../../src/service/access/auth.js';
import { serve } from '../../src/service/http/serve.js';
import { createService } from '../../src/service/service.js';
import { openStore } from '../../src/store/open.js';

/** What a serving process measured since the last reset. */
export interface StallReport {
  /** Longest wait of the event loop. Other programs of the machine count too. */
  readonly worstMs: number;
  /** The same without the time in which the main thread waited for a processor. */
  readonly worstOwnMs: number;
  /** Processor time of the main thread in the longest piece of work. */
  readonly worstCpuMs: number;
  readonly memoryMiB: number;
}

const TICK_MS = 2;

interface Moment {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly queuedMs: number;
}

/** Time so far, and how much of it the main thread ran, and waited for a processor; Linux only. */
function now(): Moment {
  const [ran, queued] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return { wallMs: performance.now(), cpuMs: Number(ran) / 1e6, queuedMs: Number(queued) / 1e6 };
}

const delay = monitorEventLoopDelay({ resolution: TICK_MS });
delay.enable();
let last = now();
let [worstCpuMs, worstOwnMs] = [0, 0];
setInterval(() => {
  const { wallMs, cpuMs, queuedMs } = now();
  worstCpuMs = Math.max(worstCpuMs, cpuMs - last.cpuMs);
  worstOwnMs = Math.max(worstOwnMs, wallMs - last.wallMs - (queuedMs - last.queuedMs));
  last = { wallMs, cpuMs, queuedMs };
}, TICK_MS);

/** All rights. */
const TOKEN = 'attacker';
const isWritten = process.argv[3] === 'written';
const store = await openStore(process.argv[2]!, { read_only: !isWritten });
const token = { hash: hashToken(TOKEN), name: 'attacker', email: null, createdMs: 0 };
if (isWritten)
  await store.access.putToken({
    ...token,
    ...{ expiresMs: null, revokedMs: null, rights: ['read', 'import', 'administer'] },
  });
const imports = isWritten ? await hostImports() : undefined;
const service = createService(store, { authorize: 'anyone', metrics: true, imports });
const serving = await serve(service, { port: 0 });
process.on('message', (message: string) => {
  if (message === 'reset') {
    delay.reset();
    [worstCpuMs, worstOwnMs, last] = [0, 0, now()];
    process.send!('done');
    return;
  }
  const memoryMiB = process.memoryUsage.rss() / 2 ** 20;
  process.send!({ worstMs: delay.max / 1e6, worstOwnMs, worstCpuMs, memoryMiB } satisfies StallReport);
});
process.on('disconnect', async () => {
  await imports?.close();
  process.exit();
});
process.send!(serving.url);
