import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { serve } from '../../src/service/http/serve.js';
import { createService } from '../../src/service/service.js';
import { openStore } from '../../src/store/open.js';

/** What a serving process measured since the last reset. */
export interface StallReport {
  /** Longest wait of the event loop. Other programs of the machine count too. */
  readonly worstMs: number;
  /** Processor time of the main thread in the longest piece of work. */
  readonly worstCpuMs: number;
  readonly memoryMiB: number;
}

const TICK_MS = 2;

/** Processor time of the main thread so far; Linux only. */
function cpuMs(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

const delay = monitorEventLoopDelay({ resolution: TICK_MS });
delay.enable();
let lastCpuMs = cpuMs();
let worstCpuMs = 0;
setInterval(() => {
  const now = cpuMs();
  worstCpuMs = Math.max(worstCpuMs, now - lastCpuMs);
  lastCpuMs = now;
}, TICK_MS);

const store = await openStore(process.argv[2]!, { readOnly: true });
const serving = await serve(createService(store, { authorize: 'anyone', metrics: true }), { port: 0 });
process.on('message', (message: string) => {
  if (message === 'reset') {
    delay.reset();
    [worstCpuMs, lastCpuMs] = [0, cpuMs()];
    process.send!('done');
    return;
  }
  const memoryMiB = process.memoryUsage.rss() / 2 ** 20;
  process.send!({ worstMs: delay.max / 1e6, worstCpuMs, memoryMiB } satisfies StallReport);
});
process.on('disconnect', () => process.exit());
process.send!(serving.url);
