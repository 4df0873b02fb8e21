import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { takeLock } from '../../src/store/process-lock.js';
import { countRuns } from '../endurance.js';
import { temporaryFolder } from '../temporary-files.js';

const ROUNDS = countRuns({ quick: 4, all: 40 });

const folder = temporaryFolder();
const path = join(folder, 'lock');

/** Begins a little later than others, so that a lock is looked at by some while others replace it. */
async function takeLate(rounds: number): Promise<Awaited<ReturnType<typeof takeLock>>> {
  for (let i = 0; i < rounds; i++) await new Promise(setImmediate);
  return takeLock(path);
}

/** The id of a process that has ended. */
const dead = spawnSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).stdout.trim();

it('has one holder at a time, and leaves nothing behind', async () => {
  const release = await takeLock(path);
  expect(await takeLock(path)).toBeNull();
  await release!();
  const again = await takeLock(path);
  expect(again).not.toBeNull();
  await again!();
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  ['a process of an older version that has ended', dead],
  ['a process that has ended', `${dead} ${hostname()} 1`],
  ['another process that had the id of this one', `${process.pid} ${hostname()} before`],
  ['nobody', ''],
])('is taken over from %s by one of all that try at once', async (_whom, text) => {
  for (let round = 0; round < ROUNDS; round++) {
    writeFileSync(path, text);
    const taken = (
      await Promise.all(Array.from({ length: 40 }, (_, i) => takeLate((i * round) % 199)))
    ).filter(Boolean);
    expect(taken).toHaveLength(1);
    expect(await takeLock(path)).toBeNull();
    await taken[0]!();
    expect(readdirSync(folder)).toEqual([]);
  }
});

it('is taken over though the one who took it over ended before it was done', async () => {
  writeFileSync(path, dead);
  writeFileSync(`${path}.${dead}`, dead);
  const release = await takeLock(path);
  expect(release).not.toBeNull();
  await release!();
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  ['runs', String(process.ppid)],
  ['runs on another machine', `${dead} elsewhere 1`],
])('is left to a process that %s', async (_which, text) => {
  writeFileSync(path, text);
  expect(await takeLock(path)).toBeNull();
  rmSync(path);
});
