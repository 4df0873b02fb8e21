import { copyFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { Table, Timestamp, TimeUnit, tableFromArrays, vectorFromArray } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { frame } from '../../../../src/frame/frame.js';
import { defineDataset } from '../../../../src/ingest/document/define-dataset.js';
import { openParquet } from '../../../../src/ingest/document/typed/parquet.js';
import { dryRun } from '../../../../src/ingest/dry-run.js';
import { temporaryFiles } from '../../../temporary-files.js';
import { type Collected, collect } from '../../collect.js';
import { CORN } from '../../fixtures.js';

const TABLE = 'test/fixtures/csv/corn.tsv';
const { folder, file } = temporaryFiles();

type Columns = Parameters<typeof tableFromArrays>[0];

const parquetFile = async (name: string, columns: Columns): Promise<string> =>
  file(name, await frame(tableFromArrays(columns)).toParquet());

const read = (path: string, document: object = CORN): Promise<Collected> =>
  collect(defineDataset(document), { files: [path] });

/** The rows of a file's wanted columns. */
async function rowsOf(path: string, wantsColumn = (_: number) => true): Promise<(readonly string[])[]> {
  const table = await openParquet(path);
  const rows = [];
  for await (const { fields } of table.rows({ decimal: '.', wantsColumn })) rows.push(fields);
  return rows;
}

/** The columns of the tab-separated fixture as strings. */
function fixtureColumns(): Record<string, string[]> {
  const [header, ...rows] = readFileSync(TABLE, 'utf8').trimEnd().split('\n');
  const fields = rows.map((row) => row.split('\t').map((field) => field.replaceAll('"', '')));
  const names = header!.split('\t');
  return Object.fromEntries(names.map((name, at) => [name, fields.map((row) => row[at]!)]));
}

describe('a Parquet file', () => {
  it('is read like the same table as text', async () => {
    const parquet = await read(await parquetFile('corn.parquet', fixtureColumns()));
    const text = await read(TABLE);
    expect(parquet.points).toEqual(text.points);
    const reasons = ({ rejected }: Collected) => rejected.map(({ line, reason }) => [line, reason]);
    expect(reasons(parquet)).toEqual(reasons(text));
  });

  it('counts its rows like text, without the columns that the document ignores', async () => {
    const path = await parquetFile('ignored.parquet', {
      year: ['2020', '2021'],
      y: [1, 2],
      note: ['a', 'b'],
    });
    const document = {
      source: { name: 'Made up' },
      region: { name: 'Iowa', level: 'province' },
      metric: { name: 'Yield' },
      item: { name: 'Corn' },
      unit: { name: 't/ha' },
      start_date: { column: 'year', format: 'YYYY' },
      values: 'y',
      other_columns: 'ignore',
    };
    const report = await dryRun(defineDataset(document), { files: [path] });
    expect(report).toMatchObject({ counts: 'rows', rows: 2, points: 2, notRead: [] });
  });

  it('is read in the form whose columns it has, whatever names and lines other forms give', async () => {
    const { region, start_date, values, ...others } = CORN as Record<string, unknown>;
    const common = { ...others, metric: { name: 'Yield' }, unit: { name: 't/ha' } };
    const forms = [
      {
        recognise: { columns: ['code'] },
        header: ['code', 'v'],
        region: 'code',
        start_date: 'code',
        values: 'v',
      },
      { recognise: { columns: ['state'] }, header_line: 9, region, start_date, values },
      { recognise: { columns: ['other'] }, region: 'other', start_date: 'other', values: 'other' },
    ];
    const path = await parquetFile('forms.parquet', fixtureColumns());
    expect((await read(path, { ...common, forms })).points).toEqual((await read(TABLE)).points);
  });

  it('is read by columns that the document calls by patterns, or clears', async () => {
    const columns = {
      ...{ when: ['2024-01-01'], Site_NAME: ['Iowa'], crop: ['Corn'], kind: ['grain'] },
      ...{ tonnes: [7], other: ['x'] },
    };
    const document = {
      source: { name: 'Sites' },
      call: { site: '^(Site_)?NAME$' },
      clear: { maize: { column: 'crop', of: 'kind', texts: ['none'] } },
      region: { column: 'site', level: 'province' },
      metric: { name: 'Production quantity' },
      item: 'maize',
      unit: { name: 't' },
      start_date: 'when',
      values: 'tonnes',
    };
    const { points, notRead } = await read(await parquetFile('called.parquet', columns), document);
    expect(points.map(({ value }) => value)).toEqual([7]);
    expect([...notRead.keys()]).toEqual(['other']);
  });

  it('is read in order', async () => {
    const row = Int32Array.from({ length: 140_000 }, (_, at) => at);
    const rows = await rowsOf(await parquetFile('many.parquet', { row }));
    expect(rows.map(([text]) => Number(text))).toEqual([...row]);
  });
});

describe('times with a zone', () => {
  const DAYS = ['2020-01-01', '2020-03-29', '2020-10-25'];
  const timesOf = async (path: string) => (await rowsOf(path)).map(([text]) => text);

  it.each([
    ['Europe/Berlin', [-60, -60, -120]],
    ['Asia/Kolkata', [-330, -330, -330]],
    ['America/Chicago', [360, 300, 300]],
    ['+02:00', [-120, -120, -120]],
    ['-0330', [210, 210, 210]],
    ['UTC', [0, 0, 0]],
  ])('are of the local day: %s', async (zone, minutes) => {
    const units = [TimeUnit.SECOND, TimeUnit.MILLISECOND, TimeUnit.MICROSECOND, TimeUnit.NANOSECOND];
    for (const unit of units) {
      const times = DAYS.map((day, i) => new Date(Date.parse(day) + minutes[i]! * 60_000));
      const when = vectorFromArray([...times, null], new Timestamp(unit, zone));
      const path = file(`zone-${unit}.parquet`, await frame(new Table({ when })).toParquet());
      expect(await timesOf(path)).toEqual([...DAYS.map((day) => `${day} 00:00:00`), '']);
    }
  });

  it('are refused by name when the zone is not known', async () => {
    const when = vectorFromArray([new Date(0)], new Timestamp(TimeUnit.MICROSECOND, 'Mars/Olympus'));
    const path = file('mars.parquet', await frame(new Table({ when })).toParquet());
    await expect(rowsOf(path)).rejects.toThrow(
      'in the unknown time zone "Mars/Olympus" in the column "when"',
    );
  });
});

describe('a Parquet file of other software', () => {
  let connection: DuckDBConnection;
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create(':memory:')).connect();
  });
  afterAll(() => connection.closeSync());

  /** Writes a file of two rows, or as many. */
  async function written(name: string, columns: string, rows = 2): Promise<string> {
    const path = join(folder, name);
    await connection.run(
      `COPY (SELECT ${columns} FROM range(${rows}) t(i)) TO '${path.replaceAll("'", "''")}' (FORMAT parquet)`,
    );
    return path;
  }

  const GAUGE = {
    source: { name: 'gauge' },
    region: { name: 'Iowa', level: 'province' },
    metric: { name: 'rainfall' },
    item: 'crop',
    unit: { name: 'mm' },
    start_date: 'day',
    reporting_date: 'reported',
    values: [{ column: 'rain' }, { column: 'days' }],
  };
  const COLUMNS = `
    DATE '1931-03-02' + i::INT AS day,
    CASE WHEN i = 0 THEN TIMESTAMP '2020-04-01 00:00:00' END AS reported,
    (i + 0.05)::DECIMAL(9, 2) AS rain,
    CASE WHEN i = 0 THEN 7::BIGINT END AS days,
    CASE WHEN i = 0 THEN 'Corn' ELSE 'Wheat' END::ENUM('Corn', 'Wheat') AS crop`;

  it.each([
    ['Asia/Tokyo', '1931-03-03'],
    [null, '1931-03-02'],
  ])('has the zone that pandas describes: %s', async (timezone, day) => {
    const path = join(folder, 'pandas.parquet');
    const pandas = JSON.stringify({
      columns: [{ name: 'day', field_name: 'day', metadata: timezone && { timezone } }],
    });
    await connection.run(
      `COPY (SELECT TIMESTAMPTZ '1931-03-02 15:00:00+00' AS day) TO '${path}' (FORMAT parquet, KV_METADATA { pandas: '${pandas}' })`,
    );
    expect((await rowsOf(path))[0]![0]!.slice(0, 10)).toBe(day);
  });

  it('is read with dates, decimals, whole numbers and nulls, without unmapped columns', async () => {
    const path = await written('duckdb.parquet', `${COLUMNS}, [i] AS notes`);
    const { points, rejected } = await read(path, GAUGE);
    expect(rejected).toEqual([]);
    expect(points.map(({ start, reported, value }) => [start, reported, value])).toEqual(
      expect.arrayContaining([
        ['1931-03-02', '2020-04-01', 0.05],
        ['1931-03-02', '2020-04-01', 7],
        ['1931-03-03', null, 1.05],
      ]),
    );
    expect(points).toHaveLength(3);
  });

  it.each<[what: string, sql: string, texts: readonly string[]]>([
    ['whole numbers', '(i + 9007199254740993)::BIGINT', ['9007199254740993', '9007199254740994']],
    [
      'unsigned ones',
      '18446744073709551614::UBIGINT + i::UBIGINT',
      ['18446744073709551614', '18446744073709551615'],
    ],
    ['small ones', '(-i)::TINYINT', ['0', '-1']],
    ['decimals', '(i - 0.05)::DECIMAL(30, 2)', ['-0.05', '0.95']],
    ['floats', '(i / 10)::FLOAT', ['0', '0.1']],
    ['doubles', 'CASE WHEN i = 0 THEN 1e21 ELSE 1988 END::DOUBLE', ['1e+21', '1988']],
    ['NaN', "CASE WHEN i = 0 THEN 'nan' END::DOUBLE", ['', '']],
    ['booleans', 'i = 0', ['true', 'false']],
    ['texts', "CASE WHEN i = 0 THEN 'Ackerbohne, süß' END", ['Ackerbohne, süß', '']],
    ['binary texts', "encode('maïs')", ['maïs', 'maïs']],
    ['dictionaries', "CASE WHEN i = 0 THEN 'Corn' END::ENUM('Corn')", ['Corn', '']],
    ['days', "DATE '1931-03-02' - i::INT", ['1931-03-02', '1931-03-01']],
    [
      'times',
      "TIMESTAMP_MS '1931-03-02 23:30:00' + INTERVAL (i) HOUR",
      ['1931-03-02 23:30:00', '1931-03-03 00:30:00'],
    ],
    [
      'times to the nanosecond',
      "TIMESTAMP_NS '1931-03-02 23:30:00.000000001'",
      Array(2).fill('1931-03-02 23:30:00.000000001'),
    ],
    ['times with a zone', "TIMESTAMPTZ '1931-03-02 23:30:00-06'", Array(2).fill('1931-03-03 05:30:00')],
    ['nulls', 'NULL', ['', '']],
  ])('reads %s like a delimited table', async (_, sql, texts) => {
    const path = await written('types.parquet', `${sql} AS cell, [i] AS list`);
    const found = (await rowsOf(path, (column) => column === 0)).map(([text]) => text);
    expect(found).toEqual(texts);
  });

  it('has the same numbers where the texts beside them have decimal commas', async () => {
    const table = join(folder, 'commas.parquet');
    const columns = COLUMNS.replace('(i + 0.05)::DECIMAL(9, 2)', '(1234.5 + i)::DOUBLE');
    await connection.run(`COPY (SELECT ${columns} FROM range(2) t(i)) TO '${table}' (FORMAT parquet)`);
    const values = async (document: object) =>
      (await read(table, document)).points.map(({ value }) => value).sort();
    expect(await values({ ...GAUGE, decimal: ',', thousands: '.' })).toEqual(await values(GAUGE));
    expect(await values(GAUGE)).toContain(1235.5);
  });

  it('is read by its exact name, also with wildcards in it', async () => {
    const wanted = await written("a[1]'*.parquet", 'i AS cell');
    await written("a1'b.parquet", '7 AS cell');
    const partition = join(folder, 'cell=9');
    mkdirSync(partition);
    copyFileSync(wanted, join(partition, 'part.parquet'));
    for (const path of [wanted, join(partition, 'part.parquet')]) {
      const found = (await rowsOf(path)).map(([text]) => text);
      expect(found).toEqual(['0', '1']);
    }
  });

  it('is refused when a mapped column is not of text, numbers or dates', async () => {
    const path = await written('lists.parquet', COLUMNS.replace('(i + 0.05)::DECIMAL(9, 2)', '[i]'));
    await expect(read(path, GAUGE)).rejects.toThrow(
      'lists.parquet has a column "rain" of type BIGINT[], but only text, numbers and dates can be read',
    );
  });

  it.each([
    ['1', 40_000_000, 'claims to contain 40000000 values, far too many for its size; save it as CSV'],
    [
      `repeat('x', 40000)`,
      2,
      'cannot be read as Parquet: the column rain has a text of 40000 bytes, more than 32767',
    ],
  ])('with %s AS rain in %d rows, made to fill memory, is refused by name', async (rain, rows, reason) => {
    const path = await written('bomb.parquet', `${rain} AS rain`, rows);
    expect(statSync(path).size).toBeLessThan(100_000);
    await expect(rowsOf(path)).rejects.toThrow(`bomb.parquet ${reason}`);
  });
});
