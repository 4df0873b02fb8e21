import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Progress } from '../../../../src/model/progress.js';
import { restoreStore } from '../../../../src/store/duckdb/backup/backup.js';
import { openStore } from '../../../../src/store/open.js';
import type { Store } from '../../../../src/store/store.js';
import { countRuns } from '../../../endurance.js';
import { seededRandom } from '../../../journeys/seeded-random.js';
import { noSmallDisk, withSmallDisk } from '../../../small-disk.js';
import { temporaryFolder } from '../../../temporary-files.js';
import { allSeries, importVintages, newPoints, readRows } from '../../conformance/sample-data.js';

const VINTAGES = [
  { day: 0, value: 1 },
  { day: 0, value: 2, available: 200 },
  { day: 1, value: null },
  { day: 2, value: 5 },
];

const DAMAGES = countRuns({ quick: 8, all: 24 });

const folder = temporaryFolder();
const [path, backup] = [join(folder, 'farm.db'), join(folder, "the farm's backup.db")];

async function withStore<Result>(
  location: string,
  work: (store: Store) => Promise<Result>,
  options: { read_only?: boolean } = {},
): Promise<Result> {
  const store = await openStore(location, options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const contentOf = (location: string) =>
  withStore(location, (store) =>
    Promise.all([
      allSeries(store),
      readRows(store, { history: 'complete' }),
      store.lookup('regions', null, { limit: 99 }),
      store.sourceImports(),
    ]),
  );

beforeAll(async () => {
  await withStore(path, (store) => importVintages(store, VINTAGES));
  await withStore(path, (store) => store.backup(backup), { read_only: true });
});

describe('a backup', () => {
  it('holds the store, and is a store itself', async () => {
    const versionOf = (location: string) => withStore(location, (store) => store.version());
    expect(await versionOf(backup)).toBe(await versionOf(path));
    expect(await contentOf(backup)).toEqual(await contentOf(path));
    expect(await withStore(backup, (store) => store.findFaults())).toEqual([]);
  });

  it('is made while the store is read and written, without what is not committed', async () => {
    const [own, copy] = [join(folder, 'own.db'), join(folder, 'own-backup.db')];
    await withStore(own, async (store) => {
      await importVintages(store, VINTAGES);
      const before = await store.version();
      const transaction = await store.begin();
      await transaction.putPoints(newPoints([{ day: 9, value: 9 }]));
      const [{ points }, rows] = await Promise.all([store.backup(copy), readRows(store, {})]);
      expect(points).toBe(4);
      expect(rows.map(({ value }) => value)).toEqual([2, null, 5]);
      await transaction.commit();
      expect(await withStore(copy, (copied) => copied.version())).toBe(before);
    });
  });

  it('reports its progress, and leaves nothing when it is interrupted', async () => {
    const to = join(folder, 'interrupted.db');
    const seen: Progress[] = [];
    await withStore(path, async (store) => {
      const stop = new AbortController();
      const onProgress = (progress: Progress) => {
        seen.push(progress);
        if (progress.label === 'reading the copy') stop.abort(new Error('stopped'));
      };
      await expect(store.backup(to, { signal: stop.signal, onProgress })).rejects.toThrow('stopped');
      expect((await readRows(store, {})).length).toBe(3);
    });
    expect(new Set(seen.map(({ label }) => label))).toEqual(
      new Set(['copying the store', 'reading the copy']),
    );
    expect(readdirSync(folder).filter((name) => name.startsWith('interrupted'))).toEqual([]);
  });

  it('ends with the store that it is made of', async () => {
    const to = join(folder, 'closed.db');
    const store = await openStore(path);
    const writing = expect(store.backup(to)).rejects.toThrow('the store is closed');
    await store.close();
    await writing;
    expect(existsSync(to)).toBe(false);
  });

  it('never replaces a file', async () => {
    const before = copied(backup);
    await withStore(path, (store) =>
      expect(store.backup(backup)).rejects.toThrow(/already exists; specify a different/),
    );
    expect(isSame(backup, before)).toBe(true);
  });

  it.skipIf(noSmallDisk !== null).each([300, 2_000])(
    `leaves nothing on a full disk of %d KiB (skipped: ${noSmallDisk})`,
    (size) =>
      withSmallDisk(size, async (disk) => {
        writeFileSync(join(disk, 'other'), Buffer.alloc((size - 200) * 1024));
        const writing = withStore(path, (store) => store.backup(join(disk, 'backup.db')));
        await expect(writing).rejects.toThrow(/the disk is full/);
        expect(readdirSync(disk)).toEqual(['other']);
      }),
  );
});

describe('restoring a backup', () => {
  it('gives the store back, into a new file or in place of a store, with any log of that', async () => {
    const to = join(folder, 'restored.db');
    await restoreStore(backup, to);
    expect(await contentOf(to)).toEqual(await contentOf(path));
    await withStore(to, (store) => importVintages(store, [{ day: 7, value: 7 }]));
    expect(await withStore(to, (store) => store.findFaults())).toEqual([]);
    await expect(restoreStore(backup, to)).rejects.toThrow(/already exists/);
    writeFileSync(`${to}.wal`, 'the log of the store that is replaced');
    await restoreStore(backup, to, { replace: true });
    expect(await contentOf(to)).toEqual(await contentOf(path));
  });

  it('stops when it is interrupted, and leaves the store', async () => {
    const to = join(folder, 'kept.db');
    copyFileSync(path, to);
    const stop = new AbortController();
    const onProgress = ({ label }: Progress) => {
      if (label === 'reading the copy') stop.abort(new Error('stopped'));
    };
    const options = { replace: true, signal: stop.signal, onProgress };
    await expect(restoreStore(backup, to, options)).rejects.toThrow('stopped');
    expect(isSame(to, path)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith('kept'))).toEqual(['kept.db']);
  });

  it('finds every flipped bit and every cut before it replaces anything', async () => {
    const [damaged, to] = [join(folder, 'damaged.db'), join(folder, 'target.db')];
    copyFileSync(path, to);
    const random = seededRandom(15);
    const size = statSync(backup).size;
    for (let tried = 0; tried < DAMAGES; tried++) {
      copyFileSync(backup, damaged);
      const at = Math.floor(random() * (tried % 2 === 0 ? size : 12_288));
      if (tried % 8 === 7) truncateSync(damaged, at);
      else flipBit(damaged, at, Math.floor(random() * 8));
      const outcome = await restoreStore(damaged, to, { replace: true }).catch(
        (error: Error) => error.message,
      );
      if (typeof outcome === 'string') expect(outcome).toMatch(/is damaged|is not a cropframe store/);
      else expect(await contentOf(to)).toEqual(await contentOf(path));
      if (typeof outcome === 'string') expect(isSame(to, path)).toBe(true);
      else copyFileSync(path, to);
    }
  });
});

function copied(file: string): string {
  copyFileSync(file, `${file}.before`);
  return `${file}.before`;
}

/** Compares bytes by themselves: Vitest takes a minute to compare such long buffers. */
function isSame(file: string, other: string): boolean {
  return readFileSync(file).equals(readFileSync(other));
}

function flipBit(file: string, at: number, bit: number): void {
  const bytes = readFileSync(file);
  bytes[at]! ^= 1 << bit;
  writeFileSync(file, bytes);
}
