import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.js';
import { recordingIo } from '../cli/capture.js';
import { asking, demoStore } from '../cli/stores.js';
import { listMarkdown, ROOT, readBlocks } from './markdown.js';
import { type Invocation, readInvocations, splitWords } from './shell.js';

const BLOCKS = listMarkdown()
  .flatMap(readBlocks)
  .filter(({ language }) => language === 'sh');
const INVOCATIONS = BLOCKS.flatMap(readInvocations);
const OWN = INVOCATIONS.filter(({ words }) => words[0] === 'cropframe');

/** Programs of others that the pages call, and why nothing here tries them. */
const OTHERS: Readonly<Record<string, string>> = {
  cd: 'of the shell',
  cp: 'copies a file that the page speaks of',
  curl: 'asks a service that the page has started',
  deno: 'adds a kernel to the machine; the stage notebooks runs notebooks under it',
  install: 'makes a folder as root',
  journalctl: 'needs systemd',
  jupyter: 'does not end; the stage notebooks runs notebooks by its client',
  mkdir: 'of the system',
  sudo: 'runs cropframe as another user',
  systemctl: 'needs systemd',
  useradd: 'changes the machine',
};

/** Commands that read, and so can be tried on a store: all but those that need files of others, or do not end. */
const READING = 'list search find facets vintages points df gdd units'.split(' ');

/** Data that the demo store has not. */
const OTHER_DATA = /Drought|managed money|wasde|--host/i;

/** A synopsis shows words in place of values. */
const SYNOPSIS = /<\w+>|FILE…|BACKUP/;

describe('the commands of the documentation', () => {
  it('are cropframe, npm and programs that are listed with a reason', () => {
    const known = [...Object.keys(OTHERS), 'cropframe', 'npm', 'npx', 'node', 'openssl'];
    const unknown = INVOCATIONS.filter(({ words }) => !known.includes(words[0]!));
    expect(unknown.map(({ place, words }) => `${place} ${words[0]}`)).toEqual([]);
  });

  it('call npm scripts and files that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const named = INVOCATIONS.filter(({ words }) => words[0] === 'npm' && words[1] === 'run');
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ words }) => !(words[2]! in scripts)).map(({ place }) => place)).toEqual([]);
    const programs = INVOCATIONS.filter(({ words }) => words[0] === 'node');
    for (const { place, words } of programs) {
      const file = words.find((word) => /\.(ts|js|mjs)$/.test(word));
      expect(file === undefined || !file.includes('/') || existsSync(join(ROOT, file)), place).toBe(true);
    }
  });

  it.each(OWN.filter(({ line }) => !SYNOPSIS.test(line)).map((own) => [own.place, own.line, own] as const))(
    'have the options of the command: %s %s',
    async (_, __, { words }) => {
      await expect(parse(words.slice(1))).resolves.toBeUndefined();
    },
  );

  it('are refused where an option does not exist', async () => {
    await expect(parse(['list', '--stores', 'farm.duckdb'])).rejects.toThrow(/unknown option/);
  });
});

/** Reads a command line as the command does, and runs nothing. */
async function parse(words: readonly string[]): Promise<void> {
  const { io } = recordingIo();
  const program = createProgram(io as Parameters<typeof createProgram>[0], '0');
  disarm(program);
  await program.parseAsync([...words], { from: 'user' });
}

function disarm(command: Command): void {
  command.exitOverride().configureOutput({ writeErr: () => {} });
  command.action(() => {});
  command.commands.forEach(disarm);
}

describe('the commands that read a store', () => {
  const demo = demoStore();
  const ask = asking(demo);

  const tried = OWN.filter(
    ({ words, line }) =>
      READING.includes(words[1]!) && !SYNOPSIS.test(line) && !OTHER_DATA.test(line) && !words.includes('-'),
  );

  it.each(tried.map((own) => [own.place, own.line, own] as const))('run: %s %s', async (_, __, own) => {
    const { code, stderr } = await ask(inFolder(own, demo.folder));
    expect(code, stderr).toBe(0);
  });

  it('print what a page shows', async () => {
    const shown = listMarkdown()
      .flatMap(readBlocks)
      .filter(({ language, text }) => language === 'text' && text.startsWith('$ cropframe '));
    expect(shown.length).toBeGreaterThan(0);
    for (const { file, line, text } of shown) {
      const [command, ...output] = text.split('\n');
      const words = splitWords(command!.slice(2));
      const own = { place: `${file}:${line}`, line: command!, words };
      const { stdout } = await ask(inFolder(own, demo.folder), { terminal: true });
      expect(stdout.trimEnd().split('\n').map(trimmed), own.place).toEqual(output.map(trimmed));
    }
  });
});

function trimmed(line: string): string {
  return line.trimEnd();
}

/** The arguments without the store, with the files of a folder. */
function inFolder({ words }: Invocation, folder: string): string[] {
  const args = words
    .slice(1)
    .map((word) =>
      /^[\w./-]+\.(duckdb|csv|parquet|arrow|json|xlsx)$/.test(word)
        ? join(folder, word.replaceAll('/', '-'))
        : word,
    );
  const store = args.indexOf('--store');
  return store === -1 ? args : args.toSpliced(store, 2);
}
