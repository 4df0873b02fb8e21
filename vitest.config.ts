import { existsSync, readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Test folders with a package.json of their own install much and run long: they are stages of `npm run verify`. */
const STAGES = readdirSync('test').filter((name) => existsSync(`test/${name}/package.json`));

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...STAGES.map((name) => `test/${name}/**`)],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Vitest leaves one core to its main process, which is idle while tests run: half of a machine of two.
    maxWorkers: '100%',
    // Loading the modules, the engine and the region tree again takes longer than most files run.
    isolate: false,
    setupFiles: ['test/shared-worker.ts'],
    globalSetup: 'test/store-templates.ts',
  },
});
