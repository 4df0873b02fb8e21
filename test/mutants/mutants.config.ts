import { defineConfig } from 'vitest/config';
import { FEW } from '../endurance.js';
import { CheapFirst } from './cheap-first.js';
import { warmThreads } from './warm-thread.js';

/** The tests that must notice, in the copy of the repository that Stryker changes. */
export default defineConfig({
  plugins: [warmThreads()],
  test: {
    include: (process.env.CROPFRAME_MUTANT_TESTS ?? '').split(','),
    globalSetup: 'test/store-templates.ts',
    setupFiles: ['test/mutants/no-mutant.ts', 'test/mutants/fewer-runs.ts'],
    sequence: { sequencer: CheapFirst },
    // What was fast in other runs says nothing here.
    cache: false,
    env: { [FEW]: 'true' },
    isolate: false,
    testTimeout: 60_000,
  },
});
