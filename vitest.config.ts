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
  },
});
