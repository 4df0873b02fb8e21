import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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
    const plain = startCommand(argv);
    expect(await plain.ended()).toBe(1);
    expect(plain.said().stderr).toMatch(/^error: there is no store at [^\n]+\n$/);
    const debugged = startCommand(argv, { CROPFRAME_DEBUG: '1' });
    expect(await debugged.ended()).toBe(1);
    expect(debugged.said().stderr).toMatch(/\n +at .*store-file/);
  });

  it('prints the version of the package', () => {
    const out = execFileSync(process.execPath, [COMMAND, '--version'], {
      encoding: 'utf8',
    });
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(out).toBe(`${manifest.version}\n`);
  });
});
