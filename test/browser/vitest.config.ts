import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // Files share a browser, the service of the made-up farm, and what their worker has loaded.
    globalSetup: 'test/browser/setup.ts',
    isolate: false,
    maxWorkers: 2,
    // A machine that is busy with other stages takes its time to draw.
    expect: { poll: { timeout: 20_000 } },
  },
});
