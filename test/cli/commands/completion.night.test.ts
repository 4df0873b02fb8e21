import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { SHELLS, type Shell } from '../../../src/cli/commands/completion.js';
import { runCommand } from '../capture.js';
import { COMMAND } from '../process.js';
import { COMPLETIONS } from './completions.js';

/** The command as shells find it: this one, as it is built. */
const COMMAND_OF: Record<Shell, string> = {
  bash: `cropframe() { '${process.execPath}' '${COMMAND}' "$@"; }`,
  zsh: `cropframe() { '${process.execPath}' '${COMMAND}' "$@"; }`,
  fish: `function cropframe; '${process.execPath}' '${COMMAND}' $argv; end`,
};

async function script(shell: Shell): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['completion', shell]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return `${COMMAND_OF[shell]}\n${stdout}`;
}

/** Asks each shell for its completions of the last word. */
const ASKING: Record<Shell, (text: string, words: readonly string[]) => string[]> = {
  bash: (text, words) => {
    const ask = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cropframe; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return linesOf('bash', '-c', `${text}\n${ask}`, 'bash', 'cropframe', ...words);
  },
  // zsh completes only interactively, so that stubs of its two answering functions print what they are given.
  zsh: (text, words) => {
    const answers = `compdef() { :; }; compadd() { shift; print -l -- "$@"; }; _files() { print -l -- *; }`;
    const ask = `words=("$@"); CURRENT=$#; _cropframe`;
    const all = linesOf('zsh', '-f', '-c', `${answers}\n${text}\n${ask}`, 'zsh', 'cropframe', ...words);
    return all.filter((word) => word.startsWith(words.at(-1)!));
  },
  fish: (text, words) => {
    const ask = `complete -C "cropframe ${words.join(' ')}"`;
    return linesOf('fish', '--no-config', '-c', `${text}\n${ask}`).map((line) => line.split('\t')[0]!);
  },
};

function linesOf(program: string, ...args: string[]): string[] {
  const out = execFileSync(program, args, { encoding: 'utf8' });
  return out.split('\n').filter((line) => line !== '');
}

/** No word of ours: the shell completes the name of a file. */
const OF_FILES = { words: ['serve', '--tls-cert', 'package.js'], offered: ['package.json'] };

describe.each(SHELLS)('completion in %s', (shell) => {
  const isThere = spawnSync(shell, ['-c', 'true']).status === 0;
  if (!isThere) console.log(`${shell} is not installed, so its completion is not tested`);

  it.skipIf(!isThere).each([...COMPLETIONS, OF_FILES])(
    'offers $offered after "$words"',
    async ({ words, offered }) => {
      const found = ASKING[shell](await script(shell), words);
      expect(found.sort()).toEqual([...offered].sort());
    },
  );
});
