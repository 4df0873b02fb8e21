import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.js';
import { keptIo, runCommand } from './capture.js';

const program = createProgram({ ...keptIo().io, exitCode: 0 }, '0.0.0');
const leaves = program.commands.flatMap((command) =>
  command.commands.length === 0
    ? [[command.name()]]
    : command.commands.map((below) => [command.name(), below.name()]),
);

describe('help', () => {
  it.each(leaves)('of %s %s stands on standard output and holds an example', async (...path) => {
    const { code, stdout, stderr } = await runCommand([...path, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`$ `);
    expect(stdout).toContain(`cropframe ${path.join(' ')}`);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(125);
  });

  it('of the whole tells every command, the exit codes and the environment', async () => {
    const { stdout } = await runCommand(['--help']);
    for (const [name] of leaves) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    for (const word of [
      'Exit codes:',
      '130',
      'API_TOKEN',
      'CROPFRAME_HOST',
      'CROPFRAME_DEBUG',
      '--print_token',
    ])
      expect(stdout).toContain(word);
  });
});

describe('a command that is not right', () => {
  it('is told what was likely meant', async () => {
    expect(await runCommand(['serach', 'items'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'error: there is no command "serach"; did you mean "search"?\n',
    });
    expect((await runCommand(['nonsense'])).stderr).toContain('the commands are search, find');
    expect((await runCommand(['find', '--itme', 'corn'])).stderr).toContain('Did you mean --item?');
  });

  it('with options of the tool before a command is refused, not misread', async () => {
    const { code, stderr } = await runCommand(['--item', 'corn', 'find']);
    expect(code).toBe(2);
    expect(stderr).toContain('--item is before "find"');
  });
});
