import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Progress } from '../../../src/model/progress.js';
import { initClickhouseStore } from '../../../src/store/clickhouse/open-cluster.js';
import { copyStore } from '../../../src/store/copying/copy-store.js';
import { openDatabase } from '../../../src/store/duckdb/engine/open-database.js';
import { openStore } from '../../../src/store/open.js';
import { Nodes } from '../nodes.js';
import { type Content, contentOf, importFirst, importSecond } from '../writing/two-imports.js';

/** About a series each. */
const PART_POINTS = 9_000;

let nodes: Nodes;
let folder: string;
let file: string;
let wanted: Content;
beforeAll(async () => {
  nodes = await Nodes.start(3);
  folder = mkdtempSync(join(tmpdir(), 'copy-dead-'));
  file = join(folder, 'from.duckdb');
  const store = await openStore(file);
  await importFirst(store);
  await importSecond(store);
  wanted = await contentOf(store);
  await store.close();
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await nodes.stop();
});

async function newServers(database: string): Promise<string> {
  const address = nodes.address(database);
  await initClickhouseStore(address);
  return address;
}

async function contentAt(location: string): Promise<Content> {
  const store = await openStore(location, { readOnly: true });
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
    partPoints: PART_POINTS,
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

/** After two parts or more; after the last one, when the points are to be compared. */
const MOMENTS = {
  'points are copied': ({ done }: Progress) => done > PART_POINTS,
  'points are compared': ({ done, total }: Progress) => done === total,
};

const CASES = [
  ['points are copied', 2],
  ['points are compared', 0],
] as const;

describe('a shard that dies while', () => {
  it.each(CASES)(
    '%s onto it is named (shard %i); nothing is seen, and the copy goes on when it is back',
    async (moment, dying) => {
      const to = await newServers(`onto_${Object.keys(MOMENTS).indexOf(moment)}_${dying}`);
      const said = await copyWhileDying([file, to], dying, MOMENTS[moment]);
      expect(said).toContain(nodes.hosts[dying]);
      await nodes.startNode(dying);
      expect(await contentAt(to)).toEqual({ series: [], points: [] });
      const kept = await numbersOf(to, 'written');
      expect(kept.length).toBeGreaterThan(2);
      await copyStore(file, to, { partPoints: PART_POINTS });
      expect(await numbersOf(to, 'committed')).toEqual(expect.arrayContaining(kept));
      expect(await contentAt(to)).toEqual(wanted);
    },
    60_000,
  );

  it.each(CASES)(
    '%s from it is named (shard %i); there is no file, and the copy goes on when it is back',
    async (moment, dying) => {
      const name = `from_${Object.keys(MOMENTS).indexOf(moment)}_${dying}`;
      const [from, to] = [await newServers(name), join(folder, `${name}.duckdb`)];
      await copyStore(file, from);
      const said = await copyWhileDying([from, to], dying, MOMENTS[moment]);
      expect(said).toContain(nodes.hosts[dying]);
      expect(existsSync(to)).toBe(false);
      await nodes.startNode(dying);
      const draft = `${to}.copying`;
      const { ino } = statSync(draft);
      expect(await countParts(draft)).toBeGreaterThan(3);
      await copyStore(from, to, { partPoints: PART_POINTS });
      expect(statSync(to).ino).toBe(ino);
      expect(await contentAt(to)).toEqual(wanted);
    },
    60_000,
  );
});

/** Numbers of a state in the log of a store. */
async function numbersOf(address: string, state: string): Promise<string[]> {
  const database = address.slice(address.lastIndexOf('/') + 1);
  const rows = await nodes.query(
    0,
    `SELECT import FROM ${database}.import_log WHERE state = '${state}' ORDER BY import`,
  );
  return rows.trim().split('\n');
}

async function countParts(draft: string): Promise<number> {
  const database = await openDatabase(draft, true);
  try {
    const [row] = await database.rows('SELECT count(*)::INTEGER AS parts FROM copied_part');
    return Number(row!.parts);
  } finally {
    await database.close();
  }
}
