import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { runSql } from './run-sql.js';

/** Creates a store whose tables of points are full with so many. */
export async function createDividedStore(path: string, tablePoints: number): Promise<void> {
  await (await openStore(path)).close();
  await runSql(path, `UPDATE meta SET table_points = ${tablePoints}`);
}

/** A store in a file with a table of points for nearly every series. */
export async function openDividedStore(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'divided-'));
  const path = join(folder, 'store.db');
  await createDividedStore(path, 2);
  const store = await openStore(path);
  const close = async (): Promise<void> => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...store, close };
}
