import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toRows } from '../../src/frame/formats/rows.js';
import { openSqlStore } from '../../src/sql/store-sql.js';
import { startCommand } from '../cli/process.js';
import { agencyServer, serveFile } from '../ingest/fetching/agency-server.js';
import { TRIALS_MAPPING } from '../trials-mapping.js';

const server = agencyServer();
const root = mkdtempSync(join(tmpdir(), 'two-writers-'));
const table = (rows: string) => `state,year,value\n${rows}\n`;
afterAll(() => rmSync(root, { recursive: true }));

const run = (folder: string, argv: readonly string[]) => {
  const { ended, said } = startCommand(argv, { XDG_CACHE_HOME: join(folder, 'cache') });
  return ended().then((code) => ({ code, ...said() }));
};
const storeIn = (folder: string) => join(folder, 'farm.duckdb');
const backupIn = (folder: string) => join(folder, 'good.duckdb');

/** The values of the states that have one. */
type Values = Readonly<Record<string, number>>;

interface Writer {
  readonly argv: (folder: string) => readonly string[];
  /** The content of the store after it. */
  readonly after: (before: Values) => Values;
}

const mapping = ['--mapping', join(root, 'mapping.json')];
const WRITERS: Readonly<Record<string, Writer>> = {
  import: {
    argv: (folder) => ['import', 'csv', join(root, 'other.csv'), ...mapping, '--store', storeIn(folder)],
    after: (before) => ({ ...before, Ohio: 7 }),
  },
  update: {
    argv: (folder) => ['update', '--store', storeIn(folder)],
    after: (before) => ({ ...before, Iowa: 2 }),
  },
  restore: {
    argv: (folder) => ['store', 'restore', backupIn(folder), storeIn(folder), '--replace'],
    after: () => ({ Iowa: 1 }),
  },
  token: {
    argv: (folder) => ['token', 'create', '--name', 'me', '--store', storeIn(folder)],
    after: (before) => before,
  },
};

const base = join(root, 'base');
beforeAll(async () => {
  mkdirSync(base);
  writeFileSync(join(root, 'mapping.json'), JSON.stringify(TRIALS_MAPPING));
  writeFileSync(join(root, 'other.csv'), table('Ohio,2020,7'));
  const publish = (value: number) =>
    server.on('/trials.csv', serveFile(table(`Iowa,2020,${value}`), { etag: `"${value}"` }));
  publish(1);
  const imported = ['import', 'csv', `${server.origin}/trials.csv`, ...mapping, '--store', storeIn(base)];
  expect(await run(base, imported)).toMatchObject({ code: 0 });
  expect(await run(base, ['store', 'backup', storeIn(base), backupIn(base)])).toMatchObject({ code: 0 });
  // Differs from the backup.
  writeFileSync(join(root, 'more.csv'), table('Utah,2020,5'));
  const more = ['import', 'csv', join(root, 'more.csv'), ...mapping, '--store', storeIn(base)];
  expect(await run(base, more)).toMatchObject({ code: 0 });
  publish(2);
}, 120_000);

async function valuesOf(folder: string): Promise<Values> {
  const store = await openSqlStore(storeIn(folder));
  const rows = toRows(await store.ask('SELECT region, value FROM data', {}));
  await store.close();
  return Object.fromEntries(rows.map(({ region, value }) => [region, value]));
}

const names = Object.keys(WRITERS);
const pairs = names.flatMap((a, at) => names.slice(at).map((b) => [a, b] as const)).slice(0, -1);

describe('two commands that write one store at once', () => {
  it.each(pairs)(
    '%s and %s leave what one after the other leaves',
    async (...pair) => {
      const folder = mkdtempSync(join(root, 'pair-'));
      cpSync(base, folder, { recursive: true });
      const writers = pair.map((name) => WRITERS[name]!);
      const ended = await Promise.all(writers.map(({ argv }) => run(folder, argv(folder))));
      const [first, second] = writers.filter((_, at) => ended[at]!.code === 0);
      for (const { code, stderr } of ended)
        if (code !== 0)
          expect(stderr).toMatch(/in use by another process|another update, restore|was (written|replaced)/);
      expect(first).toBeDefined();
      const orders = [
        [first, second],
        [second, first],
      ].map((order) => order.reduce<Values>((values, writer) => writer?.after(values) ?? values, START));
      expect(orders).toContainEqual(await valuesOf(folder));
      expect(readdirSync(folder).sort()).toEqual(
        expect.not.arrayContaining([expect.stringMatching(/lock|update|restore|wal/)]),
      );
    },
    120_000,
  );

  it('makes one of two backups in one file', async () => {
    const to = join(mkdtempSync(join(root, 'backups-')), 'copy.duckdb');
    const both = await Promise.all([0, 1].map(() => run(base, ['store', 'backup', storeIn(base), to])));
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(readFileSync(to).length).toBeGreaterThan(0);
  }, 60_000);
});

const START: Values = { Iowa: 1, Utah: 5 };
