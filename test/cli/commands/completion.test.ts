import { describe, expect, it } from 'vitest';
import { runCommand } from '../capture.js';
import { COMPLETIONS } from './completions.js';

describe('the completion command', () => {
  it.each(COMPLETIONS)('offers $offered after "$words"', async ({ words, offered }) => {
    const { stdout } = await runCommand(['completion', 'bash', '--', ...words]);
    expect(stdout.trimEnd().split('\n').sort()).toEqual([...offered].sort());
  });

  it('prints a script', async () => {
    expect(await runCommand(['completion', 'bash'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('refuses other shells', async () => {
    expect(await runCommand(['completion', 'tcsh'])).toMatchObject({ code: 2, stdout: '' });
  });
});
