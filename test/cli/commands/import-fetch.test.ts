import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredFetch } from '../../../src/store/import-records.js';
import { openStore } from '../../../src/store/open.js';
import { agencyServer, serveError, serveFile } from '../../ingest/fetching/agency-server.js';
import { storedPoints } from '../../ingest/stores.js';
import { copyRegionStore } from '../../store-templates.js';
import { type Ending, runCommand, temporaryFolder } from '../capture.js';

const server = agencyServer();
const root = temporaryFolder();
const NASS = 'test/fixtures/nass/quick-stats.tsv';
let folder: string;
let store: string;

beforeEach(() => {
  server.reset();
  folder = mkdtempSync(join(root, 'fresh-'));
  store = join(folder, 'farm.duckdb');
});

function command(...argv: string[]): Promise<Ending> {
  const env = { XDG_CACHE_HOME: join(folder, 'cache'), CROPFRAME_MIRROR: server.origin };
  const rejects =
    argv.includes('--rejects') || argv[0] !== 'import' ? [] : ['--rejects', join(folder, 'rejects.csv')];
  return runCommand([...argv, ...rejects], { env });
}

/** What the store remembers. */
async function remembered(): Promise<StoredFetch[]> {
  const opened = await openStore(store, { read_only: true });
  try {
    return await opened.fetches();
  } finally {
    await opened.close();
  }
}

function fixture(path: string): Buffer {
  return readFileSync(`test/fixtures/${path}`);
}

const LIMITS = ['--max-rejects', '200'];

describe('import --fetch', () => {
  it('imports the newest file as if it had been given', async () => {
    await copyRegionStore(store);
    server.on(
      '/www.nass.usda.gov/datasets/',
      (_request, response) =>
        void response.end(
          '<a href="qs.crops_20260918.txt.gz">a</a> <a href="qs.crops_20260919.txt.gz">b</a>',
        ),
    );
    server.on(
      '/www.nass.usda.gov/datasets/qs.crops_20260919.txt.gz',
      serveFile(readFileSync(NASS), { etag: '"9"' }),
    );
    const fetched = await command('import', 'nass', '--fetch', '--store', store, '--json', ...LIMITS);
    expect(fetched).toMatchObject({ code: 0, stderr: '' });
    const local = join(folder, 'local.duckdb');
    await copyRegionStore(local);
    const given = await command('import', 'nass', NASS, '--store', local, '--json', ...LIMITS);
    const { store: _a, ...counts } = JSON.parse(fetched.stdout);
    const { store: _b, ...expected } = JSON.parse(given.stdout);
    expect(counts).toEqual(expected);
    expect(await remembered()).toMatchObject([
      {
        dataset: 'nass',
        request: 'crops',
        settings: '{"maxRejects":200}',
        files: [{ address: 'https://www.nass.usda.gov/datasets/qs.crops_20260919.txt.gz', etag: '"9"' }],
      },
    ]);
  });

  it('fetches by a document of the user, and again by update', async () => {
    const document = join(folder, 'rain.json');
    const requests = [
      {
        words: { place: { form: '[a-z]+', each: true }, year: { is: 'years' } },
        address: 'https://rain.example/{year}/{place:upper}.csv',
      },
    ];
    const rain = {
      source: { name: 'Rain gauges' },
      region: { name: 'Iowa', level: 'province' },
      metric: { name: 'Precipitation quantity' },
      item: { name: 'Precipitation' },
      unit: { name: 'mm' },
      start_date: 'day',
      values: 'rain',
      fetch: {
        takes: 'places and years',
        example: 'ames,2024',
        documented: 'https://rain.example',
        requests,
      },
    };
    writeFileSync(document, JSON.stringify(rain));
    const serve = (rows: string, etag: string) =>
      server.on('/rain.example/2024/AMES.csv', serveFile(`day,rain\n${rows}`, { etag }));
    serve('2024-05-01,1.5\n', '"1"');
    await copyRegionStore(store);
    const fetched = await command('import', document, '--fetch', 'ames,2024', '--store', store, '--json');
    expect(fetched.code, fetched.stderr).toBe(0);
    expect(JSON.parse(fetched.stdout)).toMatchObject({ points: 1, added: 1 });
    serve('2024-05-01,1.5\n2024-05-02,0\n', '"2"');
    const updated = await command('update', '--store', store, '--json', '--rejects', join(folder, 'r.csv'));
    expect(updated.code, updated.stderr).toBe(0);
    expect(JSON.parse(updated.stdout)).toMatchObject({ updated: true, fetches: [{ added: 1, revised: 0 }] });
  });

  it('asks for a store before it fetches anything', async () => {
    const { code, stderr } = await command('import', 'nass', '--fetch');
    expect(code).toBe(2);
    expect(stderr).toContain('use --store FILE');
    expect(server.requests).toEqual([]);
  });

  it('names what it takes, and refuses files beside it', async () => {
    const none = await command('import', 'ghcnd', '--fetch', '--store', store);
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('ghcnd needs ids of stations, or years'),
    });
    const both = await command('import', 'nass', NASS, '--fetch=crops', '--store', store);
    expect(both).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--fetch: cannot be combined with files'),
    });
    const demo = await command('import', 'demo', '--fetch', 'x', '--store', store);
    expect(demo).toMatchObject({ code: 2, stderr: expect.stringContaining('demo comes with the package') });
  });

  it('leaves no store when the file cannot be fetched', async () => {
    server.on('/apps.fas.usda.gov/psdonline/downloads/psd_alldata_csv.zip', serveError(403));
    const { code, stderr } = await command('import', 'psd', '--fetch', '--store', store);
    expect(code).toBe(1);
    expect(stderr).toContain('the server refuses the request (403)');
    await expect(remembered()).rejects.toThrow();
  });
});

describe('an address in place of a file', () => {
  it('is fetched as it is, mirror or not', async () => {
    await copyRegionStore(store);
    server.on('/table', serveFile(readFileSync(NASS), { lastModified: 'Sat, 21 Nov 2026 08:00:00 GMT' }));
    const address = `${server.origin}/table?part=all`;
    const { code, stderr } = await command('import', 'nass', address, '--store', store, ...LIMITS);
    expect(code, stderr).toBe(0);
    expect(await remembered()).toMatchObject([
      {
        dataset: 'nass',
        request: address,
        files: [{ address, lastModified: 'Sat, 21 Nov 2026 08:00:00 GMT' }],
      },
    ]);
    const opened = await openStore(store, { read_only: true });
    expect((await storedPoints(opened)).length).toBeGreaterThan(0);
    await opened.close();
  });

  it('is not remembered beside a local file, which an update would miss', async () => {
    await copyRegionStore(store);
    server.on('/small.dly', serveFile(fixture('ghcnd/small.dly')));
    const stations = join(folder, 'stations.txt');
    writeFileSync(stations, fixture('ghcnd/ghcnd-stations.txt'));
    const { code, stderr } = await command(
      'import',
      'ghcnd',
      stations,
      `${server.origin}/small.dly`,
      '--store',
      store,
      ...LIMITS,
    );
    expect(code, stderr).toBe(0);
    expect(await remembered()).toEqual([]);
  });

  it('works in a dry run', async () => {
    server.on('/small.dly', serveFile(fixture('ghcnd/small.dly')));
    const { code, stdout, stderr } = await command(
      'import',
      'ghcnd',
      `${server.origin}/small.dly`,
      '--dry-run',
      ...LIMITS,
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('preview of ghcnd');
  });
});
