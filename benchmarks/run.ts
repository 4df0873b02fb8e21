import { existsSync, readdirSync } from 'node:fs';
import { measure } from './measure.js';
import { environment, storeResults, tableOf } from './results.js';
import type { BenchResult, WorkloadMaker } from './workload.js';

/**
 * Runs one room's benchmarks: `npm run bench -- <room> [part of a workload's name]`. With a part of a name the results
 * are printed and not stored.
 */
async function main(room: string | undefined, part: string | undefined): Promise<void> {
  const here = new URL('.', import.meta.url);
  const rooms = readdirSync(here, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'results')
    .map(({ name }) => name);
  if (room === undefined || !existsSync(new URL(`${room}/`, here)) || !rooms.includes(room)) {
    throw new RangeError(`which room? npm run bench -- ${rooms.join(' | ')}`);
  }
  const files = readdirSync(new URL(`${room}/`, here)).filter((file) => file.endsWith('.bench.ts'));
  const results: BenchResult[] = [];
  const known = environment();
  for (const file of files.sort()) {
    const { workloads } = (await import(new URL(`${room}/${file}`, here).href)) as {
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

await main(process.argv[2], process.argv[3]);
