import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { initClickhouseStore } from '../../../src/store/clickhouse/schema.js';
import { openStore } from '../../../src/store/open.js';
import { noSmallDisk, withSmallDisk } from '../../small-disk.js';
import { Nodes } from '../nodes.js';
import { contentOf, expectedContents, importFirst, importSecond } from './two-imports.js';

const DISK_KIB = 128 * 1024;

if (noSmallDisk !== null) console.log(`no disk of a shard is filled: ${noSmallDisk}`);

it.skipIf(noSmallDisk !== null).each([
  [0, 'has the commits'],
  [1, 'has points alone'],
])(
  'shard %i, which %s, ends an import with its name when its disk is full, and answers readers; with room again, all is imported',
  (full) =>
    withSmallDisk(DISK_KIB, async (disk) => {
      const nodes = await Nodes.start(2);
      try {
        await nodes.moveData(full, disk);
        const refusal = await importWithSpare(nodes, full, disk, 0);
        expect(refusal).toBe(
          `the disk of ${nodes.hosts[full]} is full, so nothing was committed; free some space and try again`,
        );
        await importWithSpare(nodes, full, disk, 300);
      } finally {
        await nodes.stop();
      }
    }),
);

/**
 * Imports while a shard's disk has so many KiB to spare, and once more when it has room.
 * @returns why the first of these imports was refused; null when it was not
 */
async function importWithSpare(
  nodes: Nodes,
  full: number,
  disk: string,
  spare: number,
): Promise<string | null> {
  const expected = await expectedContents();
  const address = nodes.address(`full_${spare}`);
  await initClickhouseStore(address);
  const store = await openStore(address);
  const filler = join(disk, 'filler');
  try {
    await importFirst(store);
    fill(disk, filler, spare);
    const outcome = await importSecond(store).catch((error: Error) => error.message);
    if (typeof outcome === 'string') {
      expect(outcome).toContain(nodes.hosts[full]);
      expect(await contentOf(store)).toEqual(expected.first);
    } else {
      expect(outcome).toEqual(expected.counts);
      expect(await contentOf(store)).toEqual(expected.both);
    }
    rmSync(filler);
    await importSecond(store);
    expect(await contentOf(store)).toEqual(expected.both);
    expect(await store.findFaults()).toEqual([]);
    return typeof outcome === 'string' ? outcome : null;
  } finally {
    rmSync(filler, { force: true });
    await store.close();
  }
}

function fill(disk: string, filler: string, spareKib: number): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, new Uint8Array(Math.max(0, bavail * bsize - spareKib * 1024)));
}
