import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importDataset } from '../src/ingest/import-dataset.js';
import { readReferenceData } from '../src/ingest/reference-data.js';
import { loadSearchIndex } from '../src/search/load-index.js';
import { openStore } from '../src/store/open.js';
import type { Store } from '../src/store/store.js';

/** The environment variable that names a folder for stores that several test files copy. */
const TEMPLATES = 'CROPFRAME_TEST_TEMPLATES';

/** Vitest calls it before the first test of a run: makes the folder, and removes it after the last. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-templates-'));
  process.env[TEMPLATES] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** A store's file, and the index of its regions that it keeps beside it: indexing them takes longer than most tests. */
const ENDINGS = ['.search-regions', ''];

/**
 * Copies the store of this name to `path`. The first of a run that needs it creates it; two workers may do so at once,
 * and each renames its own whole store.
 */
export async function copyTemplate(
  name: string,
  path: string,
  create: (path: string) => Promise<unknown>,
): Promise<void> {
  const folder = process.env[TEMPLATES];
  if (folder === undefined) throw new Error(`run by vitest's configuration, which sets ${TEMPLATES}`);
  const template = join(folder, `${name}.duckdb`);
  if (!existsSync(template)) {
    const draft = `${template}.${process.pid}`;
    await create(draft);
    const filled = await openStore(draft, { read_only: true });
    await loadSearchIndex('regions', filled).finally(() => filled.close());
    for (const ending of ENDINGS)
      if (existsSync(draft + ending)) renameSync(draft + ending, template + ending);
  }
  for (const ending of ENDINGS)
    if (existsSync(template + ending)) copyFileSync(template + ending, path + ending);
}

/** Copies a store that has what every importer brings: faster to import into. */
export function copyRegionStore(path: string): Promise<void> {
  return copyTemplate('regions', path, async (draft) => {
    const read = () => readReferenceData([]);
    const store = await openStore(draft);
    const regions = importDataset(store, { dataset: 'regions', summary: '', needsFiles: false, read });
    await regions.finally(() => store.close());
  });
}

/** Copies the store with the regions and the content of `fill`, which runs once for each name, to `path`. */
export function copyFilledStore(
  name: string,
  path: string,
  fill: (store: Store) => Promise<unknown>,
): Promise<void> {
  return copyTemplate(name, path, async (draft) => {
    await copyRegionStore(draft);
    const store = await openStore(draft);
    await fill(store).finally(() => store.close());
  });
}

/** Opens a store of its own with the regions and the content of `fill`, which runs once for each name. */
export const openFilledStore = (name: string, fill: (store: Store) => Promise<unknown>): Promise<Store> =>
  openCopy((path) => copyFilledStore(name, path, fill));

/** Opens a store of its own that has what every importer brings. */
export const openRegionStore = (): Promise<Store> => openCopy(copyRegionStore);

async function openCopy(copyTo: (path: string) => Promise<void>): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-store-'));
  const path = join(folder, 'data.duckdb');
  await copyTo(path);
  const store = await openStore(path);
  return {
    ...store,
    close: () => store.close().finally(() => rmSync(folder, { recursive: true, force: true })),
  };
}
