import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measure } from './measure.js';
import { isPythonMissed } from './python.js';
import { environment, storeResults, tableOf } from './results.js';
import type { BenchResult, WorkloadMaker } from './workload.js';

const HERE = new URL('.', import.meta.url);

const benchFiles = (room: string): string[] =>
  readdirSync(new URL(`${room}/`, HERE)).filter((file) => file.endsWith('.bench.ts'));

const ROOMS = readdirSync(HERE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && benchFiles(entry.name).length > 0)
  .map(({ name }) => name);

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    renew: { type: 'boolean', default: false },
    'million-100': { type: 'boolean', default: false },
    'million-1000': { type: 'boolean', default: false },
  },
});
const only = values.only === undefined ? null : new RegExp(values.only, 'i');
const given = Object.entries(values).flatMap(([name, value]) => (value === true ? [name] : []));

/** Runs every room's benchmarks, each room in a process of its own; a room that fails does not stop the others. */
function runAll(): void {
  for (const room of ROOMS) {
    const argv = [...process.execArgv, fileURLToPath(import.meta.url), room];
    const options = given.map((name) => `--${name}`);
    const { status } = spawnSync(process.execPath, [...argv, ...options], { stdio: 'inherit' });
    if (status === 0) continue;
    console.error(`the benchmarks of ${room} failed; its results stay as they were`);
    process.exitCode = 1;
  }
}

/** Runs one room's benchmarks. With `--only` the results are printed, and stored only with `--renew`. */
async function runRoom(room: string): Promise<void> {
  const results: BenchResult[] = [];
  const known = environment();
  for (const file of benchFiles(room).sort()) {
    const { workloads } = (await import(new URL(`${room}/${file}`, HERE).href)) as {
      workloads: WorkloadMaker[];
    };
    for (const make of workloads) results.push(...(await runOne(make, { file, environment: known })));
  }
  console.log(`\n${tableOf(results)}`);
  const some = only !== null || isPythonMissed();
  if (only === null || values.renew) storeResults(room, results, { given, some });
}

async function runOne(
  make: WorkloadMaker,
  { file, environment }: { file: string; environment: string },
): Promise<BenchResult[]> {
  const { option } = make;
  if (option !== undefined && !given.includes(option)) return [];
  if (make.workload !== undefined && only?.test(make.workload) === false) return [];
  const one = await make();
  try {
    if (only?.test(one.workload) === false) return [];
    console.log(`${file}: ${one.workload}`);
    const measured = await measure(one, environment);
    for (const { rival, ratio, oursMs, rivalMs, figures } of measured) {
      console.log(`  ${rival}: ${ratio} (ours ${oursMs} ms, rival ${rivalMs} ms)`);
      for (const [name, figure] of Object.entries(figures)) console.log(`    ${name}: ${figure}`);
    }
    return measured.map((result) => ({ ...result, option }));
  } finally {
    await one.close?.();
  }
}

const [room] = positionals;
if (room === 'all') runAll();
else if (room !== undefined && ROOMS.includes(room)) await runRoom(room);
else throw new RangeError(`which room? npm run bench -- ${[...ROOMS, 'all'].join(' | ')}`);
