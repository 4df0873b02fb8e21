import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Interruption } from '../../../src/cli/terminal/exit-codes.js';
import { openStore } from '../../../src/store/open.js';
import { takeLock } from '../../../src/store/process-lock.js';
import { agencyServer, serveFile } from '../../ingest/fetching/agency-server.js';
import { copyRegionStore } from '../../store-templates.js';
import { type Ending, runCommand, temporaryFolder, words } from '../capture.js';

const server = agencyServer();
const root = temporaryFolder();
const NASS_FOLDER = '/www.nass.usda.gov/datasets/';
const NASS = readFileSync('test/fixtures/nass/quick-stats.tsv', 'utf8');
const PSD = '/apps.fas.usda.gov/psdonline/downloads/psd_alldata_csv.zip';
const PSD_FILE = readFileSync('test/fixtures/psd/grains.csv', 'utf8');
let folder: string;
let store: string;

beforeEach(() => {
  server.reset();
  folder = mkdtempSync(join(root, 'fresh-'));
  store = join(folder, 'farm.duckdb');
});

function command(argv: readonly string[], signal?: AbortSignal): Promise<Ending> {
  const env = { XDG_CACHE_HOME: join(folder, 'cache'), CROPFRAME_MIRROR: server.origin };
  return runCommand(argv, { env, ...(signal && { signal }) });
}

function update(...options: string[]): Promise<Ending> {
  return command(['update', '--store', store, ...options]);
}

async function importFetched(dataset: string): Promise<void> {
  const limits = ['--max-rejects', '200', '--rejects', join(folder, 'rejects.csv')];
  const { code, stderr } = await command(['import', dataset, '--fetch', '--store', store, ...limits]);
  expect(code, stderr).toBe(0);
}

const imported = join(root, 'imported');

/** Leaves the store and the cache as `import nass --fetch` does, which runs once. */
async function importNass(): Promise<void> {
  publishNass('20260918', NASS);
  if (existsSync(imported)) return cpSync(imported, folder, { recursive: true });
  await copyRegionStore(store);
  await importFetched('nass');
  cpSync(folder, imported, { recursive: true });
}

/** The bulk file of a day, the only one that the folder lists. */
function publishNass(date: string, content: string): void {
  const name = `qs.crops_${date}.txt.gz`;
  server.on(NASS_FOLDER, (_request, response) => void response.end(`<a href="${name}">${name}</a>`));
  server.on(NASS_FOLDER + name, serveFile(content, { etag: `"${date}"` }));
}

/** The bulk file, with another value in the row of a line. */
function revised(content: string, line: number): string {
  const lines = content.split('\n');
  const at = lines[0]!.trimEnd().split('\t').indexOf('VALUE');
  const fields = lines[line]!.split('\t');
  fields[at] = '123,456';
  lines[line] = fields.join('\t');
  return lines.join('\n');
}

