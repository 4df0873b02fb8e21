import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/program.js';
import { verifyPassword } from '../../../src/service/access/password-hash.js';
import { openStore } from '../../../src/store/open.js';
import { type Ending, recordingIo, runCommand, temporaryFolder, until } from '../capture.js';

const store = join(temporaryFolder(), 'users.duckdb');
beforeAll(async () => (await openStore(store)).close());

/** Answers each prompt of a command on a terminal in turn. */
async function atTerminal(argv: readonly string[], answers: readonly string[]): Promise<Ending> {
  const { io, stdin, stdout, stderr } = recordingIo({ terminal: true });
  const ended = run(argv, io);
  for (const [at, answer] of answers.entries()) {
    await until(() => stderr.text.split(': ').length >= at + 2, ended);
    stdin.write(answer);
  }
  return { code: await ended, stdout: stdout.text, stderr: stderr.text };
}

async function matches(email: string, password: string): Promise<boolean> {
  const opened = await openStore(store, { read_only: true });
  const user = await opened.access.user(email);
  await opened.close();
  return user !== null && verifyPassword(password, user.passwordHash);
}

describe('user add', () => {
  it('reads the first line of a pipe, and lowercases the email', async () => {
    const ending = await runCommand(['user', 'add', 'Ana@Example.org', '--store', store], {
      input: 'a long word\nmore',
    });
    expect(ending).toEqual({ code: 0, stdout: 'added ana@example.org\n', stderr: '' });
    expect(await matches('ana@example.org', 'a long word')).toBe(true);
  });

  it('prompts twice on a terminal without echo, and handles backspace', async () => {
    const typed = ['first wordX\u007f\r', 'first word\r'];
    const ending = await atTerminal(['user', 'add', 'ben@example.org', '--store', store], typed);
    expect(ending.code).toBe(0);
    expect(ending.stdout).toBe('added ben@example.org\n');
    expect(ending.stderr).toBe('New password (at least 8 characters): \nRepeat the password: \n');
    expect(await matches('ben@example.org', 'first word')).toBe(true);
  });

  it('changes the password of an existing user', async () => {
    const ending = await runCommand(['user', 'add', 'ana@example.org', '--store', store], {
      input: 'another word',
    });
    expect(ending.stdout).toBe('changed the password of ana@example.org\n');
    expect(await matches('ana@example.org', 'a long word')).toBe(false);
    expect(await matches('ana@example.org', 'another word')).toBe(true);
  });

  it('refuses passwords that differ, are short or are empty, and invalid emails', async () => {
    const argv = ['user', 'add', 'cleo@example.org', '--store', store];
    const differing = await atTerminal(argv, ['first word\r', 'other word\r']);
    expect(differing.code).toBe(2);
    expect(differing.stderr).toContain('the passwords do not match');
    expect(await runCommand(argv, { input: 'short' })).toMatchObject({ code: 2 });
    expect(await runCommand(argv, { input: '' })).toMatchObject({ code: 2 });
    expect(await runCommand(['user', 'add', 'no email', '--store', store])).toMatchObject({ code: 2 });
    expect(await matches('cleo@example.org', 'first word')).toBe(false);
  });

  it('is undone by user remove, which names the nearest user for another email', async () => {
    await runCommand(['user', 'add', 'eve@example.org', '--store', store], { input: 'a long word' });
    const emails = async () => (await runCommand(['user', 'list', '--store', store])).stdout.split('\n');
    expect(await emails()).toContain('eve@example.org');
    const remove = (email: string) => runCommand(['user', 'remove', email, '--store', store]);
    expect(await remove('evi@example.org')).toMatchObject({ code: 3 });
    expect((await remove('evi@example.org')).stderr).toContain('did you mean eve@example.org?');
    expect(await remove('eve@example.org')).toMatchObject({ code: 0 });
    expect(await emails()).not.toContain('eve@example.org');
  });

  it('stops on Ctrl-C', async () => {
    const ending = await atTerminal(['user', 'add', 'dan@example.org', '--store', store], ['half a\u0003']);
    expect(ending.code).toBe(130);
  });
});
