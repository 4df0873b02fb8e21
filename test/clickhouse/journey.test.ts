import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../src/create-client.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import { newToken, singleTokenAuthorizer } from '../../src/service/access/auth.js';
import { createService } from '../../src/service/service.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { runCommand, temporaryFolder } from '../cli/capture.js';
import { importerOfFixture } from '../ingest/fixtures.js';
import { fillWithDemo } from '../journeys/demo-service.js';
import { describeOperations } from '../journeys/operations.js';
import { dropStore, newStoreAddress, openNewStore } from './fresh-store.js';

const folder = temporaryFolder();
/** The same data in a file and on three servers. */
const duckdb = join(folder, 'farm.duckdb');
let clickhouse: string;

/** What is imported into both, on days by which the figures became available. */
const IMPORTS: readonly (readonly [dataset: string, file: string | null])[] = [
  ['demo', null],
  ['nass', 'nass/quick-stats.tsv'],
  ['psd', 'psd/grains.csv'],
  ['wasde', 'wasde/wasde0720.xml'],
  ['wasde', 'wasde/wasde1212.xml'],
  ['csv', 'csv/corn.tsv'],
];

async function importAll(store: Store): Promise<object[]> {
  const reports = [];
  for (const [i, [dataset, path]] of IMPORTS.entries()) {
    reports.push(
      await importDataset(store, await importerOfFixture(dataset), {
        files: path === null ? [] : [join('test/fixtures', path)],
        importedMs: Date.UTC(2020, 0, 1 + i),
        maxRejected: 100,
      }),
    );
  }
  return reports;
}

beforeAll(async () => {
  clickhouse = await newStoreAddress();
  const [toFile, toServers] = [await openStore(duckdb), await openStore(clickhouse)];
  expect(await importAll(toServers)).toEqual(await importAll(toFile));
  await toFile.close();
  await toServers.close();
});
afterAll(async () => {
  if (clickhouse !== undefined) await dropStore(clickhouse);
});

function clientOf(store: Store): Client {
  const access_token = newToken();
  const service = createService(store, { authorize: singleTokenAuthorizer(access_token) });
  return createClient({ api_host: 'http://store.invalid', access_token, fetch: service });
}

describe('every operation over three servers', () => {
  let store: Store;
  beforeAll(async () => {
    store = await openNewStore();
    await fillWithDemo(store);
  });
  afterAll(() => store?.close());

  describeOperations(() => clientOf(store));
});

describe('the command over three servers', () => {
  const YIELD = ['--metric', 'yield', '--item', 'corn'];
  it.each([
    ['find', '--item', 'corn', '--json'],
    ['find', '--metric', 'production', '--json'],
    ['find', '--at', '47.61,-122.33', '--json'],
    ['search', 'regions', 'washington', '--json'],
    ['list', '--item', 'corn', '--json'],
    ['units', '--metric', 'yield', '--json'],
    ['points', ...YIELD, '--complete-history', '--available-date', '--names'],
    ['points', ...YIELD, '--at-time', '2020-01-03', '--json'],
    ['df', ...YIELD, '--wide'],
    ['df', '--item', 'Temperature max', '--region', 'Seattle', '--unit', '°F', '--names'],
    ['gdd', '--region', 'Seattle', '--base', '10', '--start', '2015-05-01', '--end', '2015-09-30', '--json'],
  ])('%s answers as over a file: %#', async (...argv) => {
    const expected = await runCommand([...argv, '--store', duckdb]);
    const found = await runCommand([...argv, '--store', clickhouse]);
    expect(found).toEqual(expected);
    expect([found!.code, found!.stdout.length > 20]).toEqual([0, true]);
  });

  it('finds nothing wrong with the store', async () => {
    const check = async (store: string) =>
      JSON.parse((await runCommand(['store', 'check', '--store', store, '--json'])).stdout);
    const strip = ({ sources, ...rest }: { sources: { imported: string }[] }) => ({
      ...rest,
      sources: sources.map(({ imported, ...source }) => source),
    });
    const found = strip(await check(clickhouse));
    expect(found).toEqual(strip(await check(duckdb)));
    expect(found).toMatchObject({ faults: [] });
  });
});
