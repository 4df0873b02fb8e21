import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../cli/capture.js';
import { startCommand } from '../cli/process.js';
import { someOf } from '../endurance.js';
import { agencyServer, serveFile } from '../ingest/fetching/agency-server.js';
import { copyRegionStore } from '../store-templates.js';
import { temporaryFolder } from '../temporary-files.js';
import { TRIALS_DOCUMENT } from '../trials-document.js';

const server = agencyServer();
const root = temporaryFolder();
const base = join(root, 'base');
const table = (rows: string) => `state,year,value\n${rows}\n`;

const start = (folder: string, argv: readonly string[]) =>
  startCommand(argv, { XDG_CACHE_HOME: join(folder, 'cache'), TMPDIR: join(folder, 'tmp') });
async function run(folder: string, argv: readonly string[]): Promise<void> {
  const { ended, said } = start(folder, argv);
  expect([await ended(), said().stderr]).toEqual([0, expect.anything()]);
}
const storeIn = (folder: string) => join(folder, 'farm.duckdb');
const importing = (folder: string, source: string) =>
  ['import', join(root, 'document.json'), source, '--store', storeIn(folder)] as const;

beforeAll(async () => {
  mkdirSync(join(base, 'tmp'), { recursive: true });
  writeFileSync(join(root, 'document.json'), JSON.stringify(TRIALS_DOCUMENT));
  writeFileSync(join(root, 'other.csv'), table('Ohio,2020,7'));
  server.on('/trials.csv', serveFile(table('Iowa,2020,1'), { etag: '"1"' }));
  await copyRegionStore(storeIn(base));
  const env = { XDG_CACHE_HOME: join(base, 'cache') };
  for (const argv of [
    importing(base, `${server.origin}/trials.csv`),
    ['store', 'backup', storeIn(base), join(base, 'good.duckdb')],
  ])
    expect(await runCommand(argv, { env })).toMatchObject({ code: 0 });
  server.on('/trials.csv', serveFile(table('Iowa,2020,2'), { etag: '"2"' }));
}, 60_000);

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('cache') && !name.includes('search-'),
  );

/** Kills a command as soon as there is a draft of a store. */
async function killWhileDrafting(folder: string, argv: readonly string[]): Promise<void> {
  const pattern = /duckdb\.cropframe-[\w.-]+$/;
  const { child, ended, said } = start(folder, argv);
  while (!filesIn(folder).some((name) => pattern.test(name))) {
    if (child.exitCode !== null) throw new Error(`ended before ${pattern}: ${said().stderr}`);
    await sleep(1);
  }
  child.kill('SIGKILL');
  expect(await ended()).toBeNull();
  expect(filesIn(folder)).toContainEqual(expect.stringMatching(pattern));
}

describe('a command that is killed leaves nothing once the next one has used the store:', () => {
  const copy = (folder: string) => join(folder, 'copy.duckdb');
  const replacing: readonly (readonly [string, (folder: string) => readonly string[]])[] = [
    ['update', (folder) => ['update', '--store', storeIn(folder)]],
    ['restore', (folder) => ['store', 'restore', join(folder, 'good.duckdb'), storeIn(folder), '--replace']],
  ];
  it.each(someOf(replacing, 1))('%s', async (_, argv) => {
    const folder = mkdtempSync(join(root, 'killed-'));
    cpSync(base, folder, { recursive: true });
    const before = filesIn(folder).sort();
    await killWhileDrafting(folder, argv(folder));
    await run(folder, importing(folder, join(root, 'other.csv')));
    expect(
      filesIn(folder)
        // The next holder takes over the lock.
        .filter((name) => !/\.rejects|update-lock/.test(name))
        .sort(),
    ).toEqual(before);
  });

  it.each(someOf(['copy', 'backup'], 1))('%s', async (kind) => {
    const folder = mkdtempSync(join(root, 'killed-'));
    cpSync(base, folder, { recursive: true });
    await killWhileDrafting(folder, ['store', kind, storeIn(folder), copy(folder)]);
    await run(folder, ['import', 'demo', '--store', copy(folder)]);
    expect(filesIn(folder).filter((name) => name.includes('cropframe-'))).toEqual([]);
  });

  it('files that the engine spilled', async () => {
    const folder = mkdtempSync(join(root, 'killed-'));
    cpSync(base, folder, { recursive: true });
    const { pid } = spawnSync('true');
    const id = '00000000-0000-4000-8000-000000000000-0123456789abcdef';
    const host = execFileSync('hostname', { encoding: 'utf8' }).trim();
    const spilled = `${storeIn(folder)}.cropframe-${pid}-${host}-${id}`;
    mkdirSync(spilled);
    writeFileSync(join(spilled, 'duckdb_temp_storage_DEFAULT-0.tmp'), 'rows');
    await run(folder, importing(folder, join(root, 'other.csv')));
    expect(existsSync(spilled)).toBe(false);
  });
});
