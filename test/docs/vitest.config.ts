import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/docs/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    isolate: false,
    execArgv: ['--import', resolve('test/typescript-threads.mjs')],
    globalSetup: 'test/store-templates.ts',
  },
});
