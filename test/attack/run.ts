import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { COUNT, FIGURES, SEED } from '../endurance.js';

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
    tests: [
      ['test/journeys/client-faults.test.ts', 0.9],
      ['test/journeys/client-socket.test.ts', 0.1],
    ],
  },
  requests: {
    title: 'odd and malformed requests',
    count: 50_000,
    tests: [
      ['test/service/random-requests.test.ts', 0.8],
      ['test/service/http/malformed-requests.test.ts', 0.2],
    ],
  },
  kills: {
    title: 'SIGKILLs of importers into a file',
    count: 100,
    tests: [['test/ingest/crash.test.ts', 1]],
  },
  files: {
    title: 'damaged files of every format',
    count: 10_000,
    tests: [['test/ingest/fuzz.test.ts', 1]],
  },
  disks: {
    title: 'imports on disks that are too small',
    count: 20,
    tests: [['test/cli/commands/import-full-disk.test.ts', 1]],
  },
  stalls: {
    title: 'the longest stalls under the heaviest requests',
    count: 0,
    program: 'test/attack/stalls.ts',
  },
  clients: { title: '64 clients, for so many seconds', count: 600, program: 'test/attack/clients.ts' },
};

/** Runs a program with its output shown, or only the lines of figures and, when it fails, all. */
function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  figuresOnly: boolean,
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', figuresOnly ? 'pipe' : 'inherit', figuresOnly ? 'pipe' : 'inherit'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text) => {
        output += String(text);
      });
    child.on('close', (code) => {
      const figures = output.split('\n').flatMap((line) => line.split(`${FIGURES} `)[1] ?? []);
      process.stdout.write(code === 0 ? figures.map((line) => `${line}\n`).join('') : output);
      resolve(code ?? 1);
    });
  });
}

async function attack(
  { count: usual, tests = [], program }: Attack,
  count = usual,
  seed = 1,
): Promise<boolean> {
  if (program !== undefined)
    return (await run(['--import', 'tsx', program, ...(count > 0 ? [String(count)] : [])], {}, false)) === 0;
  for (const [file, share] of tests) {
    const env = { [COUNT]: String(Math.max(1, Math.round(count * share))), [SEED]: String(seed) };
    if ((await run(['node_modules/vitest/vitest.mjs', 'run', file], env, true)) !== 0) return false;
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
const isGood = await attack(chosen, count, seed);
console.log(
  `${isGood ? 'as it must be' : 'FAILED'}, after ${Math.round((performance.now() - startedMs) / 1000)} s`,
);
process.exitCode = isGood ? 0 : 1;