function cachedNames(): string[] {
  return readdirSync(join(folder, 'cache'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.split('/').at(-1)!)
    .filter((name) => name.startsWith('qs.') || name.startsWith('psd_'))
    .sort();
}

describe('update', () => {
  it('changes nothing while nothing is newer, and says nothing with --quiet', async () => {
    await importNass();
    const { mtimeMs, ino } = statSync(store);
    const { code, stdout, stderr } = await update();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('nass crops\tnothing newer\t0\t0');
    expect(await update('--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(statSync(store)).toMatchObject({ mtimeMs, ino });
    expect(server.requests.filter(({ headers }) => headers['if-none-match'] === '"20260918"')).toHaveLength(
      2,
    );
  });

  it('needs no cache to see that nothing is newer', async () => {
    await importNass();
    const env = { XDG_CACHE_HOME: join(folder, 'empty'), CROPFRAME_MIRROR: server.origin };
    const { stdout } = await runCommand(['update', '--store', store], { env });
    expect(stdout).toContain('nothing newer');
  });

  it('imports a newer file with the options of the first import, and says what changed', async () => {
    await importNass();
    publishNass('20260919', revised(NASS, 1));
    const { code, stdout, stderr } = await update('--json', '--rejects', join(folder, 'r.csv'));
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      updated: true,
      fetches: [{ dataset: 'nass', newer_files: ['qs.crops_20260919.txt.gz'], added: 1, revised: 1 }],
    });
    expect(existsSync(join(folder, 'r.csv'))).toBe(true);
    expect(cachedNames()).toEqual(['qs.crops_20260919.txt.gz']);
    const list = JSON.parse((await update('--list', '--json')).stdout);
    expect(list).toMatchObject([
      { files: [{ address: 'https://www.nass.usda.gov/datasets/qs.crops_20260919.txt.gz' }] },
    ]);
    expect((await update()).stdout).toContain('nothing newer');
  });

  it('leaves the store as it was when one of several cannot be imported', async () => {
    await importNass();
    server.on(PSD, serveFile(PSD_FILE, { etag: '"1"' }));
    await importFetched('psd');
    const before = readFileSync(store);
    publishNass('20260919', revised(NASS, 1));
    server.on(PSD, serveFile('no table', { etag: '"2"' }));
    const { code, stdout, stderr } = await update('--quiet');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('psd_alldata_csv.zip');
    expect(readFileSync(store).equals(before)).toBe(true);
    expect(readdirSync(folder).filter((name) => /update|wal|tmp/.test(name))).toEqual([]);
    server.on(PSD, serveFile(PSD_FILE, { etag: '"1"' }));
    expect((await update()).stdout).toMatch(
      /nass crops\tqs\.crops_20260919\.txt\.gz\t1\t1\npsd alldata\tnothing newer/,
    );
  });

  it('fails, and does not blame the caller, when the agency has changed its list', async () => {
    await importNass();
    server.on(
      NASS_FOLDER,
      (_request, response) => void response.end('<a href="qs.animals_20260919.txt.gz">'),
    );
    const { code, stderr } = await update();
    expect(code).toBe(1);
    expect(stderr).toContain('nass crops can no longer be updated: nass has no file "crops"; it has animals');
    server.on(NASS_FOLDER, (_request, response) => void response.end('<html>moved</html>'));
    const moved = await update();
    expect(moved.code).toBe(1);
    expect(moved.stderr).toContain('no longer lists the files of nass');
  });

  it('finds nothing newer in a new name of the same content', async () => {
    await importNass();
    publishNass('20260919', NASS);
    expect((await update()).stdout).toContain('nothing newer');
  });

  it('leaves the store as it was when it is interrupted', async () => {
    await importNass();
    const before = readFileSync(store);
    const stop = new AbortController();
    server.on(NASS_FOLDER, () => stop.abort(new Interruption('SIGINT')));
    const { code, stderr } = await command(['update', '--store', store], stop.signal);
    expect({ code, stderr }).toEqual({ code: 130, stderr: `interrupted; ${store} is unchanged\n` });
    expect(readFileSync(store).equals(before)).toBe(true);
    expect(existsSync(`${store}.update-lock`)).toBe(false);
  });

  it('runs once at a time, and takes over from a process that has ended', async () => {
    await importNass();
    const release = await takeLock(`${store}.update-lock`);
    const { code, stderr } = await update();
    await release!();
    expect(code).toBe(1);
    expect(stderr).toContain('another update, restore, backup or copy is writing to it');
    writeFileSync(`${store}.update-lock`, '4194999');
    expect((await update()).code).toBe(0);
  });

  it('repeats what the first import was told of its files', async () => {
    const file = readFileSync('test/fixtures/cdo/cdo-standard.csv', 'utf8');
    server.on('/cdo.csv', serveFile(file, { etag: '"1"' }));
    const address = `${server.origin}/cdo.csv`;
    const told = ['--set', 'units=standard', '--set', 'flagged=keep', '--max-rejects', '99'];
    await copyRegionStore(store);
    const { code, stderr } = await command([
      ...words`import cdo ${address} --store ${store} --rejects ${join(folder, 'rejects.csv')}`,
      ...told,
    ]);
    expect(code, stderr).toBe(0);
    const opened = await openStore(store, { read_only: true });
    const [fetch] = await opened.fetches();
    await opened.close();
    expect(JSON.parse(fetch!.settings)).toEqual({
      settings: { units: 'standard', flagged: 'keep' },
      maxRejects: 99,
    });
    server.on('/cdo.csv', serveFile(`${file}\n`, { etag: '"2"' }));
    const updated = await update('--rejects', join(folder, 'rejects.csv'));
    expect(updated.code, updated.stderr).toBe(0);
    expect(updated.stdout).toContain(`cdo ${address}\tcdo.csv\t0\t0`);
  });

  it('leaves no files of the copy behind, in which names were sought', async () => {
    const table = (value: number) => serveFile(`where,year,v\nIowa,2020,${value}\n`, { etag: `"${value}"` });
    const document = join(folder, 'document.json');
    const named = { metric: { name: 'Yield' }, item: { name: 'Corn' }, unit: { name: 't/ha' }, values: 'v' };
    const start_date = { column: 'year', format: 'YYYY' };
    writeFileSync(
      document,
      JSON.stringify({
        source: { name: 'Own' },
        region: { column: 'where', level: 'province' },
        start_date,
        ...named,
      }),
    );
    server.on('/own.csv', table(1));
    const address = `${server.origin}/own.csv`;
    await copyRegionStore(store);
    await command(words`import ${document} ${address} --store ${store}`);
    server.on('/own.csv', table(2));
    const { stdout, stderr } = await update();
    expect(stdout, stderr).toContain('own.csv\t1\t1');
    expect(readdirSync(folder).filter((name) => name.includes('.update.'))).toEqual([]);
  });

  it('says when there is nothing to update', async () => {
    expect(await update()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no store at'),
    });
    await (await openStore(store)).close();
    const { code, stderr } = await update();
    expect(code).toBe(3);
    expect(stderr).toContain('import with --fetch first');
  });

  it('forgets on request', async () => {
    await importNass();
    server.on(PSD, serveFile(PSD_FILE, { etag: '"1"' }));
    await importFetched('psd');
    const wrong = await update('--forget', 'psd');
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('it has "nass crops", "psd alldata"'),
    });
    expect((await update('--forget', 'psd alldata')).stdout).toBe('forgotten: psd alldata\n');
    expect((await update('--list')).stdout).not.toContain('psd');
  });
});
