import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { COUNT, ENDURANCE, FIGURES, SEED } from '../endurance.js';

/**
 * One attack of a size and seed of your own: `npm run attack -- faults --count 10000 --seed 7`. It prints the figures, and
 * exits with 1 when anything was not as it must be.
 */
interface Attack {
  readonly title: string;
  readonly count: number;
  /** Tests, and how many of `count` each of them tries. */
  readonly tests?: readonly (readonly [file: string, share: number])[];
  /** A program, which takes the count as its argument. */
  readonly program?: string;
}

const ATTACKS: Readonly<Record<string, Attack>> = {
  faults: {
    title: 'faults of the network under retrievals of frames',
    count: 10_000,
    tests: [['test/journeys/client-faults.test.ts', 1]],
  },
  requests: {
    title: 'odd and malformed requests',
    count: 50_000,
    tests: [
      ['test/service/random-requests.test.ts', 0.8],
      ['test/service/http/malformed-requests.test.ts', 0.2],
    ],
  },
  files: {
    title: 'damaged files of every format',
    count: 10_000,
    tests: [['test/ingest/fuzz.night.test.ts', 1]],
  },
  disks: {
    title: 'imports on disks that are too small',
    count: 20,
    tests: [['test/cli/commands/import-full-disk.night.test.ts', 1]],
  },
  stalls: {
    title: 'the longest stalls under the heaviest requests',
    count: 0,
    program: 'benchmarks/stalls/stalls.ts',
  },
  clients: { title: '64 clients, for so many seconds', count: 600, program: 'test/attack/clients.ts' },
  container: {
    title: 'an import, and a service with 64 clients, in a container of so many MiB',
    count: 512,
    program: 'test/attack/container.ts',
  },
};

const TYPESCRIPT = ['--import', 'tsx'];

/** Runs a program with its output shown. @returns whether it found nothing wrong */
async function runProgram(file: string, count: number, env: NodeJS.ProcessEnv): Promise<boolean> {
  const args = [...TYPESCRIPT, file, ...(count > 0 ? [String(count)] : [])];
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  return (await once(child, 'close'))[0] === 0;
}

/** Runs a test, and shows its figures; all of its output when it failed. @returns whether it passed */
async function runTest(file: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', file], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += String(text);
    });
  const [code] = (await once(child, 'close')) as [number | null];
  const figures = output.split('\n').flatMap((line) => line.split(`${FIGURES} `)[1] ?? []);
  console.log(code === 0 ? figures.join('\n') : output);
  return code === 0;
}

async function attack({ tests = [], program }: Attack, count: number, seed: number): Promise<boolean> {
  const env = { ...process.env, [ENDURANCE]: 'true', [SEED]: String(seed) };
  if (program !== undefined) return runProgram(program, count, env);
  for (const [file, share] of tests) {
    const size = String(Math.max(1, Math.round(count * share)));
    if (!(await runTest(file, { ...env, [COUNT]: size }))) return false;
  }
  return true;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string' }, seed: { type: 'string' } },
});
const [count, seed] = [values.count, values.seed].map((text) =>
  text === undefined ? undefined : Number(text),
);
const chosen = positionals.length === 1 ? ATTACKS[positionals[0]!] : undefined;
if (chosen === undefined || [count, seed].some((number) => number !== undefined && !(number >= 0))) {
  console.error('usage: npm run attack -- PART [--count N] [--seed S], where PART is one of');
  for (const [name, { title, count: usual }] of Object.entries(ATTACKS))
    console.error(`  ${name.padEnd(10)}${title}${usual > 0 ? `; ${usual} by default` : ''}`);
  process.exit(2);
}
console.log(`${chosen.title} (${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores)`);
const startedMs = performance.now();
const isGood = await attack(chosen, count ?? chosen.count, seed ?? 1);
console.log(
  `${isGood ? 'as it must be' : 'FAILED'}, after ${Math.round((performance.now() - startedMs) / 1000)} s`,
);
process.exitCode = isGood ? 0 : 1;
