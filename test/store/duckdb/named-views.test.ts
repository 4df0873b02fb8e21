import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { usCountyRegionId, usStateRegionId } from '../../../src/ingest/regions/ids.js';
import { openStore } from '../../../src/store/open.js';
import { temporaryFolder } from '../../temporary-files.js';
import { DAY, importVintages, readRows, T0, type Vintage } from '../conformance/sample-data.js';

const folder = temporaryFolder();
const path = join(folder, 'farm.duckdb');
const backup = join(folder, 'backup.duckdb');

/** Two series with revisions: a value that became null, one reported later, one that is the first of its period. */
const VINTAGES: readonly Vintage[] = [
  { day: 0, days: 9, value: 1, available: 100 },
  { day: 10, days: 9, value: 2, available: 100, reported: 90 },
  { day: 10, days: 9, value: 3, available: 120, reported: 110 },
  { day: 10, days: 9, value: 4, available: 140, reported: 110 },
  { day: 20, days: 9, value: 5, available: 100 },
  { day: 20, days: 9, value: null, available: 130 },
  { day: 30, days: 9, value: 6, available: 150 },
  { of: { region_id: 22, item_id: 3 }, day: 0, value: 7, unit: 2, available: 100 },
];

/** The rows of a query, asked of a file by DuckDB alone. */
async function ask(sql: string, { file = path } = {}): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    await connection.run('USE by_name');
    return (await connection.runAndReadAll(sql)).getRowObjectsJS();
  } finally {
    connection.disconnectSync();
    instance.closeSync();
  }
}

beforeAll(async () => {
  const store = await openStore(path);
  for (const vintage of VINTAGES) await importVintages(store, [vintage]);
  const transaction = await store.begin();
  const place = { definition: '', belongsTo: [], latitude: null, longitude: null, historical: false };
  await transaction.putEntities('regions', [
    { ...place, id: usStateRegionId('06'), name: 'California', level: 4, aliases: ['CA', 'US-CA'] },
    { ...place, id: usCountyRegionId('06019'), name: 'Fresno', level: 5, belongsTo: [usStateRegionId('06')] },
    { ...place, id: 250, name: 'France', level: 3, aliases: ['FRA', 'FR'] },
    { ...place, id: 1_000_001, name: 'Zaire', level: 3, aliases: ['ZRCD', 'ZAR'], historical: true },
  ]);
  await transaction.commit();
  await store.backup(backup);
  await store.close();
});

describe('the views of a store, in DuckDB alone', () => {
  it('name every point', async () => {
    const rows = await ask(
      `SELECT metric, item, region, region_level, partner, source, frequency, unit, start_date, end_date, value
      FROM data WHERE item = 'Corn' AND end_date < DATE '2020-01-12'`,
    );
    expect(rows).toEqual([
      {
        metric: 'Production',
        item: 'Corn',
        region: 'Region 21',
        region_level: 'country',
        partner: null,
        source: 'NASS',
        frequency: 'annual',
        unit: 't',
        start_date: new Date(T0),
        end_date: new Date(T0 + 9 * DAY),
        value: 1,
      },
    ]);
  });

  it('have the points of all tables, and every vintage', async () => {
    expect(await ask('SELECT value FROM data ORDER BY series, start_date')).toEqual(
      [1, 4, null, 6, 7].map((value) => ({ value })),
    );
    const [counts] = await ask(
      'SELECT count(*)::INTEGER AS vintages, count(reporting_date)::INTEGER AS reported FROM history',
    );
    expect(counts).toEqual({ vintages: VINTAGES.length, reported: 3 });
  });

  it('have the codes of places, but none of former countries', async () => {
    const rows = await ask(
      `SELECT region, region_iso, region_fips, belongs_to FROM regions
      WHERE region IN ('California', 'Fresno', 'France', 'Zaire') ORDER BY region`,
    );
    expect(rows).toEqual([
      { region: 'California', region_iso: 'US-CA', region_fips: '06', belongs_to: [] },
      { region: 'France', region_iso: 'FRA', region_fips: null, belongs_to: [] },
      { region: 'Fresno', region_iso: null, region_fips: '06019', belongs_to: [usStateRegionId('06')] },
      { region: 'Zaire', region_iso: null, region_fips: null, belongs_to: [] },
    ]);
  });

  it('list series, units and sources', async () => {
    expect(await ask('SELECT item, region, points FROM series ORDER BY series')).toEqual([
      { item: 'Corn', region: 'Region 21', points: 4 },
      { item: 'Wheat', region: 'Region 22', points: 1 },
    ]);
    expect(await ask(`SELECT unit, dimension FROM units WHERE unit = 'kg'`)).toEqual([
      { unit: 'kg', dimension: 'mass' },
    ]);
    expect(await ask('SELECT source, licence FROM sources ORDER BY source')).toHaveLength(2);
  });

  it('are part of a backup', async () => {
    const sql = 'SELECT count(*)::INTEGER AS points FROM data';
    expect(await ask(sql, { file: backup })).toEqual(await ask(sql));
  });
});

describe('as_of', () => {
  it('returns the points of a day as the store reads them', async () => {
    const store = await openStore(path, { read_only: true });
    const days = [99, 100, 119, 120, 130, 145, 150, 200].map((day) => T0 + day * DAY);
    const expected: unknown[] = [];
    for (const atMs of days) expected.push((await readRows(store, { atMs })).map(({ value }) => ({ value })));
    await store.close();
    for (const [i, ms] of days.entries()) {
      const at = new Date(ms).toISOString().slice(0, 19);
      expect(await ask(`SELECT value FROM as_of('${at}') ORDER BY series, start_date`)).toEqual(expected[i]);
    }
  });

  it('takes offsets and times of a zone, and names a text that is no date', async () => {
    const at = new Date(T0 + 119 * DAY).toISOString().slice(0, 19);
    const early = new Date(T0 + 119 * DAY + 2 * 3_600_000).toISOString().slice(0, 19);
    const values = (date: string) => ask(`SELECT value FROM as_of(${date}) ORDER BY series, start_date`);
    const expected = await values(`'${at}'`);
    for (const date of [`'${early}+02:00'`, `'${at}Z'`, `TIMESTAMP '${at}'`, `TIMESTAMPTZ '${early}+02'`])
      expect(await values(date)).toEqual(expected);
    await expect(values("'yesterday'")).rejects.toThrow('invalid timestamp field format: "yesterday"');
  });
});

describe('convert', () => {
  it('converts between units of one dimension, by abbreviation or name', async () => {
    const [row] = await ask(
      `SELECT convert(1.5, 't', 'kg') AS kg, convert(500, 'kgs', 't') AS t, convert(3, 'head', 'head') AS same,
        convert(NULL, 't', 'kg') AS none, convert(1, NULL, 'kg') AS unitless`,
    );
    expect(row).toEqual({ kg: 1500, t: 0.5, same: 3, none: null, unitless: null });
  });

  it.each([
    ['t', 'ha'],
    ['t', 'index'],
    ['t', 'furlong'],
    ['head', 'kg'],
  ])('refuses %s to %s', async (from, to) => {
    await expect(ask(`SELECT convert(value, '${from}', '${to}') FROM data`)).rejects.toThrow(
      `no conversion from "${from}" to "${to}"`,
    );
  });
});
