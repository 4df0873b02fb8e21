import { existsSync, readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Test folders with a package.json of their own install much and run long: they are stages of `npm run verify`. */
const STAGES = readdirSync('test').filter((name) => existsSync(`test/${name}/package.json`));

/**
 * Rooms whose tests hold nothing but memory: their files share workers. Every other file has a process of its own,
 * because a store or a server that a test leaves behind can block a worker for good.
 */
const SHARED = [
  'charts',
  'columns',
  'compute',
  'contract',
  'frame',
  'model',
  'search',
  'agronomy/degree-days',
  'agronomy/weights',
].map((shelf) => `test/${shelf}/**/*.test.ts`);

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
          include: ['test/**/*.test.ts'],
          exclude: [...EXCLUDED, ...SHARED],
          globalSetup: 'test/cli/store-templates.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'shared',
          include: SHARED,
          exclude: EXCLUDED,
          isolate: false,
        },
      },
    ],
  },
});
