import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Endpoint, endpoints } from '../../src/contract/endpoints.js';
import { heavyStore } from './heavy-store.js';
import { HEAVY, type Heavy, PAGES } from './requests.js';
import type { StallReport } from './stall-server.js';

/**
 * Measures the longest stall of the event loop of a serving process under the heaviest legal request of each endpoint:
 * `node --import tsx test/attack/stalls.ts [word]`. The processor time of the main thread in its longest piece of work
 * tells what the service did; the wait also what else the machine was doing.
 */
const MAX_STALL_MS = 50;
const only = process.argv[2] ?? '';

/** Imports are off in the measured service. */
const missing = Object.entries(endpoints as Record<string, Endpoint>)
  .filter(([name, { right }]) => right !== 'import' && HEAVY.every(({ endpoint }) => endpoint !== name))
  .map(([name]) => name);
if (missing.length > 0) throw new Error(`no heavy request for ${missing.join(', ')}`);

const server = fork(fileURLToPath(new URL('./stall-server.ts', import.meta.url)), [await heavyStore()], {
  execArgv: ['--import', 'tsx', ...process.execArgv.filter((arg) => arg.startsWith('--cpu-prof'))],
});
const [url] = (await once(server, 'message')) as [string];

async function ask(message: 'reset' | 'report'): Promise<StallReport> {
  server.send(message);
  return ((await once(server, 'message')) as [StallReport])[0];
}

function send({ path, body, form, accept }: Partial<Heavy> & { path: string }): Promise<Response> {
  const type = form === true ? 'application/x-www-form-urlencoded' : 'application/json';
  return fetch(url + path, {
    headers: {
      'accept-encoding': 'identity',
      ...(accept && { accept }),
      ...(body && { 'content-type': type }),
    },
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
}

async function measure(
  endpoint: string,
  what: string,
  request: Partial<Heavy> & { path: string },
): Promise<void> {
  await ask('reset');
  const beganMs = performance.now();
  const response = await send(request);
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).byteLength;
  const tookMs = performance.now() - beganMs;
  await new Promise((resolve) => setTimeout(resolve, 20));
  const { worstMs, worstOwnMs, worstCpuMs, memoryMiB } = await ask('report');
  const row = [
    worstCpuMs > MAX_STALL_MS ? 'TOO LONG' : '',
    endpoint,
    what,
    String(response.status),
    (bytes / 1e6).toFixed(1),
    String(Math.round(tookMs)),
    worstMs.toFixed(0),
    worstOwnMs.toFixed(0),
    worstCpuMs.toFixed(0),
    memoryMiB.toFixed(0),
  ];
  console.log(row.join(' | '));
}

console.log(
  '| endpoint | request | status | MB | took, ms | worst wait, ms | without waiting for a processor | worst work, ms | memory, MiB',
);
await send({ path: '/v2/regions/0' }).then((response) => response.text());
for (const heavy of HEAVY) {
  if (`${heavy.endpoint} ${heavy.what}`.includes(only)) await measure(heavy.endpoint, heavy.what, heavy);
}
for (const { what, path } of PAGES) if (what.includes(only)) await measure('page', what, { path });
server.disconnect();
