import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { hashToken } from '../../../src/service/access/auth.js';
import { openStore } from '../../../src/store/open.js';
import { runCommand, temporaryFolder } from '../capture.js';

const store = join(temporaryFolder(), 'tokens.duckdb');
beforeAll(async () => (await openStore(store)).close());
const token = (...argv: string[]) => runCommand(['token', ...argv, '--store', store]);

describe('token', () => {
  it('is printed once and stored as a hash', async () => {
    const { code, stdout, stderr } = await token('create', '--name', 'cron', '--email', 'Ana@example.org');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^cf_[\w-]{43}\n$/);
    const opened = await openStore(store, { read_only: true });
    const kept = await opened.access.tokenByHash(hashToken(stdout.trim()));
    await opened.close();
    expect(kept).toMatchObject({ name: 'cron', email: 'ana@example.org', expiresMs: null });
    const list = await token('list', '--json');
    expect(list.stdout).not.toContain(stdout.trim());
    expect(JSON.parse(list.stdout)).toMatchObject([{ name: 'cron', state: 'valid' }]);
  });

  it.each([
    ['12h', 0.5],
    ['30d', 30],
    ['2w', 14],
    ['1y', 365],
  ])('expires after %s', async (span, days) => {
    const { stdout } = await token('create', '--name', span, '--expires', span, '--json');
    const minutes = (Date.parse(JSON.parse(stdout).expires) - Date.now()) / 60_000;
    expect(Math.abs(minutes - days * 1440)).toBeLessThan(5);
  });

  it('expires on a date', async () => {
    const made = await token('create', '--name', 'dated', '--expires', '2999-01-01', '--json');
    expect(JSON.parse(made.stdout)).toMatchObject({ name: 'dated', expires: '2999-01-01T00:00Z' });
  });

  it('may only read unless rights are given', async () => {
    await token('create', '--name', 'reader');
    const made = await token('create', '--name', 'loader', '--right', 'import', '--json');
    expect(JSON.parse(made.stdout)).toMatchObject({ name: 'loader', rights: ['read', 'import'] });
    await token('create', '--name', 'chief', '--right', 'administer', '--right', 'import');
    const rights = JSON.parse((await token('list', '--json')).stdout).map(
      (one: { name: string; rights: string }) => [one.name, one.rights],
    );
    expect(rights).toContainEqual(['reader', 'read']);
    expect(rights).toContainEqual(['chief', 'read, import, administer']);
    expect(await token('create', '--name', 'odd', '--right', 'write')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('import, administer'),
    });
  });

  it('needs an unused name, and a revoked name is unused', async () => {
    expect(await token('create', '--name', 'cron')).toMatchObject({ code: 2, stdout: '' });
    expect(await token('revoke', 'cron')).toMatchObject({ code: 0, stdout: 'revoked 1 token "cron"\n' });
    expect(await token('revoke', 'cron')).toMatchObject({ code: 3, stdout: '' });
    expect(await token('create', '--name', 'cron')).toMatchObject({ code: 0 });
    const states = JSON.parse((await token('list', '--json')).stdout)
      .filter(({ name }: { name: string }) => name === 'cron')
      .map(({ state }: { state: string }) => state);
    expect(states.sort()).toEqual(['revoked', 'valid']);
  });

  it.each([['yesterday'], ['2001-01-01'], ['30x'], ['0d']])('refuses to expire %s', async (when) => {
    expect(await token('create', '--name', 'never', '--expires', when)).toMatchObject({
      code: 2,
      stdout: '',
    });
  });

  it('refuses to expire in the past', async () => {
    expect(await token('create', '--name', 'past', '--expires', '2019-12-31')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a time in the future'),
    });
  });

  it('needs a name and a store', async () => {
    expect((await token('create')).stderr).toContain("required option '--name <name>'");
    expect((await runCommand(['token', 'list'])).stderr).toContain("required option '--store <file>'");
  });
});
