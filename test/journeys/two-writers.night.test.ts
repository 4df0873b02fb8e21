import { cpSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSqlStore } from '../../src/sql/store-sql.js';
import { runCommand, temporaryFolder } from '../cli/capture.js';
import { startCommand } from '../cli/process.js';
import { someOf } from '../endurance.js';
import { agencyServer, serveFile } from '../ingest/fetching/agency-server.js';
import { copyRegionStore } from '../store-templates.js';
import { TRIALS_DOCUMENT } from '../trials-document.js';

const server = agencyServer();
const root = temporaryFolder();

const environment = (folder: string) => ({ XDG_CACHE_HOME: join(folder, 'cache') });
const start = (folder: string, argv: readonly string[]) => startCommand(argv, environment(folder));
/** Runs a command in this process. */
const runHere = (folder: string, argv: readonly string[]) => runCommand(argv, { env: environment(folder) });
const run = (folder: string, argv: readonly string[]) => {
  const { ended, said } = start(folder, argv);
  return ended().then((code) => ({ code, ...said() }));
};
const storeIn = (folder: string) => join(folder, 'farm.duckdb');
const backupIn = (folder: string) => join(folder, 'good.duckdb');
const newIn = (folder: string) => join(folder, 'new.duckdb');

/** The values of the states that have one, and 1 for the demo; null without a store. */
type Values = Readonly<Record<string, number>> | null;

interface Writer {
  readonly run: (folder: string) => ReturnType<typeof run>;
  /** The content of the store after it; undefined if it refuses such a store. */
  readonly after: (before: Values) => Values | undefined;
}

const command = (argv: (folder: string) => readonly string[], after: Writer['after']): Writer => ({
  run: (folder) => run(folder, argv(folder)),
  after,
});

const document = join(root, 'document.json');
const table = (rows: string) => `state,year,value\n${rows}\n`;
const START: Values = { Iowa: 1, Utah: 5 };
const GOOD: Values = { Iowa: 1 };

let token: string;

/** A service that imports a file for a client. */
async function importByService(folder: string): ReturnType<typeof run> {
  const argv = ['serve', '--store', storeIn(folder), '--allow-import', '--port', '0'];
  const { child, until, ended, said } = start(folder, argv);
  const listening = await until(/listening on (\S+)/).catch(() => null);
  if (listening === null) return { code: await ended(), ...said() };
  const service = ['--host', listening[1]!, '--token', token];
  const done = await runHere(folder, ['import', document, join(root, 'sent.csv'), ...service]);
  child.kill('SIGTERM');
  await ended();
  return done;
}

const importInto = (store: (folder: string) => string): Record<string, Writer> => ({
  import: command(
    (folder) => ['import', document, join(root, 'other.csv'), '--store', store(folder)],
    (before) => ({ ...before, Ohio: 7 }),
  ),
  demo: command(
    (folder) => ['import', 'demo', '--store', store(folder)],
    (before) => ({ ...before, demo: 1 }),
  ),
});
const restore = (store: (folder: string) => string): Writer =>
  command(
    (folder) => ['store', 'restore', backupIn(folder), store(folder), '--replace'],
    () => GOOD,
  );
const ifNew = (values: Values) => (before: Values) => (before === null ? values : undefined);

const WRITERS: Readonly<Record<string, Writer>> = {
  ...importInto(storeIn),
  update: command(
    (folder) => ['update', '--store', storeIn(folder)],
    (before) => ({ ...before, Iowa: 2 }),
  ),
  restore: restore(storeIn),
  token: command(
    (folder) => ['token', 'create', '--name', 'me', '--store', storeIn(folder)],
    (before) => before,
  ),
  service: { run: importByService, after: (before) => ({ ...before, Kansas: 3 }) },
};

const CREATORS: Readonly<Record<string, Writer>> = {
  ...importInto(newIn),
  'restore --replace': restore(newIn),
  restore: command((folder) => ['store', 'restore', backupIn(folder), newIn(folder)], ifNew(GOOD)),
  copy: command((folder) => ['store', 'copy', storeIn(folder), newIn(folder)], ifNew(START)),
  backup: command((folder) => ['store', 'backup', storeIn(folder), newIn(folder)], ifNew(START)),
};

