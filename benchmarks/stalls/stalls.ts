import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Endpoint } from '../../src/contract/addresses.js';
import { endpoints } from '../../src/contract/endpoints.js';
import { heavyStore, wideStore } from './heavy-store.js';
import { HEAVY_IMPORTS, sendBackup, sendImport } from './imports.js';
import { HEAVY, type Heavy, PAGES, WIDE, WIDE_AGAIN } from './requests.js';
import type { StallReport } from './stall-server.js';

/**
 * Measures the longest stall of the event loop of a serving process under the heaviest legal request of each endpoint:
 * `node --import tsx benchmarks/stalls/stalls.ts [word]`. The processor time of the main thread in its longest piece of work
 * tells what the service did; the wait also what else the machine was doing.
 */
const MAX_STALL_MS = 50;
const only = process.argv[2] ?? '';

/** Imports and backups are measured as a whole. Charts are drawn in one piece, one at a time. */
const missing = Object.entries(endpoints as Record<string, Endpoint>)
  .filter(([name, { right }]) => right !== 'import' && !/^backup|^chart$/.test(name))
  .filter(([name]) => HEAVY.every(({ endpoint }) => endpoint !== name))
  .map(([name]) => name);
if (missing.length > 0) throw new Error(`no heavy request for ${missing.join(', ')}`);

interface Server {
  readonly url: string;
  ask(message: 'reset' | 'report'): Promise<StallReport>;
  end(): Promise<void>;
}

async function startServer(...argv: string[]): Promise<Server> {
  const program = fileURLToPath(new URL('./stall-server.ts', import.meta.url));
  const profiling = process.execArgv.filter((arg) => arg.startsWith('--cpu-prof'));
  const server: ChildProcess = fork(program, argv, { execArgv: ['--import', 'tsx', ...profiling] });
  const [url] = (await once(server, 'message')) as [string];
  return {
    url,
    async ask(message) {
      server.send(message);
      return ((await once(server, 'message')) as [StallReport])[0];
    },
    async end() {
      server.disconnect();
      await once(server, 'exit');
    },
  };
}

const folder = mkdtempSync(join(tmpdir(), 'cropframe-stalls-'));
const heavy = join(folder, 'heavy.duckdb');
copyFileSync(await heavyStore(), heavy);

function send(
  url: string,
  { path, body, form, accept }: Partial<Heavy> & { path: string },
): Promise<Response> {
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

/** Measures what is asked of a server, and prints a line of it. */
async function measure(
  { ask }: Server,
  [endpoint, what]: readonly [endpoint: string, what: string],
  work: () => Promise<{ status: number | string; bytes: number }>,
): Promise<void> {
  if (!`${endpoint} ${what}`.includes(only)) return;
  await ask('reset');
  const beganMs = performance.now();
  const { status, bytes } = await work();
  const tookMs = performance.now() - beganMs;
  await new Promise((resolve) => setTimeout(resolve, 20));
  const { worstMs, worstOwnMs, worstCpuMs, memoryMiB } = await ask('report');
  if (worstCpuMs > MAX_STALL_MS) process.exitCode = 1;
  const row = [
    worstCpuMs > MAX_STALL_MS ? 'TOO LONG' : '',
    endpoint,
    what,
    String(status),
    (bytes / 1e6).toFixed(1),
    String(Math.round(tookMs)),
    worstMs.toFixed(0),
    worstOwnMs.toFixed(0),
    worstCpuMs.toFixed(0),
    memoryMiB.toFixed(0),
  ];
  console.log(row.join(' | '));
}

async function sendAndRead(url: string, request: Partial<Heavy> & { path: string }) {
  const response = await send(url, request);
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).byteLength;
  return { status: response.status, bytes };
}

async function measureRequests(): Promise<void> {
  const server = await startServer(heavy);
  await sendAndRead(server.url, { path: '/v2/regions/0' });
  for (const one of HEAVY)
    await measure(server, [one.endpoint, one.what], () => sendAndRead(server.url, one));
  for (const { what, path } of PAGES)
    await measure(server, ['page', what], () => sendAndRead(server.url, { path }));
  await server.end();
}

async function measureWide(): Promise<void> {
  // Without the search index that is kept beside the store: the first search builds it.
  const wide = join(folder, 'wide.duckdb');
  copyFileSync(await wideStore(), wide);
  for (const requests of [WIDE, WIDE_AGAIN]) {
    const server = await startServer(wide);
    await sendAndRead(server.url, { path: '/v2/regions/0' });
    for (const one of requests)
      await measure(server, [one.endpoint, one.what], () => sendAndRead(server.url, one));
    await server.end();
  }
}

async function measureBackups(): Promise<void> {
  const server = await startServer(heavy, 'written');
  await measure(server, ['backup', 'the whole store'], () => sendBackup(server.url));
  await server.end();
}

async function measureImports(): Promise<void> {
  for (const isFirst of [true, false]) {
    const server = await startServer(isFirst ? join(folder, 'new.duckdb') : heavy, 'written');
    for (const one of HEAVY_IMPORTS.filter((one) => (one.isFirst ?? false) === isFirst))
      await measure(server, ['import', one.what], async () => ({
        status: await sendImport(server.url, one),
        bytes: 0,
      }));
    await server.end();
  }
}

console.log(
  '| endpoint | request | status | MB | took, ms | worst wait, ms | without waiting for a processor | worst work, ms | memory, MiB',
);
await measureRequests();
await measureWide();
await measureBackups();
await measureImports();
rmSync(folder, { recursive: true });
