import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Progress } from '../../../src/model/progress.js';
import { initClickhouseStore } from '../../../src/store/clickhouse/schema.js';
import { copyStore } from '../../../src/store/copying/copy-store.js';
import { openStore } from '../../../src/store/open.js';
import { temporaryFolder } from '../../temporary-files.js';
import { type Content, contentOf, importFirst, importSecond } from '../importing/two-imports.js';
import { Nodes } from '../nodes.js';

let nodes: Nodes;
const folder = temporaryFolder();
let file: string;
let wanted: Content;
beforeAll(async () => {
  nodes = await Nodes.start(3);
  file = join(folder, 'from.duckdb');
  const store = await openStore(file);
  await importFirst(store);
  await importSecond(store);
  wanted = await contentOf(store);
  await store.close();
});
afterAll(async () => {
  await nodes.stop();
});

async function newServers(database: string): Promise<string> {
  const address = nodes.address(database);
  await initClickhouseStore(address);
  return address;
}

async function contentAt(location: string): Promise<Content> {
  const store = await openStore(location, { read_only: true });
  try {
    expect(await store.findFaults()).toEqual([]);
    return await contentOf(store);
  } finally {
    await store.close();
  }
}

/** Copies, and ends a shard at a moment. @returns what the copy says */
async function copyWhileDying(
  [from, to]: readonly [string, string],
  dying: number,
  isReached: (progress: Progress) => boolean,
): Promise<string> {
  let killed: Promise<void> | null = null;
  const said = await copyStore(from, to, {
    onProgress(progress) {
      if (isReached(progress)) killed ??= nodes.kill(dying);
    },
  }).then(
    () => 'copied',
    (error: Error) => error.message,
  );
  expect(killed).not.toBeNull();
  await killed;
  return said;
}

const MOMENTS = {
  'points are read': ({ label }: Progress) => label === 'copying points',
  'points are written': ({ label, done, total }: Progress) => label === 'copying points' && done === total,
};

const CASES = [
  ['points are read', 2],
  ['points are written', 0],
] as const;

describe('a shard that dies while', () => {
  it.each(CASES)(
    '%s onto it is named (shard %i); nothing is seen, and the store can be copied when it is back',
    async (moment, dying) => {
      const to = await newServers(`onto_${Object.keys(MOMENTS).indexOf(moment)}_${dying}`);
      const said = await copyWhileDying([file, to], dying, MOMENTS[moment]);
      expect(said).toContain(nodes.hosts[dying]);
      await nodes.startNode(dying);
      expect(await contentAt(to)).toEqual({ series: [], points: [] });
      await copyStore(file, to);
      expect(await contentAt(to)).toEqual(wanted);
    },
  );

  it.each(CASES.slice(0, 1))(
    '%s from it is named (shard %i); there is no file, and the store can be copied when it is back',
    async (moment, dying) => {
      const name = `from_${Object.keys(MOMENTS).indexOf(moment)}_${dying}`;
      const [from, to] = [await newServers(name), join(folder, `${name}.duckdb`)];
      await copyStore(file, from);
      const said = await copyWhileDying([from, to], dying, MOMENTS[moment]);
      expect(said).toContain(nodes.hosts[dying]);
      expect(existsSync(to)).toBe(false);
      await nodes.startNode(dying);
      await copyStore(from, to);
      expect(await contentAt(to)).toEqual(wanted);
    },
  );
});
