import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type Embedded, openEmbedded } from '../../src/embedded.js';
import { documentImporter } from '../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import { initClickhouseStore } from '../../src/store/clickhouse/schema.js';
import { openStore } from '../../src/store/open.js';
import { runCommand } from '../cli/capture.js';
import { DAY, importVintages, T0, type Vintage } from '../store/conformance/sample-data.js';
import { temporaryFolder } from '../temporary-files.js';
import { dropStore, newAddress } from './fresh-store.js';
import { READING_USER } from './node-config.js';

const folder = temporaryFolder();
const database = newAddress();
const address = `${database}?cluster=nodes`;

/** Two series with revisions: a value that became null, one reported later, one that is the first of its period. */
const VINTAGES: readonly Vintage[] = [
  { day: 0, days: 9, value: 1, available: 100 },
  { day: 10, days: 9, value: 2, available: 100, reported: 90 },
  { day: 10, days: 9, value: 3, available: 120, reported: 110 },
  { day: 10, days: 9, value: 3.5, available: 120, reported: 110 },
  { day: 10, days: 9, value: 4, available: 140, reported: 110 },
  { day: 20, days: 9, value: 5, available: 100 },
  { day: 20, days: 9, value: null, available: 130 },
  { of: { region_id: 22, item_id: 3 }, day: 0, value: 7, unit: 2, available: 100 },
];

/** The same store on servers and in a file. */
let servers: Embedded;
let file: Embedded;

beforeAll(async () => {
  await initClickhouseStore(address);
  const path = join(folder, 'farm.duckdb');
  for (const location of [address, path]) {
    const store = await openStore(location);
    await importDataset(store, documentImporter('demo'), {});
    for (const vintage of VINTAGES) await importVintages(store, [vintage]);
    await store.close();
  }
  servers = await openEmbedded({ path: address });
  file = await openEmbedded({ path });
});

afterEach(() => vi.unstubAllEnvs());

afterAll(async () => {
  await servers.close();
  await file.close();
  await dropStore(`${database}_by_name`);
  await dropStore(database);
});

describe('the views on servers', () => {
  it.each([
    'SELECT * FROM data',
    `SELECT * FROM history WHERE source = 'NASS'`,
    'SELECT * FROM series',
    'SELECT * FROM regions',
    'SELECT * FROM units',
    'SELECT source, long_name, licence, citation, url, dataset FROM sources',
  ])('%s has the rows of a file', async (query) => {
    const ask = async ({ client }: Embedded) =>
      (await client.sql()([query] as unknown as TemplateStringsArray))
        .toRows()
        .map((row) => JSON.stringify(row));
    const expected = (await ask(file)).sort();
    expect(expected.length).toBeGreaterThan(4);
    expect((await ask(servers)).sort()).toEqual(expected);
  });

  it.each([99, 100, 119, 120, 130, 145])('as_of has those of a file on day %i', async (day) => {
    const date = new Date(T0 + day * DAY).toISOString().slice(0, 10);
    const expected =
      await file.client.sql()`SELECT item, value FROM as_of(${date}) ORDER BY series, start_date`;
    const found =
      await servers.client.sql()`SELECT item, value FROM as_of(date = ${date}) ORDER BY series, start_date`;
    expect(found.toRows()).toEqual(expected.toRows());
  });

  it('show nothing of an import that has not ended, or was given up', async () => {
    const count = async () =>
      (await servers.client.sql()`SELECT count() AS points, max(value) AS highest FROM data`).toRows();
    const before = await count();
    const importing = await openStore(address);
    const transaction = await importing.begin();
    await transaction.putEntities('items', [{ id: 77, name: 'Hidden', definition: '', belongsTo: [] }]);
    expect(await count()).toEqual(before);
    await transaction.rollback();
    await importing.close();
    expect(await count()).toEqual(before);
    expect((await servers.client.sql()`SELECT 1 FROM series WHERE item = 'Hidden'`).toRows()).toEqual([]);
  });
});

