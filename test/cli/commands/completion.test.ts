import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { SHELLS } from '../../../src/cli/completion-scripts.js';
import { runCommand } from '../capture.js';

const COMMANDS = [
  'search',
  'find',
  'points',
  'df',
  'gdd',
  'units',
  'import',
  'serve',
  'user',
  'token',
  'completion',
];

async function script(shell: string): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['completion', shell]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** What bash offers for the last of the words. */
async function offered(...words: string[]): Promise<string[]> {
  const ask = `${await script('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cropframe; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['-c', ask, 'bash', 'cropframe', ...words], { encoding: 'utf8' });
  return out.split('\n').filter((word) => word !== '');
}

describe('completion', () => {
  it('offers commands, options and their values in bash', async () => {
    expect(await offered('')).toEqual(COMMANDS);
    expect(await offered('token', '')).toEqual(['create', 'list', 'revoke']);
    expect(await offered('token', 'create', '--ex')).toEqual(['--expires']);
    expect(await offered('points', '--format', '')).toEqual(['csv', 'json', 'parquet', 'arrow']);
    expect(await offered('points', '--item', 'corn', '--format', 'p')).toEqual(['parquet']);
    expect(await offered('search', 're')).toEqual(['regions']);
    expect(await offered('import', 'dem')).toEqual(['demo']);
    expect(await offered('serve', '--tls-cert', 'package.js')).toEqual(['package.json']);
    expect(await offered('--pr')).toEqual(['--print_token']);
  });

  it.each(SHELLS)('is a script that %s can read', async (shell) => {
    const text = await script(shell);
    for (const name of COMMANDS) expect(text).toContain(name);
    const checked = spawnSync(shell, ['-n'], { input: text, encoding: 'utf8' });
    if (checked.error !== undefined) {
      console.log(`${shell} is not installed, so that its reading of the script is not tried`);
      return;
    }
    expect(checked).toMatchObject({ status: 0, stderr: '' });
  });

  it('knows other shells not', async () => {
    expect(await runCommand(['completion', 'tcsh'])).toMatchObject({ code: 2, stdout: '' });
  });
});
