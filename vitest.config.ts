import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Test folders with a package.json or a configuration of their own need much: they are stages of `npm run verify`. */
const STAGES = readdirSync('test').filter((name) =>
  ['package.json', 'vitest.config.ts'].some((file) => existsSync(`test/${name}/${file}`)),
);

/**
 * Tests of the whole: client, service and store together, and the command; and those of a room that take five seconds or more
 * and need not run at every change, such as the store's conformance with many tables of points, threads that read files, processes
 * that are killed, and how `verify` runs. `npm test` leaves them to `npm run verify`.
 */
const WHOLE = [
  'test/journeys/**/*.test.ts',
  'test/cli/**/*.test.ts',
  'test/store/duckdb/divided-points.test.ts',
  'test/store/duckdb/layout.test.ts',
  'test/agronomy/iowa-degree-days.test.ts',
  'test/frame/formats/danfo-types.test.ts',
  'test/ingest/batch/colliding-names.test.ts',
  'test/ingest/crash.test.ts',
  'test/ingest/row-account.test.ts',
  'test/package/public-types.test.ts',
  'test/ingest/thread/*.test.ts',
  'test/verify/*.test.ts',
];
const NOT_HERE = ['**/node_modules/**', ...STAGES.map((name) => `test/${name}/**`)];

export default defineConfig({
  test: {
    // For what hangs. A test of five seconds takes one of forty where other stages and their threads share two cores.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    // Vitest's own second is over before a busy machine has done anything.
    expect: { poll: { timeout: 20_000 } },
    // Vitest leaves one core to its main process, which is idle while tests run: half of a machine of two.
    maxWorkers: '100%',
    // Loading the modules, the engine and the region tree again takes longer than most files run.
    isolate: false,
    // Threads that the sources start load TypeScript too.
    execArgv: ['--import', resolve('test/typescript-threads.mjs')],
    setupFiles: ['test/shared-worker.ts'],
    globalSetup: 'test/store-templates.ts',
    projects: [
      {
        extends: true,
        test: { name: 'rooms', include: ['test/**/*.test.ts'], exclude: [...NOT_HERE, ...WHOLE] },
      },
      { extends: true, test: { name: 'whole', include: WHOLE, exclude: NOT_HERE } },
    ],
  },
});
