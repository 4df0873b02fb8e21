import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../src/model/make-folder.js';
import { temporaryFolder } from '../temporary-files.js';

const folder = mkdtempSync(join(temporaryFolder(), 'folders-'));

it('creates the folders that do not exist, with a mode, also several times at once', async () => {
  const path = join(folder, 'a', 'b', 'c');
  await Promise.all([makeFolder(path, 0o700), makeFolder(path, 0o700), makeFolder(join(folder, 'a'), 0o700)]);
  for (const made of [path, join(folder, 'a')]) expect(statSync(made).mode & 0o777).toBe(0o700);
});

it('fails where no folder can be made', { timeout: 20_000 }, async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const path of [file, join(file, 'below'), '/proc/cropframe/below', '/dev/null/below'])
    await expect(makeFolder(path), path).rejects.toHaveProperty('syscall', 'mkdir');
});
