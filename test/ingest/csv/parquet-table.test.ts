import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { tableFromArrays } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toParquet } from '../../../src/frame/parquet.js';
import { csv } from '../../../src/ingest/csv/csv.js';
import { parquetRows } from '../../../src/ingest/csv/parquet-file.js';
import { type Collected, collect } from '../collect.js';

const TABLE = 'test/fixtures/csv/corn.tsv';
const MAPPING = 'test/fixtures/csv/corn.mapping.json';
const folder = mkdtempSync(join(tmpdir(), 'cropframe-parquet-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Columns = Parameters<typeof tableFromArrays>[0];

async function file(name: string, columns: Columns): Promise<string> {
  writeFileSync(join(folder, name), await toParquet(tableFromArrays(columns)));
  return join(folder, name);
}

const read = (path: string, mapping: unknown = MAPPING): Promise<Collected> =>
  collect(csv, { files: [path], settings: { mapping } });

/** Columns of the tab-separated fixture, all of them texts. */
function fixtureColumns(): Record<string, string[]> {
  const [header, ...rows] = readFileSync(TABLE, 'utf8').trimEnd().split('\n');
  const fields = rows.map((row) => row.split('\t').map((field) => field.replaceAll('"', '')));
  const names = header!.split('\t');
  return Object.fromEntries(names.map((name, at) => [name, fields.map((row) => row[at]!)]));
}

describe('a Parquet file', () => {
  it('gives what the same table gives as text, with rejects by row', async () => {
    const parquet = await read(await file('corn.parquet', fixtureColumns()));
    const text = await read(TABLE);
    expect(parquet.points).toEqual(text.points);
    expect(parquet.rejected.map(({ line, reason }) => [line + 1, reason])).toEqual(
      text.rejected.map(({ line, reason }) => [line, reason]),
    );
  });

  it('is imported beside text files', async () => {
    const { year, ...others } = fixtureColumns();
    const earlier = year!.map((text) => text.replace(/^19/, '18'));
    const parquet = await file('earlier.parquet', { ...others, year: earlier });
    const all = await collect(csv, { files: [parquet, TABLE], settings: { mapping: MAPPING } });
    expect(all.points).toHaveLength(14);
  });

  it('is read in batches, however many rows it has', async () => {
    const path = await file('many.parquet', { row: Int32Array.from({ length: 140_000 }, (_, row) => row) });
    const sizes = [];
    let next = 0;
    for await (const { rows } of parquetRows(path, { dataset: 'csv', wantsColumn: () => true })) {
      sizes.push(rows.length);
      if (rows.every(([text]) => text === String(next++))) continue;
      throw new Error(`row ${next} is not in its place`);
    }
    expect(sizes).toEqual([65_536, 65_536, 8928]);
  });

  it('needs only the columns that the mapping names', async () => {
    const { state: _, ...stateless } = fixtureColumns();
    await expect(read(await file('less.parquet', stateless))).rejects.toThrow(
      'less.parquet has no column "state"',
    );
  });

  it('that is damaged is refused by name, wherever the damage is', async () => {
    const whole = readFileSync(await file('whole.parquet', fixtureColumns()));
    const broken = join(folder, 'broken.parquet');
    const outcome = async (bytes: Uint8Array): Promise<unknown> => {
      writeFileSync(broken, bytes);
      try {
        for await (const _ of parquetRows(broken, { dataset: 'csv', wantsColumn: () => true }));
        return 'read';
      } catch (error) {
        return error;
      }
    };
    const refused = expect.objectContaining({ code: 'ingest', file: 'broken.parquet' });
    for (const end of [6, 100, -9]) expect(await outcome(whole.subarray(0, end))).toEqual(refused);
    const outcomes = [];
    for (let at = 4; at < whole.length - 12; at += 12)
      outcomes.push(await outcome(Buffer.from(whole).fill(255, at, at + 12)));
    const errors = outcomes.filter((what) => what !== 'read');
    expect(errors).toEqual(errors.map(() => refused));
    expect(errors.length).toBeGreaterThan(outcomes.length / 2);
    await expect(read(broken)).rejects.toEqual(refused);
    expect((await read(join(folder, 'whole.parquet'))).points).toHaveLength(7);
  });
});

describe('a Parquet file of other software', () => {
  let connection: DuckDBConnection;
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create(':memory:')).connect();
  });
  afterAll(() => connection.closeSync());

  /** Writes the columns of a table of two rows. */
  async function written(name: string, columns: string): Promise<string> {
    const path = join(folder, name);
    await connection.run(`COPY (SELECT ${columns} FROM range(2) t(i)) TO '${path}' (FORMAT parquet)`);
    return path;
  }

  const GAUGE = {
    source: { name: 'gauge' },
    region: { name: 'Iowa', level: 'province' },
    metric: { name: 'rainfall' },
    item: 'crop',
    unit: { name: 'mm' },
    start_date: 'day',
    reporting_date: 'told',
    values: [{ column: 'rain' }, { column: 'days' }],
  };
  const COLUMNS = `
    DATE '1931-03-02' + i::INT AS day,
    CASE WHEN i = 0 THEN TIMESTAMP '2020-04-01 00:00:00' END AS told,
    (i - 0.05)::DECIMAL(9, 2) AS rain,
    CASE WHEN i = 0 THEN 7::BIGINT END AS days,
    CASE WHEN i = 0 THEN 'Corn' ELSE 'Wheat' END::ENUM('Corn', 'Wheat') AS crop`;

  it('is read with its dates, decimals, whole numbers and nulls, and without what the mapping does not name', async () => {
    const path = await written('duckdb.parquet', `${COLUMNS}, [i] AS notes`);
    const { points, rejected } = await read(path, GAUGE);
    expect(rejected).toEqual([]);
    expect(points.map(({ start, reported, value }) => [start, reported, value])).toEqual(
      expect.arrayContaining([
        ['1931-03-02', '2020-04-01', -0.05],
        ['1931-03-02', '2020-04-01', 7],
        ['1931-03-03', null, 0.95],
      ]),
    );
    expect(points).toHaveLength(3);
  });

  it('is refused when a column that the mapping names can be no field of a table', async () => {
    const path = await written('lists.parquet', COLUMNS.replace('(i - 0.05)::DECIMAL(9, 2)', '[i]'));
    await expect(read(path, GAUGE)).rejects.toThrow(
      /^lists\.parquet has a column "rain" of the type List<.*>, which is no text, number or date$/,
    );
  });
});
