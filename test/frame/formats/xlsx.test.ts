import '../../../src/frame/formats/load-in-node.js';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Decimal, makeData } from 'apache-arrow';
import readWorkbook from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { fromColumns, fromRows } from '../../../src/frame/formats/from-rows.js';
import { aboutSheet, type Cell, cellReader, checkSize } from '../../../src/frame/formats/xlsx.js';
import type { Frame } from '../../../src/frame/frame.js';
import { type FrameColumn, otherColumn, readColumns } from '../../../src/frame/table/columns.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { temporaryFolder } from '../../temporary-files.js';

const folder = temporaryFolder();

const KEY = { metric_id: 1, item_id: 2, region_id: 3, partner_region_id: 0, frequency_id: 9, source_id: 4 };
const ENTRY = { series: KEY, rows: 3, outcome: 'data', reason: null, truncated: true, from_cache: false };
const frameOf = () =>
  fromRows([
    { end_date: new Date('2012-07-01'), value: 0.1, region_name: 'Iowa <"&"> ž', count: 3 },
    { end_date: new Date('2013-01-01'), value: null, region_name: '=1+1', count: -1e-300 },
    { end_date: new Date('1900-02-28'), value: 123_456.789_012_345_67, region_name: null, count: 0 },
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
      ENTRY,
      { ...ENTRY, rows: 0, outcome: 'failed', reason: 'refused', truncated: false, from_cache: true },
    ] as never,
  });

/** A cell as text; a bold one between asterisks. */
function textOf(cell: Cell): unknown {
  if (typeof cell !== 'object' || cell === null) return cell;
  return 'fontWeight' in cell && cell.fontWeight === 'bold' ? `**${cell.value}**` : cell.value;
}
const bold = (...texts: string[]) => texts.map((text) => `**${text}**`);

async function sheetsOf(table: Frame, name: string) {
  const path = join(folder, name);
  await table.write(path);
  return new Map((await readWorkbook(path)).map(({ sheet, data }) => [sheet, data]));
}

describe('an Excel workbook of a frame', () => {
  it('has dates as dates in UTC, numbers to the last digit, texts as they are, and null as empty', async () => {
    const sheets = await sheetsOf(frameOf(), 'frame.XLSX');
    expect(sheets.get('Data')).toEqual([
      ['end_date', 'value', 'region_name', 'count'],
      [new Date('2012-07-01'), 0.1, 'Iowa <"&"> ž', 3],
      [new Date('2013-01-01'), null, '=1+1', -1e-300],
      // Excel's calendar is wrong before March 1900.
      ['1900-02-28', 123_456.789_012_345_67, null, 0],
    ]);
    expect(sheets.get('About')![0]!.slice(0, 2)).toEqual(['Retrieved at', '2026-11-22T10:00:00.000Z']);
    expect((await sheetsOf(frameOf().slice(0, 0), 'empty.xlsx')).get('Data')).toHaveLength(1);
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
    expect(rows.slice(0, 2).map(([value]) => value)).toEqual(['NaN', 'Infinity']);
    // The reader may leave out a last row of empty cells.
    expect(rows.slice(2).map(([value]) => value ?? null)).toEqual(rows.length === 2 ? [] : [null]);
  });

  it('tells about its sources, units, series and steps on a second sheet, in bold headings', () => {
    expect(aboutSheet(frameOf().head(2)).map((row) => row.map(textOf))).toEqual([
      ['**Retrieved at**', '2026-11-22T10:00:00.000Z'],
      ['**Service**', 'http://data.example.org'],
      [],
      ['**Sources**'],
      bold('id', 'name', 'longName', 'licence', 'citation', 'url'),
      [4, 'NASS', 'Statistics Service', 'Public domain', 'USDA', 'https://nass.example.org'],
      [],
      ['**Units**'],
      bold('id', 'name', 'abbreviation'),
      [7, 'tonne', 't'],
      [],
      ['**Report**'],
      bold(...Object.keys(KEY), 'rows', 'outcome', 'reason', 'truncated', 'from_cache'),
      [1, 2, 3, 0, 9, 4, 3, 'data', null, true, false],
      [1, 2, 3, 0, 9, 4, 0, 'failed', 'refused', false, true],
      [],
      ['**Computed by**'],
      ['**step**'],
      ['head(2)'],
    ]);
    expect(aboutSheet(fromRows([{ value: 1 }]))).toEqual([
      ['This frame does not say where its figures come from.'],
    ]);
  });

  it.each([
    [1_048_576, 1, /limited to 1,048,575 rows below the header, .* has 1,048,576; write \.parquet or \.csv/],
    [1, 16_385, /limited to 16,384 columns/],
    [500_001, 4, /limited to 2,000,000 cells/],
  ])(
    'refuses %i rows and %i columns, the first number that a workbook does not take',
    (rows, cols, message) => {
      expect(() => checkSize({ numRows: rows, numCols: cols })).toThrow(ArgumentError);
      expect(() => checkSize({ numRows: rows, numCols: cols })).toThrow(message);
      expect(() =>
        checkSize({ numRows: Math.max(1, rows - 1), numCols: cols === 16_385 ? 16_384 : cols }),
      ).not.toThrow();
    },
  );

  it('refuses a text that no cell takes, and leaves no file', async () => {
    const table = fromRows([{ region_name: 'a'.repeat(32_768) }]) as Frame;
    await expect(sheetsOf(table, 'long.xlsx')).rejects.toThrow(/"region_name" contains a string of 32768/);
    expect(readdirSync(folder).filter((name) => name.startsWith('long'))).toEqual([]);
  });
});

describe('the cells of a column', () => {
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
    const price = makeData({ type: new Decimal(2, 10, 128), length: 1, data: Uint32Array.of(150, 0, 0, 0) });
    expect(cellReader(otherColumn(price), 'price')(0)).toBe(1.5);
  });

  it('show times where any row has one, and else dates alone', () => {
    const cellsOf = (...times: string[]) => {
      const values = BigInt64Array.from(times, (time) => BigInt(Date.parse(time)));
      const column: FrameColumn = { type: 'timestamp', valid: null, values };
      return times.map((_, row) => cellReader(column, 'note')(row));
    };
    const dateCell = (day: string, format: string) => ({ value: new Date(day), type: Date, format });
    expect(cellsOf('1899-12-31', '1900-02-28', '1900-03-01')).toEqual([
      '1899-12-31',
      '1900-02-28',
      dateCell('1900-03-01', 'yyyy-mm-dd'),
    ]);
    expect(cellsOf('1899-12-31', '2020-02-29T06:00:00Z')).toEqual([
      '1899-12-31T00:00:00.000Z',
      dateCell('2020-02-29T06:00:00Z', 'yyyy-mm-dd hh:mm:ss'),
    ]);
  });
});
