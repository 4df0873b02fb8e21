import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  annualKey,
  DAILY_SERIES,
  dailyKey,
  FIRST_ID,
  HISTORY_KEY,
  heavyStore,
  selectionOf,
} from '../../benchmarks/stalls/heavy-store.js';
import { query } from '../../benchmarks/stalls/requests.js';
import type { StallReport } from '../../benchmarks/stalls/stall-server.js';
import { firstSeed, listCounts } from '../endurance.js';
import { seededRandom } from '../journeys/seeded-random.js';

/**
 * The memory of a serving process under 64 clients, of which some read slowly:
 * `node --import tsx test/attack/clients.ts [seconds] [slow readers]`. It ends with the count of what must not be.
 */
const CLIENTS = 64;
const SECONDS = Number(process.argv[2] ?? 60);
const SLOW_CLIENTS = Number(process.argv[3] ?? 1);
const SEED_OF_REQUESTS = firstSeed(1);
const REPORT_SECONDS = 10;
/** All clients share the places of one holder; on a machine that has no time for the service they wait too long for one. */
const BUSY = '503 with Retry-After';
const GOOD: readonly (number | string)[] = [200, 204, BUSY];

const server = fork(
  fileURLToPath(new URL('../../benchmarks/stalls/stall-server.ts', import.meta.url)),
  [await heavyStore()],
  {
    execArgv: ['--import', 'tsx'],
  },
);
const [url] = (await once(server, 'message')) as [string];

async function ask(message: 'reset' | 'report'): Promise<StallReport> {
  server.send(message);
  return ((await once(server, 'message')) as [StallReport])[0];
}

const random = seededRandom(SEED_OF_REQUESTS);
const any = (count: number) => Math.floor(random() * count);
const selections = () => Array.from({ length: 200 }, () => selectionOf(annualKey(any(10), any(20_000))));

const REQUESTS: readonly (() => [path: string, init?: RequestInit])[] = [
  () => [`/v2/data?${query(dailyKey(any(DAILY_SERIES)))}`],
  () => [
    `/v2/data?${query(dailyKey(any(DAILY_SERIES)))}`,
    { headers: { accept: 'application/vnd.apache.arrow.stream' } },
  ],
  () => [`/v2/data?${query(dailyKey(any(DAILY_SERIES)))}&insertNull=true&startDate=1850-01-01`],
  () => [`/v2/data?${query(HISTORY_KEY)}&showHistory=true&startDate=1960-01-01&endDate=1961-12-31`],
  () => [
    '/v2/data',
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(selections()) },
  ],
  () => [`/v2/search/regions?q=station ${any(20_000)}`],
  () => [`/v2/data_series/list?regionId=${FIRST_ID + any(20_000)}`],
  () => [`/v2/regions?ids=${FIRST_ID + any(20_000)}`],
];

const statuses = new Map<number | string, number>();
let bytes = 0;
const endMs = performance.now() + SECONDS * 1000;

async function client(isSlow: boolean): Promise<void> {
  while (performance.now() < endMs) {
    const [path, init] = REQUESTS[isSlow ? 0 : any(REQUESTS.length)]!();
    try {
      const response = await fetch(url + path, init);
      for await (const chunk of response.body ?? []) {
        bytes += (chunk as Uint8Array).byteLength;
        if (!isSlow) continue;
        await new Promise((resolve) => setTimeout(resolve, 500));
        if (performance.now() > endMs) break;
      }
      const { status } = response;
      const answer = status === 503 && response.headers.has('retry-after') ? BUSY : status;
      statuses.set(answer, (statuses.get(answer) ?? 0) + 1);
    } catch (error) {
      const what = String(error instanceof Error ? (error.cause ?? error) : error).slice(0, 80);
      statuses.set(what, (statuses.get(what) ?? 0) + 1);
    }
  }
}

const start = await ask('report');
console.log(`at rest: ${start.memoryMiB.toFixed(0)} MiB`);
await ask('reset');
const clients = Array.from({ length: CLIENTS }, (_, i) => client(i < SLOW_CLIENTS));
const memory: number[] = [];
const timer = setInterval(async () => {
  const { memoryMiB } = await ask('report');
  memory.push(memoryMiB);
  const left = Math.round((endMs - performance.now()) / 1000);
  console.log(`${left} s left: ${memoryMiB.toFixed(0)} MiB, ${(bytes / 1e6).toFixed(0)} MB read`);
}, REPORT_SECONDS * 1000);
await Promise.all(clients);
clearInterval(timer);
await new Promise((resolve) => setTimeout(resolve, 2000));
const { memoryMiB, worstMs, worstCpuMs } = await ask('report');
const metrics = await (await fetch(`${url}/metrics`)).text();
server.disconnect();

const left = metrics.split('\n').filter((line) => /^cropframe_(requests_(running|waiting)|open)/.test(line));
const answers = [...statuses.values()].reduce((sum, count) => sum + count, 0);
console.log(
  `${CLIENTS} clients, ${SLOW_CLIENTS} slow, for ${SECONDS} s, seed ${SEED_OF_REQUESTS}: ${answers} answers of ${(bytes / 1e6).toFixed(0)} MB ` +
    `(${listCounts(statuses)}); memory ${start.memoryMiB.toFixed(0)} MiB at rest, ${Math.max(...memory).toFixed(0)} at most, ` +
    `${memoryMiB.toFixed(0)} at the end; longest wait ${worstMs.toFixed(0)} ms, longest work ${worstCpuMs.toFixed(0)} ms; ${left.join(', ')}`,
);
process.exitCode = [...statuses.keys()].every((status) => GOOD.includes(status)) ? 0 : 1;
