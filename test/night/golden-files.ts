import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** The repositories of golden files, by the variables in which Arrow's own projects name their clones. */
const REPOSITORIES = {
  PARQUET_TEST_DATA: 'https://github.com/apache/parquet-testing',
  ARROW_TEST_DATA: 'https://github.com/apache/arrow-testing',
} as const;

/**
 * Clones the golden files of Parquet and Arrow, unless the environment names clones.
 * @returns why that was not possible, or null
 */
export function prepareGoldenFiles(): string | null {
  for (const [variable, address] of Object.entries(REPOSITORIES)) {
    if (process.env[variable] !== undefined) continue;
    const folder = resolve('node_modules/.cache', variable.toLowerCase());
    if (!existsSync(folder)) {
      const { status } = spawnSync('git', ['clone', '--depth', '1', address, folder], { stdio: 'inherit' });
      if (status !== 0) return `${address} cannot be cloned; name a clone by ${variable}`;
    }
    process.env[variable] = folder;
  }
  return null;
}
