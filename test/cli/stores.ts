import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { allowAnyone } from '../../src/service/access/auth.js';
import { type Serving, serve } from '../../src/service/http/serve.js';
import { createService } from '../../src/service/service.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { copyRegionStore, copyTemplate } from '../store-templates.js';
import { type Ending, type RunOptions, runCommand, temporaryFolder } from './capture.js';

/** A store with the demo data set, created before the first test of the file. */
export function demoStore(): { readonly folder: string; readonly store: string } {
  return importedStore(['demo']);
}

/** A store with Quick Stats data: corn of the nation, a state, districts and counties in 2012, one value revised. */
export function quickStatsStore(): { readonly folder: string; readonly store: string } {
  return importedStore(['nass', 'test/fixtures/nass/quick-stats.tsv', '--max-rejects', '100']);
}

/** Runs commands that ask a service of the store: opening a store takes longer than most commands. */
export function asking(of: {
  readonly store: string;
}): (argv: readonly string[], options?: RunOptions) => Promise<Ending> {
  let store: Store;
  let serving: Serving;
  beforeAll(async () => {
    store = await openStore(of.store, { read_only: true });
    serving = await serve(createService(store, { authorize: allowAnyone }), { port: 0 });
  });
  afterAll(async () => {
    await serving?.close();
    await store?.close();
  });
  return (argv, options) =>
    runCommand(argv, { ...options, env: { CROPFRAME_HOST: serving.url, API_TOKEN: 'any', ...options?.env } });
}

/** A copy of the store that the first file of a test run imports. */
function importedStore(argv: readonly string[]): { readonly folder: string; readonly store: string } {
  const folder = temporaryFolder();
  const store = join(folder, 'data.duckdb');
  beforeAll(() => {
    const name = createHash('sha256').update(argv.join(' ')).digest('hex');
    return copyTemplate(name, store, async (draft) => {
      await copyRegionStore(draft);
      await importInto(draft, argv);
    });
  });
  return { folder, store };
}

async function importInto(store: string, argv: readonly string[]): Promise<void> {
  const options = ['--store', store, '--rejects', `${store}.csv`];
  const { code, stderr } = await runCommand(['import', ...argv, ...options]);
  if (code !== 0) throw new Error(`the store for this test could not be created: ${stderr}`);
}
