import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.js';
import { recordingIo, runCommand } from './capture.js';

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

describe('an invalid command line', () => {
  it('suggests the nearest command or option', async () => {
    expect(await runCommand(['serach', 'items'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'error: there is no command "serach"; did you mean "search"?\n',
    });
    expect((await runCommand(['nonsense'])).stderr).toContain('the commands are search, find');
    expect((await runCommand(['find', '--itme', 'corn'])).stderr).toContain('Did you mean --item?');
  });

  it('may not have options of the random-series tool before a command', async () => {
    const { code, stderr } = await runCommand(['--item', 'corn', 'find']);
    expect(code).toBe(2);
    expect(stderr).toContain('--item is before "find"');
  });
});
