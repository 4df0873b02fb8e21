import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RejectsFile } from '../../../src/cli/importing/rejects.js';
import { temporaryFolder } from '../capture.js';

it('keeps all rows in their order, though nobody waits between them', async () => {
  const rejects = new RejectsFile(join(temporaryFolder(), 'rejects.csv'));
  for (let line = 2; line < 50; line++) void rejects.add([{ file: 'a.csv', line, reason: 'odd', text: 'x' }]);
  await rejects.close();
  const lines = readFileSync(rejects.path, 'utf8').trimEnd().split('\r\n').slice(1);
  expect(lines).toEqual(Array.from({ length: 48 }, (_, i) => `a.csv,${i + 2},odd,x`));
  expect(rejects.count).toBe(48);
});
