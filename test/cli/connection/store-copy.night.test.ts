import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { withStoreCopy } from '../../../src/cli/actions/update.js';
import type { StoredFetch } from '../../../src/store/import-records.js';
import { openStore } from '../../../src/store/open.js';
import { noSmallDisk, withSmallDisk } from '../../small-disk.js';
import { temporaryFolder } from '../capture.js';

const root = temporaryFolder();
const FETCH: StoredFetch = { dataset: 'nass', request: 'crops', settings: '{}', files: [], fetchedMs: 1 };
let folder: string;
let path: string;

beforeEach(async () => {
  folder = mkdtempSync(join(root, 'store-'));
  path = join(folder, 'farm.duckdb');
  await (await openStore(path)).close();
});

async function remember(store: string): Promise<void> {
  const opened = await openStore(store);
  const transaction = await opened.begin();
  await transaction.record({ fetched: FETCH });
  await transaction.commit();
  await opened.close();
}

async function remembered(): Promise<StoredFetch[]> {
  const store = await openStore(path, { read_only: true });
  const fetches = await store.fetches();
  await store.close();
  return fetches;
}

/** How opening the store ends in another process. */
function openElsewhere(access: 'READ_ONLY' | 'READ_WRITE'): string {
  const script = `
    const { DuckDBInstance } = require('@duckdb/node-api');
    DuckDBInstance.create(${JSON.stringify(path)}, { access_mode: '${access}' })
      .then(() => console.log('opened'), () => console.log('refused'));`;
  return execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).trim();
}

describe('a store changed by a copy', () => {
  it('has all of the step at its end, and keeps its permissions and links', async () => {
    chmodSync(path, 0o600);
    const link = join(folder, 'link.duckdb');
    symlinkSync(path, link);
    expect(await withStoreCopy(link, (copy) => remember(copy))).toBeUndefined();
    expect(await remembered()).toEqual([FETCH]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['farm.duckdb', 'link.duckdb']);
  });

  it('can be read by other processes meanwhile, and not written', async () => {
    const seen = await withStoreCopy(path, async () => [
      openElsewhere('READ_ONLY'),
      openElsewhere('READ_WRITE'),
    ]);
    expect(seen).toEqual(['opened', 'refused']);
    expect(openElsewhere('READ_WRITE')).toBe('opened');
  });
});

describe.skipIf(noSmallDisk !== null)(
  `a store changed by a copy on a full disk (skipped: ${noSmallDisk})`,
  () => {
    it('is as it was when there is no room for the copy, and the error names the store', () =>
      withSmallDisk(statSync(path).size / 1024 + 100, async (disk) => {
        const own = join(disk, 'farm.duckdb');
        copyFileSync(path, own);
        const error = await withStoreCopy(own, remember).catch((reason: Error) => reason);
        expect(error?.message).toMatch(/no space left|farm\.duckdb: the disk is full/);
        expect(error?.message).not.toContain('.update:');
        expect(readdirSync(disk)).toEqual(['farm.duckdb']);
        expect(readFileSync(own).equals(readFileSync(path))).toBe(true);
      }));
  },
);
