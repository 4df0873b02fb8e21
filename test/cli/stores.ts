import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { runCommand, temporaryFolder } from './capture.js';
import { TEMPLATES } from './store-templates.js';

/** A store with the demo data set, created before the first test of the file. */
export function demoStore(): { readonly folder: string; readonly store: string } {
  return importedStore(['demo']);
}

/** A store with Quick Stats data: corn of the nation, a state, districts and counties in 2012, one value revised. */
export function quickStatsStore(): { readonly folder: string; readonly store: string } {
  return importedStore(['nass', 'test/fixtures/nass/quick-stats.tsv', '--max-rejects', '100']);
}

/** A copy of the store that the first file of a test run imports. */
function importedStore(argv: readonly string[]): { readonly folder: string; readonly store: string } {
  const folder = temporaryFolder();
  const store = join(folder, 'data.duckdb');
  beforeAll(async () => {
    const name = `${createHash('sha256').update(argv.join(' ')).digest('hex')}.duckdb`;
    const template = join(process.env[TEMPLATES] ?? folder, name);
    if (!existsSync(template)) await importInto(template, argv);
    copyFileSync(template, store);
  });
  return { folder, store };
}

/** Two files may import at once: each renames its own whole store. */
async function importInto(template: string, argv: readonly string[]): Promise<void> {
  const store = `${template}.${process.pid}`;
  const { code, stderr } = await runCommand([
    'import',
    ...argv,
    '--store',
    store,
    '--rejects',
    `${store}.csv`,
  ]);
  if (code !== 0) throw new Error(`the store for this test could not be created: ${stderr}`);
  renameSync(store, template);
}
