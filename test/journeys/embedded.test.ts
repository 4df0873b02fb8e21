import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Embedded, openEmbedded } from '../../src/embedded.js';
import { temporaryFolder } from '../temporary-files.js';

const DOCUMENT = {
  source: { name: 'My rain gauge' },
  region: 'place',
  metric: { name: 'Precipitation quantity' },
  item: { name: 'Precipitation' },
  unit: { name: 'mm' },
  start_date: { column: 'day', format: 'YYYY-MM-DD' },
  values: 'rain',
};
const importTable = (text: string, dataset: string | Record<string, unknown> = DOCUMENT) =>
  embedded.client.importFiles({ dataset, files: [{ name: 'rain.csv', content: new Blob([text]) }] });

/** Temporary folders that this process or another has now. */
const folders = () => readdirSync(tmpdir()).filter((name) => /^cropframe-\d+-/.test(name));

const folder = temporaryFolder();
let embedded: Embedded;
let before: string[];
beforeAll(async () => {
  before = folders();
  embedded = await openEmbedded();
});
afterAll(() => embedded.close());

it('imports files by its client, and finds them at once', async () => {
  const table = 'place,day,rain\nIowa,2024-05-01,12.5\nIowa,2024-05-02,0\n';
  expect(await importTable(table)).toMatchObject({ points: 2, added: 2, rejectedRows: 0 });
  expect(await importTable(table)).toMatchObject({ added: 0, unchanged: 2 });
  await embedded.client.addDataSeries({ item: 'Precipitation', region: 'Iowa' });
  expect((await embedded.client.getDf()).toRows().map(({ value }) => value)).toEqual([12.5, 0]);
});

it('looks up what a region contains after each import', async () => {
  const { client } = embedded;
  const ohio = (await client.searchForEntity('regions', 'Ohio'))!;
  const { contains } = await client.lookup('regions', ohio);
  const define = { regions: { 'North field': { within: 'Ohio' } } };
  await importTable('place,day,rain\nNorth field,2024-05-01,4\n', { ...DOCUMENT, define });
  const field = (await client.searchForEntity('regions', 'North field'))!;
  expect((await client.lookup('regions', ohio)).contains).toEqual([...contains, field].sort((a, b) => a - b));
});

it('says what is wrong with a table, and keeps the store as it was', async () => {
  await expect(importTable('place,day,rain\nAtlantis,2024-05-01,1\n')).rejects.toThrow(/Atlantis/);
  await expect(importTable('x\n', { source: 1 })).rejects.toThrow('document: source must be an object');
  await expect(importTable('x\n', 'casv')).rejects.toThrow('there is no data set "casv"');
  expect(await embedded.client.getDataSeries({})).toHaveLength(2);
});

it('creates a store only when told to, and opens one for reading, into which nothing is imported', async () => {
  const path = join(folder, 'farm.duckdb');
  await expect(openEmbedded({ path, read_only: true })).rejects.toThrow('there is no store');
  expect(readdirSync(folder)).toEqual([]);
  const missing = openEmbedded({ path: join(folder, 'fram.duckdb') });
  await expect(missing).rejects.toThrow('Set create: true to make a new one');
  expect(readdirSync(folder)).toEqual([]);
  await (await openEmbedded({ path, create: true })).close();
  await expect(openEmbedded({ path: join(folder, 'fram.duckdb') })).rejects.toThrow(`did you mean ${path}?`);
  const { client, store, close } = await openEmbedded({ path, read_only: true });
  expect(await client.getDataSeries({})).toEqual([]);
  await expect(store.begin().then((transaction) => transaction.rollback())).rejects.toThrow(
    'for reading only',
  );
  await close();
});

it('leaves no files behind when it is closed', async () => {
  const own = await openEmbedded();
  await own.client.importFiles({
    dataset: DOCUMENT,
    files: [{ name: 'rain.csv', content: new Blob(['place,day,rain\nOhio,2024-05-01,3\n']) }],
  });
  const during = folders().filter((name) => !before.includes(name));
  await own.close();
  const after = folders();
  expect(during.filter((name) => !after.includes(name)).length).toBeGreaterThan(0);
});
