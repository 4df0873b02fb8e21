import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeTemporaryFolder, removeAbandonedFiles, temporaryName } from '../../src/store/temporary-files.js';
import { temporaryFolder } from '../temporary-files.js';

const ID = '00000000-0000-4000-8000-000000000000';
/** The name that a process gives. */
const nameOf = (pid: number, host = hostname()) => `cropframe-${pid}-${host}-${ID}-0123456789abcdef`;

it('removes what processes that have ended left, and nothing of those that run or of other machines', async () => {
  const parent = mkdtempSync(join(temporaryFolder(), 'temporary-'));
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  const mine = await makeTemporaryFolder(parent);
  const kept = [
    basename(mine),
    `farm.duckdb.${temporaryName()}`,
    nameOf(process.ppid),
    nameOf(ended, 'another-machine'),
    `cropframe-${ended}`,
    `${nameOf(ended)}.csv`,
  ];
  for (const name of kept.slice(1)) mkdirSync(join(parent, name));
  // A process before this one had its id.
  const left = [nameOf(ended), nameOf(process.pid), `farm.duckdb.${nameOf(ended)}`];
  for (const name of left) mkdirSync(join(parent, name));
  writeFileSync(join(parent, left[0]!, 'rows'), 'x');
  writeFileSync(join(parent, `farm.duckdb.search.${nameOf(ended)}`), 'x');
  symlinkSync(mine, join(parent, `link-${nameOf(ended)}`));
  writeFileSync(join(mine, 'mine'), 'x');
  await removeAbandonedFiles(parent);
  expect(readdirSync(parent).sort()).toEqual(kept.sort());
  expect(readdirSync(mine)).toEqual(['mine']);
});

it('names the folder of temporary files that does not exist, and the remedy', async () => {
  vi.stubEnv('TMPDIR', '/none/here');
  try {
    await expect(makeTemporaryFolder()).rejects.toThrow(
      'temporary files cannot be written to /none/here: it does not exist; set TMPDIR to another folder',
    );
  } finally {
    vi.unstubAllEnvs();
  }
});
