import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hostImports } from '../../src/ingest/import-host.js';
import { temporaryFolder } from '../temporary-files.js';

it('keeps its files in a folder of its own, and removes that one alone', async () => {
  const folder = mkdtempSync(join(temporaryFolder(), 'caller-'));
  writeFileSync(join(folder, 'thesis.txt'), 'mine');
  mkdirSync(join(folder, 'photos'));
  const [one, other] = [await hostImports({ folder }), await hostImports({ folder })];
  for (const { folder: own } of [one, other]) writeFileSync(join(own, 'arriving'), '');
  await one.close();
  await one.close();
  expect([existsSync(one.folder), existsSync(other.folder)]).toEqual([false, true]);
  await other.close();
  expect(readdirSync(folder).sort()).toEqual(['photos', 'thesis.txt']);
});
