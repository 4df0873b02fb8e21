import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../src/create-client.js';
import { toRows } from '../../src/frame/formats/rows.js';
import { findImporter } from '../../src/ingest/datasets.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import type { ImportOptions } from '../../src/ingest/importer.js';
import type { SeriesKey } from '../../src/model/series.js';
import { newToken, singleTokenAuthorizer } from '../../src/service/access/auth.js';
import { createService } from '../../src/service/service.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { runCommand, temporaryFolder } from '../cli/capture.js';
import { fillWithDemo } from '../journeys/demo-service.js';
import { describeOperations } from '../journeys/operations.js';
import { collect } from '../sequences.js';
import { dropStore, newStoreAddress, openNewStore } from './fresh-store.js';

const folder = temporaryFolder();
const duckdb = join(folder, 'farm.duckdb');
let clickhouse: string;
/** The same data in a file and on three servers. */
let file: Store;
let servers: Store;

const settings = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** What is imported into both, on days by which the figures became available. */
const IMPORTS: readonly (readonly [
  dataset: string,
  file: string | null,
  more?: ImportOptions['settings'],
])[] = [
  ['demo', null],
  ['nass', 'nass/quick-stats.tsv'],
  ['psd', 'psd/grains.csv'],
  ['wasde', 'wasde/wasde0720.xml'],
  ['wasde', 'wasde/wasde1212.xml'],
  ['csv', 'csv/corn.tsv', { mapping: settings('test/fixtures/csv/corn.mapping.json') }],
];

async function importAll(store: Store): Promise<object[]> {
  const reports = [];
  for (const [i, [dataset, path, more]] of IMPORTS.entries()) {
    reports.push(
      await importDataset(store, (await findImporter(dataset))!, {
        files: path === null ? [] : [join('test/fixtures', path)],
        importedMs: Date.UTC(2020, 0, 1 + i),
        maxRejected: 100,
        settings: more,
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
  file = await openStore(duckdb, { readOnly: true });
  servers = await openStore(clickhouse, { readOnly: true });
}, 180_000);
afterAll(async () => {
  await servers?.close();
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
  }, 120_000);
  afterAll(() => store?.close());

  describeOperations(() => clientOf(store));
});

describe('the client over three servers', () => {
  /** Both answers to a question, which must be the same. */
  const same = async <Answer>(ask: (client: Client) => Promise<Answer>): Promise<Answer> => {
    const [expected, found] = await Promise.all([ask(clientOf(file)), ask(clientOf(servers))]);
    expect(found).toEqual(expected);
    return found;
  };

  it('finds and ranks the series that a file has', async () => {
    const found = await same((client) => collect(client.findDataSeries({ item: 'corn', explain: true })));
    expect(found.length).toBeGreaterThan(5);
    await same((client) => collect(client.rankSeriesBySource([found[0]!, found[1]!])));
  });

  it('has the same vintages, and the same figures as of every date', async () => {
    const all = await same((client) => collect(client.findDataSeries({ item: 'corn' })));
    const ids = (field: keyof SeriesKey) => [...new Set(all.map((series) => series[field]))];
    const corn = {
      metric_id: ids('metric_id'),
      item_id: ids('item_id'),
      region_id: ids('region_id'),
      source_id: ids('source_id'),
      frequency_id: ids('frequency_id'),
    };
    const whole = { ...corn, complete_history: true, show_available_date: true, show_metadata: true };
    const complete = await same((client) => client.getDataPoints(whole));
    const latest = await same((client) => client.getDataPoints(corn));
    expect(complete.length).toBeGreaterThan(latest.length);
    await same((client) => client.getDataPoints({ ...corn, reporting_history: true }));
    const dates = new Set(complete.map(({ available_date }) => available_date!));
    expect(dates.size).toBeGreaterThan(3);
    for (const at_time of dates) await same((client) => client.getDataPoints({ ...corn, at_time }));
  });

  it('makes the same frames', async () => {
    const frame = async (client: Client) => {
      for (const series of await collect(client.findDataSeries({ item: 'corn' })))
        client.addSingleDataSeries(series);
      const long = await client.getDf({ include_names: true, show_revisions: true });
      const wide = await client.getDf({ compress_format: true });
      return [toRows(long), toRows(wide)];
    };
    const [long, wide] = await same(frame);
    expect([long!.length > 50, wide!.length > 5]).toEqual([true, true]);
  });
});

describe('the command over three servers', () => {
  // A file that is open here cannot be opened by a command too.
  beforeAll(() => file.close());

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
