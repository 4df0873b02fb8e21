import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { measure } from './measure.js';
import { environment, storeResults, tableOf } from './results.js';
import type { BenchResult, WorkloadMaker } from './workload.js';

const HERE = new URL('.', import.meta.url);
const ROOMS = readdirSync(HERE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'results')
  .map(({ name }) => name);

/** Runs every room's benchmarks, each room in a process of its own; a room that fails does not stop the others. */
function runAll(): void {
  for (const room of ROOMS) {
    const argv = [...process.execArgv, fileURLToPath(import.meta.url), room];
    const { status } = spawnSync(process.execPath, argv, { stdio: 'inherit' });
    if (status === 0) continue;
    console.error(`the benchmarks of ${room} failed; its results stay as they were`);
    process.exitCode = 1;
  }
}

/**
 * Runs one room's benchmarks: `npm run bench -- <room> [part of a workload's name]`. With a part of a name the results
 * are printed and not stored.
 */
async function runRoom(room: string, part: string | undefined): Promise<void> {
  const files = readdirSync(new URL(`${room}/`, HERE)).filter((file) => file.endsWith('.bench.ts'));
  const results: BenchResult[] = [];
  const known = environment();
  for (const file of files.sort()) {
    const { workloads } = (await import(new URL(`${room}/${file}`, HERE).href)) as {
      workloads: WorkloadMaker[];
    };
    for (const make of workloads) {
      const one = await make();
      if (part !== undefined && !one.workload.includes(part)) {
        await one.close?.();
        continue;
      }
      console.log(`${file}: ${one.workload}`);
      const measured = await measure(one, known);
      await one.close?.();
      for (const { rival, ratio, oursMs, rivalMs } of measured) {
        console.log(`  ${rival}: ${ratio} (ours ${oursMs} ms, rival ${rivalMs} ms)`);
      }
      results.push(...measured);
    }
  }
  console.log(`\n${tableOf(results)}`);
  if (part === undefined) storeResults(room, results);
}

const [room, part] = process.argv.slice(2);
if (room === 'all') runAll();
else if (room !== undefined && ROOMS.includes(room)) await runRoom(room, part);
else throw new RangeError(`which room? npm run bench -- ${[...ROOMS, 'all'].join(' | ')}`);
