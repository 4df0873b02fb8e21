import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createProgram, run } from '../../src/cli/program.js';
import { recordingIo, runCommand, words } from './capture.js';

const program = createProgram({ ...recordingIo().io, exitCode: 0 }, '0.0.0');
const leaves = program.commands.flatMap((command) =>
  command.commands.length === 0
    ? [[command.name()]]
    : command.commands.map((below) => [command.name(), below.name()]),
);

describe('help', () => {
  it.each(leaves)('of %s %s goes to standard output and has an example', async (...path) => {
    const { code, stdout, stderr } = await runCommand([...path, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`$ `);
    expect(stdout).toContain(`cropframe ${path.join(' ')}`);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(125);
  });

  it('of the program lists every command, the exit codes and the environment variables', async () => {
    const { stdout } = await runCommand(['--help']);
    for (const [name] of leaves) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    for (const word of words`${'Exit codes:'} 130 API_TOKEN CROPFRAME_HOST CROPFRAME_DEBUG`)
      expect(stdout).toContain(word);
  });

  it('has the version of the package beside it', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect((await runCommand(['--version'])).stdout).toBe(`${version}\n`);
  });
});

describe('an invalid command line', () => {
  it('suggests the nearest command or option', async () => {
    expect(await runCommand(['serach', 'items'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'error: there is no command "serach"; did you mean "search"?\n',
    });
    expect(await runCommand(['help', 'serach'])).toEqual(await runCommand(['serach']));
    expect((await runCommand(['nonsense'])).stderr).toContain('the commands are list, search, find');
    expect((await runCommand(['find', '--itme', 'corn'])).stderr).toContain('Did you mean --item?');
  });

  it('may not have options before a command', async () => {
    const { code, stderr } = await runCommand(['--item', 'corn', 'find']);
    expect(code).toBe(2);
    expect(stderr).toContain('there are options before "find"');
  });
});

/** The packages that load with a file: those that it imports, or a file that it imports, without `import()`. */
function packagesOf(path: string, seen = new Map<string, readonly string[]>()): string[] {
  const text = readFileSync(path, 'utf8');
  const specifiers = [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm)].map(
    ([, specifier]) => specifier!,
  );
  seen.set(
    path,
    specifiers.filter((specifier) => !specifier.startsWith('.')),
  );
  for (const specifier of specifiers) {
    const target = posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts');
    if (specifier.startsWith('.') && !seen.has(target)) packagesOf(target, seen);
  }
  return [...new Set([...seen.values()].flat())];
}

describe('what loads', () => {
  it('with the command is the parser and the schemas alone', () => {
    // Node itself has loaded its own modules.
    const packages = packagesOf('src/cli/program.ts').filter((name) => !name.startsWith('node:'));
    expect(packages).toEqual(['commander', 'valibot']);
    expect(packagesOf('src/cli/actions/serve.ts')).toContain('hono');
  });
});

describe('a full standard output', () => {
  it.each([
    ['--help'],
    ['--version'],
    ['help', 'find'],
    ['find', '--help'],
    ['import', '--list'],
    ['completion', 'bash'],
  ])('fails, and is named: %s %s', async (...argv) => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      ...{ code: 'ENOSPC', syscall: 'write' },
    });
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(full) });
    stdout.on('error', () => {});
    const { io, stderr } = recordingIo();
    expect(await run(argv.filter(Boolean), { ...io, stdout })).toBe(1);
    expect(stderr.text).toBe(
      'error: standard output: cannot be written: the disk is full; free some space\n',
    );
  });
});
