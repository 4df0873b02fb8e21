import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { LogLevel, MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { kernelsWithin, type Part, testPatterns } from './kernels.js';

/** What a run costs and keeps. */
export interface MutantOptions {
  /** Processes that try mutants at once. */
  readonly concurrency: number;
  /** Whether to try again what an earlier run has tried with the same code and tests. */
  readonly isForced: boolean;
  /** Whether modules load again for each mutant, because they keep what they have computed. */
  readonly isFresh: boolean;
  /** What a mutant may take beside three times what its tests take: a busy machine must not pass for an endless loop. */
  readonly timeoutMs: number;
}

/** Folders that no test of a kernel reads. */
const NOT_COPIED = [
  '/docs',
  '/notebooks',
  '/benchmarks',
  '/dist',
  '/coverage',
  'node_modules',
  'tsconfig.json',
];

/**
 * Changes the code of a part in every way that Stryker knows, one at a time, and runs the tests that reach the change. Among
 * the results are those of earlier runs of the kernel's other files.
 */
export async function tryMutants(part: Part, options: MutantOptions): Promise<MutantResult[]> {
  const folder = join(tmpdir(), 'cropframe-mutants');
  const sandboxes = join(folder, `${process.pid}`);
  mkdirSync(sandboxes, { recursive: true });
  const packages = join(sandboxes, 'node_modules');
  if (!existsSync(packages)) symlinkSync(realpathSync('node_modules'), packages);
  process.env.CROPFRAME_MUTANT_TESTS = testPatterns(part.kernel).join(',');
  if (options.isFresh) process.env.CROPFRAME_MUTANT_FRESH = 'true';
  const stryker = new Stryker({
    mutate: [
      ...part.paths.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.ts`)),
      ...kernelsWithin(part.kernel).map(({ name }) => `!src/${name}/**/*.ts`),
    ],
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutants/mutants.config.ts', related: false },
    plugins: ['@stryker-mutator/vitest-runner', resolve('test/mutants/ignorers.mjs')],
    ignorers: ['messages', 'super-calls', 'kept-shapes'],
    coverageAnalysis: 'perTest',
    concurrency: options.concurrency,
    timeoutMS: options.timeoutMs,
    timeoutFactor: 3,
    dryRunTimeoutMinutes: 20,
    incremental: true,
    // Results of the other files of the kernel stay in it.
    incrementalFile: join(folder, `${part.kernel.name.replaceAll('/', '-')}.json`),
    force: options.isForced,
    tempDirName: join(sandboxes, 'sandboxes'),
    cleanTempDir: 'always',
    symlinkNodeModules: false,
    disableTypeChecks: false,
    ignorePatterns: NOT_COPIED,
    reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    logLevel: 'warn' as LogLevel,
  });
  try {
    return await stryker.runMutationTest();
  } finally {
    rmSync(sandboxes, { recursive: true, force: true });
  }
}
