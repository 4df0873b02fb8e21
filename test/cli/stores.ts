import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { copyTemplate } from '../store-templates.js';
import { runCommand, temporaryFolder } from './capture.js';

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
  beforeAll(() => {
    const name = createHash('sha256').update(argv.join(' ')).digest('hex');
    return copyTemplate(name, store, (draft) => importInto(draft, argv));
  });
  return { folder, store };
}

async function importInto(store: string, argv: readonly string[]): Promise<void> {
  const options = ['--store', store, '--rejects', `${store}.csv`];
  const { code, stderr } = await runCommand(['import', ...argv, ...options]);
  if (code !== 0) throw new Error(`the store for this test could not be created: ${stderr}`);
}
