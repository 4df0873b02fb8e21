import '../../../src/frame/formats/load-in-node.js';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Decimal, makeData } from 'apache-arrow';
import readWorkbook from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { fromColumns, fromRows } from '../../../src/frame/formats/from-rows.js';
import type { writeFrame } from '../../../src/frame/formats/write-frame.js';
import { aboutSheet, type Cell, cellReader, checkSize } from '../../../src/frame/formats/xlsx.js';
import { frame } from '../../../src/frame/frame.js';
import { type FrameColumn, otherColumn, readColumns } from '../../../src/frame/table/columns.js';
import { DERIVED_KEY, withMetadata } from '../../../src/frame/table/provenance.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { temporaryFolder } from '../../temporary-files.js';
import { exactRows } from '../exact-rows.js';

const folder = temporaryFolder();

const KEY = { metric_id: 1, item_id: 2, region_id: 3, partner_region_id: 0, frequency_id: 9, source_id: 4 };
const frameOf = () =>
  fromRows([
    { end_date: new Date('2012-07-01T00:00:00.000Z'), value: 0.1, region_name: 'Iowa <"&"> ž', count: 3 },
    { end_date: new Date('2013-01-01T00:00:00.000Z'), value: null, region_name: '=1+1', count: -1e-300 },
    {
      end_date: new Date('1900-02-28T00:00:00.000Z'),
      value: 123_456.789_012_345_67,
      region_name: null,
      count: 0,
    },
  ]).withProvenance({
    request: {},
    retrieved_at: '2026-11-22T10:00:00.000Z',
    api_host: 'http://data.example.org',
    sources: [
      {
        ...{ id: 4, name: 'NASS', longName: 'Statistics Service', licence: 'Public domain' },
        ...{ citation: 'USDA', url: 'https://nass.example.org' },
      },
    ],
    units: [{ id: 7, name: 'tonne', namePlural: 'tonnes', abbreviation: 't', baseConvFactor: { factor: 1 } }],
    report: [
      { series: KEY, rows: 3, outcome: 'data', reason: null, truncated: true, from_cache: false },
      { series: KEY, rows: 0, outcome: 'failed', reason: 'refused', truncated: false, from_cache: true },
    ],
  });

/** A cell as text; a bold one between asterisks. */
function textOf(cell: Cell): unknown {
  return typeof cell === 'object' && cell !== null ? `**${cell.value}**` : cell;
}

async function sheetsOf(table: Parameters<typeof writeFrame>[0], name: string) {
  const path = join(folder, name);
  await frame(table).write(path);
  const sheets = await readWorkbook(path);
  return new Map(sheets.map(({ sheet, data }) => [sheet, data]));
}

