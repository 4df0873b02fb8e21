import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** Tests of the rooms try the others at night. */
it.each([
  ['clients', 60],
  ['container', 512],
])('withstands %s', (name, count) => {
  const args = ['--import', 'tsx', 'test/attack/run.ts', name, '--count', String(count)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  console.log(stdout);
  expect(status, stdout + stderr).toBe(0);
});
