import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { openStore } from '../../src/store/open.js';
import { runCommand, temporaryFolder } from '../cli/capture.js';
import { newAddress, newStoreAddress } from './fresh-store.js';
import { importFirst } from './importing/two-imports.js';
import { SECOND_USER } from './node-config.js';

const folder = temporaryFolder();
const MISSING = /there is no store at .*; run "cropframe store init --store clickhouse:/;

afterEach(() => vi.unstubAllEnvs());

describe('cropframe store init', () => {
  it('creates a store as often as it is asked', async () => {
    const store = newAddress();
    for (let i = 0; i < 2; i++) {
      expect(await runCommand(['store', 'init', '--store', store])).toEqual({
        code: 0,
        stdout: `${store} is a store of this version, on 3 shards\n`,
        stderr: '',
      });
    }
    expect((await runCommand(['token', 'list', '--store', store])).code).toBe(0);
  });

  it('prints statements that create the tables on a single server', async () => {
    const store = newAddress();
    const { code, stdout } = await runCommand(['store', 'init', '--store', store, '--print']);
    expect(code).toBe(0);
    expect(await runCommand(['token', 'list', '--store', store])).toMatchObject({ code: 1 });
    const [host] = inject('clickhouseHosts');
    for (const statement of stdout.trim().split(/;$/m).slice(0, -1)) {
      const answer = await fetch(`http://${host}/`, { method: 'POST', body: statement });
      expect(await answer.text()).toBe('');
    }
    const database = new URL(store.replace(/,[^/]*/, '')).pathname.slice(1);
    const single = `clickhouse://${host}/${database}`;
    expect((await runCommand(['store', 'init', '--store', single])).stdout).toContain('on 1 shard\n');
  });

  it('prints ON CLUSTER for a named cluster', async () => {
    const address = 'clickhouse://a/farm?cluster=main';
    const { stdout } = await runCommand(['store', 'init', '--store', address, '--print']);
    const tables = stdout.slice(0, stdout.indexOf('farm_by_name'));
    const statements = tables.split('\n').filter((line) => line.startsWith('CREATE '));
    expect(statements.length).toBeGreaterThan(15);
    for (const statement of statements.slice(0, -1)) expect(statement).toContain(" ON CLUSTER 'main'");
  });

  it('refuses a path', async () => {
    const { code, stderr } = await runCommand(['store', 'init', '--store', 'farm.duckdb']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('farm.duckdb is a file, which the first import'),
    ]);
  });
});

describe('commands without a store on the servers', () => {
  it.each([
    ['find', '--item', 'corn'],
    ['token', 'create', '--name', 'a'],
    ['serve', '--port', '0', '--no-auth'],
    ['import', 'demo'],
    ['store', 'check'],
    ['update'],
  ])('%s says how to create one', async (...argv) => {
    const { code, stderr } = await runCommand([...argv, '--store', newAddress()]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(MISSING)]);
  });
});

describe('what is done otherwise with servers', () => {
  it('names the command that does it', async () => {
    const store = await newStoreAddress();
    const messageOf = async (...argv: string[]) => (await runCommand(argv)).stderr;
    expect(await messageOf('store', 'backup', store, join(folder, 'backup.duckdb'))).toMatch(/store copy/);
    expect(await messageOf('store', 'restore', join(folder, 'backup.duckdb'), store)).toMatch(/store copy/);
    expect(await messageOf('update', '--store', store)).toMatch(/has no downloads to update/);
  });
});

describe('cropframe store copy', () => {
  const file = join(folder, 'copied.duckdb');
  beforeAll(async () => {
    const store = await openStore(file);
    await importFirst(store);
    await store.close();
  });

  it('shows how far it is on a terminal, and says what was copied', async () => {
    const store = await newStoreAddress();
    const there = await runCommand(['store', 'copy', file, store], { terminal: true });
    expect(there.code).toBe(0);
    for (const label of ['copying points', 'merging points'])
      expect(there.stderr).toMatch(new RegExp(`${label} █+ 100 % · 36,000 rows`));
    expect(there.stdout).toMatch(
      /^copied .*: 6 series, 36,000 points with their revisions\. Users and tokens/,
    );
    const to = join(folder, 'back.duckdb');
    const back = await runCommand(['store', 'copy', store, to, '--json']);
    expect([back.code, back.stderr]).toEqual([0, '']);
    expect(JSON.parse(back.stdout)).toEqual({ from: store, to, series: 6, points: 36_000 });
  });

  it('refuses what it cannot copy, or copy to, and writes nothing', async () => {
    const [empty, missing] = [await newStoreAddress(), newAddress()];
    const [none, to] = [join(folder, 'none.duckdb'), join(folder, 'to.duckdb')];
    const cases = [
      [file, file, 'cannot be copied onto itself'],
      [none, empty, none],
      [empty, to, 'has no points; there is nothing to copy'],
      [missing, to, 'run "cropframe store init --store clickhouse:'],
      [file, missing, 'run "cropframe store init --store clickhouse:'],
      [file, join(folder, 'missing', 'to.duckdb'), join(folder, 'missing')],
    ] as const;
    for (const [from, target, message] of cases) {
      const { code, stdout, stderr } = await runCommand(['store', 'copy', from, target]);
      expect([message, code, stdout, stderr]).toEqual([message, 1, '', expect.stringContaining(message)]);
    }
    expect([none, to].filter((path) => existsSync(path))).toEqual([]);
    expect((await runCommand(['store', 'copy', file])).code).toBe(2);
  });
});

describe('the password of the servers', () => {
  it('stands in no message and in no list of processes, whatever fails', async () => {
    const store = newAddress();
    const file = join(folder, 'password');
    writeFileSync(file, `${SECOND_USER.password}\n`, { mode: 0o600 });
    vi.stubEnv('CROPFRAME_CLICKHOUSE_USER', SECOND_USER.name);
    vi.stubEnv('CROPFRAME_CLICKHOUSE_PASSWORD_FILE', file);
    const said: string[] = [];
    const run = async (...argv: string[]) => {
      const { stdout, stderr } = await runCommand([...argv, '--store', store]);
      said.push(stdout, stderr);
      return stderr;
    };
    expect(await run('token', 'list')).toMatch(MISSING);
    expect(await run('store', 'init')).toBe('');
    expect(await run('token', 'list')).toBe('');
    expect(await run('store', 'init', '--print')).toBe('');
    writeFileSync(file, `${SECOND_USER.password} with a mistake\n`);
    expect(await run('find', '--item', 'corn')).toMatch(/rejected the user or the password/);
    said.push(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }));
    expect(said.join('\n')).not.toContain(SECOND_USER.password);
  });

  it('is refused in an address, which is not repeated', async () => {
    const store = `clickhouse://me:tiger@${inject('clickhouseHosts')[0]}/farm`;
    for (const argv of [['find', '--item', 'corn'], ['store', 'init'], ['serve'], ['import', 'demo']]) {
      const { code, stdout, stderr } = await runCommand([...argv, '--store', store]);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/must not contain a user name or a password/),
      ]);
      expect(stdout + stderr).not.toContain('tiger');
    }
  });
});