describe('an Excel workbook of a frame', () => {
  it('has dates as dates in UTC, numbers to the last digit, texts as they are, and null as empty', async () => {
    const data = (await sheetsOf(frameOf(), 'frame.XLSX')).get('Data');
    expect(data).toEqual([
      ['end_date', 'value', 'region_name', 'count'],
      [new Date('2012-07-01'), 0.1, 'Iowa <"&"> ž', 3],
      [new Date('2013-01-01'), null, '=1+1', -1e-300],
      // Excel's calendar is wrong before March 1900.
      ['1900-02-28', 123_456.789_012_345_67, null, 0],
    ]);
  });

  it('has dates with a time to the second, in a winter and in a summer', async () => {
    const times = ['2026-01-31T23:59:59.000Z', '2026-07-01T06:30:00.000Z', '1900-03-01T00:00:00.000Z'];
    const table = fromRows(times.map((time) => ({ start_date: new Date(time) })));
    const [, ...rows] = (await sheetsOf(table, 'times.xlsx')).get('Data')!;
    const seconds = (date: unknown) => Math.round((date as Date).getTime() / 1000);
    expect(rows.map(([date]) => seconds(date))).toEqual(times.map((time) => Date.parse(time) / 1000));
  });

  it('says what is no number, and keeps it apart from null', async () => {
    const values = Float64Array.of(Number.NaN, Number.POSITIVE_INFINITY, Number.NaN);
    const table = fromColumns({ value: { type: 'float64', values, valid: Uint8Array.of(0b011) } });
    const [, ...rows] = (await sheetsOf(table, 'odd.xlsx')).get('Data')!;
    expect(rows.map(([value]) => value).slice(0, 2)).toEqual(['NaN', 'Infinity']);
    expect(rows[2]?.[0] ?? null).toBeNull();
  });

  it('tells about its sources, units, series and steps on a second sheet, in bold headings', async () => {
    const steps = ["df.rolling('value', 3)", "df.sort('value')"];
    const metadata = new Map(frameOf().schema.metadata).set(DERIVED_KEY, JSON.stringify(steps));
    const about = aboutSheet(withMetadata(frameOf(), metadata));
    const headings = about.flat().filter((cell) => typeof cell === 'object' && cell !== null);
    expect(headings.every((cell) => 'fontWeight' in cell && cell.fontWeight === 'bold')).toBe(true);
    expect(about.map((row) => row.map(textOf))).toEqual([
      ['**Retrieved at**', '2026-11-22T10:00:00.000Z'],
      ['**Service**', 'http://data.example.org'],
      [],
      ['**Sources**'],
      ['id', 'name', 'full name', 'licence', 'citation', 'url'].map((text) => `**${text}**`),
      [4, 'NASS', 'Statistics Service', 'Public domain', 'USDA', 'https://nass.example.org'],
      [],
      ['**Units**'],
      ['**id**', '**name**', '**abbreviation**'],
      [7, 'tonne', 't'],
      [],
      ['**Report**'],
      [...Object.keys(KEY), 'rows', 'outcome', 'reason', 'truncated', 'from_cache'].map(
        (text) => `**${text}**`,
      ),
      [1, 2, 3, 0, 9, 4, 3, 'data', null, 'yes', 'no'],
      [1, 2, 3, 0, 9, 4, 0, 'failed', 'refused', 'no', 'yes'],
      [],
      ['**Computed by**'],
      [steps[0]],
      [steps[1]],
    ]);
    const written = (await sheetsOf(frameOf(), 'about.xlsx')).get('About')!;
    expect(written[0]!.slice(0, 2)).toEqual(['Retrieved at', '2026-11-22T10:00:00.000Z']);
    expect(written.at(-1)!.filter((cell) => cell !== null)).toContain('failed');
  });

  it('says that it knows no sources', async () => {
    const plain = await sheetsOf(fromRows([{ value: 1 }]), 'plain.xlsx');
    expect(plain.get('About')).toEqual([['This frame does not say where its figures come from.']]);
  });

  it('may have no rows', async () => {
    const table = frameOf().slice(0, 0);
    expect(exactRows(table)).toEqual([]);
    expect((await sheetsOf(table, 'empty.xlsx')).get('Data')).toHaveLength(1);
  });

  it('may be as large as a workbook takes', () => {
    for (const [numRows, numCols] of [
      [1_048_575, 1],
      [1, 16_384],
      [500_000, 4],
    ] as const)
      expect(() => checkSize({ numRows, numCols })).not.toThrow();
  });

  it.each([
    [
      { numRows: 1_048_576, numCols: 1 },
      /limited to 1,048,575 rows below the header, .* has 1,048,576; write \.parquet or \.csv/,
    ],
    [{ numRows: 1, numCols: 16_385 }, /limited to 16,384 columns/],
    [{ numRows: 500_001, numCols: 4 }, /limited to 2,000,000 cells/],
  ])('refuses a frame of %o', (size, message) => {
    expect(() => checkSize(size)).toThrow(ArgumentError);
    expect(() => checkSize(size)).toThrow(message);
  });

  it('refuses a text that no cell takes, and leaves no file', async () => {
    const table = fromRows([{ region_name: 'a'.repeat(32_768) }]);
    await expect(sheetsOf(table, 'long.xlsx')).rejects.toThrow(
      /column "region_name" contains a string of 32768/,
    );
    expect(readdirSync(folder).filter((name) => name.startsWith('long'))).toEqual([]);
  });
});

describe('the cells of a column', () => {
  const cellsOf = (column: FrameColumn) => {
    const cell = cellReader(column, 'note');
    return Array.from({ length: column.values.length }, (_, row) => cell(row));
  };
  const dates = (valid: Uint8Array | null, ...times: string[]): FrameColumn => ({
    ...{ type: 'timestamp', valid },
    values: BigInt64Array.from(times, (time) => BigInt(Date.parse(time))),
  });
  const dateCell = (day: string, format: string) => ({ value: new Date(day), type: Date, format });

  it('are numbers and booleans where Excel holds them, and else texts', () => {
    const table = fromRows([
      { count: 12n, flag: true },
      { count: 2n ** 60n, flag: false },
    ]);
    const cells = readColumns(table).map(({ column, field }) => cellReader(column, field.name));
    expect([0, 1].map((row) => cells.map((cell) => cell(row)))).toEqual([
      [12, true],
      [String(2n ** 60n), false],
    ]);
    const type = new Decimal(2, 10, 128);
    const data = Uint32Array.of(150, 0, 0, 0);
    expect(cellReader(otherColumn(makeData({ type, length: 1, data })), 'price')(0)).toBe(1.5);
  });

  it('show times where any row has one, and else dates alone', () => {
    expect(cellsOf(dates(null, '1899-12-31', '1900-02-28', '1900-03-01', '2020-02-29'))).toEqual([
      '1899-12-31',
      '1900-02-28',
      dateCell('1900-03-01', 'yyyy-mm-dd'),
      dateCell('2020-02-29', 'yyyy-mm-dd'),
    ]);
    expect(cellsOf(dates(null, '1899-12-31', '2020-02-29T06:00:00Z', '2020-03-01'))).toEqual([
      '1899-12-31T00:00:00.000Z',
      dateCell('2020-02-29T06:00:00Z', 'yyyy-mm-dd hh:mm:ss'),
      dateCell('2020-03-01', 'yyyy-mm-dd hh:mm:ss'),
    ]);
  });
});
