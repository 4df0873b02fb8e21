import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Copies the store with the content of `fill`, which runs once for each name, to `path`. */
export function copyFilledStore(
  name: string,
  path: string,
  fill: (store: Store) => Promise<unknown>,
): Promise<void> {
  return copyTemplate(name, path, async (draft) => {
    const empty = await openStore(draft);
    await fill(empty).finally(() => empty.close());
  });
}

/** A store of its own with the content of `fill`, which runs once for each name. */
export async function openFilledStore(
  name: string,
  fill: (store: Store) => Promise<unknown>,
): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-store-'));
  const path = join(folder, 'data.duckdb');
  await copyFilledStore(name, path, fill);
  const store = await openStore(path);
  return {
    ...store,
    close: () => store.close().finally(() => rmSync(folder, { recursive: true, force: true })),
  };
}
