import { existsSync, readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Test folders with a package.json of their own install much and run long: they are stages of `npm run verify`. */
const STAGES = readdirSync('test').filter((name) => existsSync(`test/${name}/package.json`));

/** Tests of the command replace streams, environment and signals of their process: each file has one of its own. */
const ISOLATED = ['test/cli/**/*.test.ts'];

const EXCLUDED = ['**/node_modules/**', ...STAGES.map((name) => `test/${name}/**`)];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Vitest leaves one core to its main process, which is idle while tests run: half of a machine of two.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ISOLATED,
          exclude: EXCLUDED,
          globalSetup: 'test/cli/store-templates.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...EXCLUDED, ...ISOLATED],
          isolate: false,
        },
      },
    ],
  },
});