const base = join(root, 'base');
beforeAll(async () => {
  mkdirSync(base);
  writeFileSync(join(root, 'document.json'), JSON.stringify(TRIALS_DOCUMENT));
  writeFileSync(join(root, 'other.csv'), table('Ohio,2020,7'));
  writeFileSync(join(root, 'sent.csv'), table('Kansas,2020,3'));
  const publish = (value: number) =>
    server.on('/trials.csv', serveFile(table(`Iowa,2020,${value}`), { etag: `"${value}"` }));
  publish(1);
  await copyRegionStore(storeIn(base));
  const imported = ['import', document, `${server.origin}/trials.csv`, '--store', storeIn(base)];
  expect(await runHere(base, imported)).toMatchObject({ code: 0 });
  expect(await runHere(base, ['store', 'backup', storeIn(base), backupIn(base)])).toMatchObject({ code: 0 });
  // Differs from the backup.
  writeFileSync(join(root, 'more.csv'), table('Utah,2020,5'));
  const more = ['import', document, join(root, 'more.csv'), '--store', storeIn(base)];
  expect(await runHere(base, more)).toMatchObject({ code: 0 });
  publish(2);
  const create = ['token', 'create', '--name', 'importer', '--right', 'import', '--store', storeIn(base)];
  token = (await runHere(base, create)).stdout.trim();
}, 120_000);

async function valuesOf(file: string): Promise<Values> {
  const store = await openSqlStore(file);
  const rows = (
    await store.ask(
      `SELECT DISTINCT CASE source WHEN 'Trials' THEN region ELSE 'demo' END AS name,
        CASE source WHEN 'Trials' THEN value ELSE 1 END AS value FROM data`,
      {},
    )
  ).toRows();
  await store.close();
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

const REFUSED =
  /in use by another process|another update, restore|already exists|was (written|replaced)|already a valid token/;

interface Pairs {
  readonly writers: Readonly<Record<string, Writer>>;
  readonly file: (folder: string) => string;
  readonly before: Values;
}

/** Runs two writers at once in a copy of the base folder. */
async function expectOneAfterTheOther(
  names: readonly string[],
  { writers, file, before }: Pairs,
): Promise<void> {
  const folder = mkdtempSync(join(root, 'pair-'));
  cpSync(base, folder, { recursive: true });
  const pair = names.map((name) => writers[name]!);
  const ended = await Promise.all(pair.map((writer) => writer.run(folder)));
  for (const { code, stderr } of ended) if (code !== 0) expect(stderr).toMatch(REFUSED);
  const done = pair.filter((_, at) => ended[at]!.code === 0);
  expect(done.length).toBeGreaterThan(0);
  const orders = [done, done.toReversed()].map((order) =>
    order.reduce<Values | undefined>(
      (values, writer) => (values === undefined ? undefined : writer.after(values)),
      before,
    ),
  );
  expect(orders).toContainEqual(await valuesOf(file(folder)));
  expect(readdirSync(folder)).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/lock|wal|cropframe-/)]),
  );
}

const pairsOf = (writers: Readonly<Record<string, Writer>>) =>
  Object.keys(writers).flatMap((a, at, names) => names.slice(at).map((b) => [a, b] as const));

describe('two commands that write one store at once leave what one after the other leaves:', () => {
  const pairs: Pairs = { writers: WRITERS, file: storeIn, before: START };
  it.each(someOf(pairsOf(WRITERS), 3))(
    '%s and %s',
    (...pair) => expectOneAfterTheOther(pair, pairs),
    120_000,
  );
});

describe('two commands that create one store at once leave what one after the other leaves:', () => {
  const pairs: Pairs = { writers: CREATORS, file: newIn, before: null };
  it.each(someOf(pairsOf(CREATORS), 2))(
    '%s and %s',
    (...pair) => expectOneAfterTheOther(pair, pairs),
    120_000,
  );
});

it('commands name the process that has the store, and a remedy of their own', async () => {
  const folder = mkdtempSync(join(root, 'busy-'));
  cpSync(base, folder, { recursive: true });
  const holder = start(folder, ['serve', '--store', storeIn(folder), '--allow-import', '--port', '0']);
  await holder.until(/listening on/);
  const at = ['--store', storeIn(folder)];
  for (const argv of [
    ['store', 'copy', storeIn(folder), newIn(folder)],
    ['store', 'backup', storeIn(folder), newIn(folder)],
    ['store', 'restore', backupIn(folder), storeIn(folder), '--replace'],
    ['store', 'check', ...at],
    ['update', ...at],
    ['import', 'demo', ...at],
    ['find', 'corn', ...at],
    ['serve', ...at, '--port', '0'],
  ]) {
    const { code, stderr } = await runHere(folder, argv);
    const holding = expect.stringContaining(`(PID ${holder.child.pid}); `);
    expect([code, stderr], argv.join(' ')).toEqual([1, holding]);
    expect(stderr, argv.join(' ')).not.toContain('read_only');
  }
  holder.child.kill('SIGTERM');
  await holder.ended();
}, 120_000);