describe('sql on servers', () => {
  it('binds values, and returns types of frames with the sources', async () => {
    const table =
      await servers.client.sql()`SELECT ${"it's $1"} AS text, ${1.5} AS number, ${2n} AS large, ${true} AS yes,
      ${new Date('1866-07-01T12:00:00Z')} AS date, ${null} AS nothing, toDateTime('2020-01-01 00:00:00', 'UTC') AS time,
      toStartOfYear(min(start_date)) AS first, toUUID('5e49c207-3fe8-46d5-90d5-b30e2e41aaf4') AS id,
      [toDateTime('2020-01-01 00:00:00', 'UTC')] AS times
      FROM data WHERE item IN ${['Wheat', 'Labour']}`;
    expect(table.toRows()).toEqual([
      {
        text: "it's $1",
        number: 1.5,
        large: 2n,
        yes: true,
        date: new Date('1866-07-01T12:00:00Z'),
        nothing: null,
        time: new Date('2020-01-01T00:00:00Z'),
        first: new Date('1565-01-01T00:00:00Z'),
        id: '5e49c207-3fe8-46d5-90d5-b30e2e41aaf4',
        times: ['2020-01-01T00:00:00.000Z'],
      },
    ]);
    expect(table.provenance!.sources.map(({ name }) => name)).toContain('Playfair wheat and wages');
  });

  it('keeps the order of a query whose columns change their type', async () => {
    const table =
      await servers.client.sql()`SELECT toDateTime(number, 'UTC') AS time FROM numbers(300000) ORDER BY number DESC`;
    const times = table.getChild('time')!.toArray() as BigInt64Array;
    expect(times.length).toBe(300_000);
    expect(times.every((time, at) => at === 0 || time < times[at - 1]!)).toBe(true);
  });

  it('takes no tables beside the store', async () => {
    const mine = await servers.client.sql()`SELECT 1 AS one`;
    await expect(servers.client.sql({ mine })`SELECT * FROM mine`).rejects.toThrow(
      'tables: queries on ClickHouse servers can read only the store',
    );
  });
});

describe('cropframe sql', () => {
  const sql = (query: string, store = address) => runCommand(['sql', query, '--store', store]);

  it('answers, also a user who may only read', async () => {
    vi.stubEnv('CROPFRAME_CLICKHOUSE_USER', READING_USER.name);
    vi.stubEnv('CROPFRAME_CLICKHOUSE_PASSWORD', READING_USER.password);
    const query = `SELECT metric, count(*) AS points FROM data WHERE source LIKE 'Playfair%' GROUP BY metric ORDER BY metric;`;
    const stdout = 'metric,points\r\nPrice,52\r\nWage,50\r\n';
    expect(await sql(query)).toEqual({ code: 0, stdout, stderr: '' });
  });

  it.each<readonly [query: string, reason: string]>([
    ['SELECT nothing FROM data', 'Unknown expression identifier `nothing`'],
    ['SELECT * FROM nothing', "Unknown table expression identifier 'nothing'"],
    ['SELECT FROM data WHERE', 'Syntax error'],
    ['DROP VIEW data', 'Cannot execute query in readonly mode'],
    ['SELECT 1; SELECT 2', 'Multi-statements are not allowed'],
    ...[
      `file('/etc/passwd', 'LineAsString')`,
      `url('http://127.0.0.1:1/x', 'LineAsString')`,
      `remote('127.0.0.1:1', system.one)`,
      `executable('x.sh', 'TSV', 'a String')`,
      `s3('http://127.0.0.1:1/bucket/c', 'TSV', 'a String')`,
      `sqlite('/tmp/a.db', 't')`,
    ].map((source) => [`SELECT * FROM ${source}`, 'Cannot execute query in readonly mode'] as const),
    ...[
      `SELECT file('/etc/hostname')`,
      `SELECT COLUMNS('a') APPLY file FROM (SELECT '/etc/hostname' AS a)`,
      `SELECT arrayMap(file, ['/etc/hostname'])`,
      `SELECT 1 FROM numbers(1) WHERE number < length(file('/etc/hostname'))`,
      `EXPLAIN QUERY TREE SELECT file('/etc/hostname')`,
      `/* a */ EXPLAIN actions = 1 SELECT file('/etc/hostname')`,
    ].map((query) => [query, 'file() reads a file on the server'] as const),
  ])('refuses %s', async (query, reason) => {
    const { code, stderr } = await sql(query);
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });

  it('takes "file" for a name', async () => {
    expect(await sql(`SELECT 'file' AS file`)).toMatchObject({ code: 0, stdout: 'file\r\nfile\r\n' });
  });

  it('says how several servers get views', async () => {
    const store = newAddress();
    await initClickhouseStore(store);
    const { code, stderr } = await sql('SELECT 1 FROM data', store);
    expect([code, stderr]).toEqual([1, expect.stringContaining('?cluster=NAME')]);
    await dropStore(store);
  });

  it('refuses a cluster of other servers', async () => {
    const [first, second] = inject('clickhouseHosts');
    const store = `clickhouse://${first},${second}/${newAddress().split('/').at(-1)}`;
    await expect(initClickhouseStore(`${store}?cluster=nodes`)).rejects.toThrow('cluster "nodes"');
    await dropStore(store);
  });
});
