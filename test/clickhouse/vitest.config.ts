import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/clickhouse/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: 'test/clickhouse/shared-nodes.ts',
    // Threads that the sources start load TypeScript too.
    execArgv: ['--import', resolve('test/typescript-threads.mjs')],
    setupFiles: ['test/shared-worker.ts'],
    isolate: false,
    // A test mostly waits for the servers: two files at once on a machine of two cores.
    maxWorkers: '100%',
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
