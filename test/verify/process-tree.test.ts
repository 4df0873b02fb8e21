import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { killTree } from './process-tree.js';

it('ends a process with what it started, and says what ran', async () => {
  const program = `const child = require('node:child_process').spawn('sleep', ['61']); console.log(child.pid);`;
  const parent = spawn(process.execPath, ['--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
  const child = Number(String(printed));
  const ended = once(parent, 'close');
  const lines = killTree(parent.pid!);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(new RegExp(`^${child} for [\\d:]+: .*sleep 61$`));
  // The pipe closes when both have ended.
  expect(await ended).toEqual([null, 'SIGKILL']);
});
