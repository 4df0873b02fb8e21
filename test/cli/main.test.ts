import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runCommand } from './capture.js';
import { COMMAND, startCommand } from './process.js';
import { demoStore } from './stores.js';

const { store } = demoStore();
const SEATTLE = ['points', '--item', 'Temperature max', '--region', 'Seattle', '--end', '2015-12-30'];

describe('the command as a process', () => {
  it('ends silently when its reader closes the pipe', () => {
    const pipe = `"$0" "$@" | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const argv = ['-c', pipe, process.execPath, COMMAND, ...SEATTLE, '--json', '--names', '--store', store];
    const { stdout, stderr } = spawnSync('bash', argv, { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: '[\n0\n', stderr: '' });
  });

  it('sets the exit code, and prints a stack trace only with CROPFRAME_DEBUG', async () => {
    const argv = ['search', 'items', 'corn', '--store', `${store}.absent`];
    const plain = await runCommand(argv);
    expect(plain).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: there is no store at [^\n]+\n$/),
    });
    const debugged = startCommand(argv, { CROPFRAME_DEBUG: '1' });
    expect(await debugged.ended()).toBe(1);
    expect(debugged.said().stderr).toMatch(/\n +at .*store-file/);
  });

  it('says that Node is too old, before it loads what an old Node lacks', () => {
    const older = 'Object.defineProperty(process.versions, "node", { value: "18.20.8" })';
    const argv = ['--import', `data:text/javascript,${older}`, COMMAND, '--version'];
    const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      1,
      'error: cropframe needs Node.js 20.15 or newer, and this is 18.20.8\n',
    ]);
  });
});
