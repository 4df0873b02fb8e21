import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ghcnByYearFile } from '../../benchmarks/import-files.js';
import {
  annualKey,
  dailyKey,
  heavyStore,
  ITEMS,
  REGIONS,
  selectionOf,
} from '../../benchmarks/stalls/heavy-store.js';
import { type MemoryCgroup, makeMemoryCgroup } from './memory-cgroup.js';

/**
 * An import, and then a service with 64 clients, each within the memory of a small container:
 * `npm run attack -- container --count MIB`. The kernel must kill neither.
 */
const MEBIBYTES = Number(process.argv[2] ?? 512);
const IMPORTED_ROWS = 12_000_000;
const CLIENTS = 64;
const SECONDS = 60;

const cgroup = makeMemoryCgroup(MEBIBYTES);
if (cgroup === null) {
  console.log('left out: this user cannot make a memory cgroup (root and cgroup v1 are needed)');
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'cropframe-container-'));
try {
  const [imported, served] = [await importFile(cgroup), await serveClients(cgroup)];
  console.log(
    `container of ${MEBIBYTES} MiB: ${imported}; ${served}; ${cgroup.kills()} killed by the kernel`,
  );
  if (cgroup.kills() > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
  cgroup.remove();
}

function start(group: MemoryCgroup, args: readonly string[]): ChildProcess {
  const [program, ...rest] = group.wrapped([process.execPath, 'dist/cli/main.js', ...args]);
  return spawn(program!, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function importFile(group: MemoryCgroup): Promise<string> {
  const file = await ghcnByYearFile(IMPORTED_ROWS);
  const importer = start(group, ['import', 'ghcnd', file.path, '--store', join(folder, 'store.duckdb')]);
  importer.stdout!.resume();
  const [code, signal] = await once(importer, 'exit');
  file.close();
  if (code !== 0) process.exitCode = 1;
  return `import of ${IMPORTED_ROWS} rows ended with ${code ?? signal}`;
}

async function serveClients(group: MemoryCgroup): Promise<string> {
  const service = start(group, [
    'serve',
    '--store',
    await heavyStore(),
    '--no-auth',
    '--port',
    '0',
    '--log',
    'none',
  ]);
  let url = '';
  for await (const line of createInterface({ input: service.stdout! })) {
    url = /http:\/\/\S+/.exec(line)?.[0] ?? '';
    if (url !== '') break;
  }
  const statuses = new Map<number | string, number>();
  const endMs = performance.now() + SECONDS * 1000;
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => ask(url, { client, endMs, statuses })));
  const wasAlive = service.exitCode === null && service.signalCode === null;
  service.kill();
  await once(service, 'exit').catch(() => {});
  if (!wasAlive) process.exitCode = 1;
  const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  return `${CLIENTS} clients of 1,000 series and of a century's days: ${counts}, the service ${wasAlive ? 'alive' : 'dead'}`;
}

interface Asking {
  readonly client: number;
  readonly endMs: number;
  readonly statuses: Map<number | string, number>;
}

async function ask(url: string, { client, endMs, statuses }: Asking): Promise<void> {
  for (let request = client; performance.now() < endMs; request += CLIENTS) {
    const keys = request % 2 === 0 ? annualKeys(request) : [dailyKey(request % 40)];
    try {
      const response = await fetch(`${url}/v2/data`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/vnd.apache.arrow.stream' },
        body: JSON.stringify(keys.map(selectionOf)),
      });
      await response.arrayBuffer();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    } catch (error) {
      const what = String((error as Error).message);
      statuses.set(what, (statuses.get(what) ?? 0) + 1);
      return;
    }
  }
}

function annualKeys(first: number) {
  return Array.from({ length: 1000 }, (_, i) => annualKey((first + i) % ITEMS, (first * 1000 + i) % REGIONS));
}
