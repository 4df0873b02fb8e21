import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const MINUTES = 3;

it('survives kills, faults of the network, full disks and wrong clocks', () => {
  const args = ['--import', 'tsx', 'test/chaos/run.ts', '--minutes', String(MINUTES)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  console.log(stdout);
  expect(status, stderr).toBe(0);
});
