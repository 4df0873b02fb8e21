import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Line } from '../../../src/charts/lines.js';
import { fileTable, tableCsvFile, toTabSeparated, workbookFile } from '../../../src/explorer/export/files.js';
import type { ViewTable } from '../../../src/explorer/table/series-table.js';
import { seriesTable } from '../../../src/explorer/table/series-table.js';
import { ALL_COLUMNS } from '../../../src/ingest/document/typed/typed-table.js';
import { readSheets } from '../../../src/ingest/document/typed/workbook.js';
import { temporaryFolder } from '../../temporary-files.js';

const line = (
  label: string,
  periods: readonly (readonly [string, string, number])[],
  unit = 't/ha',
): Line => ({
  ...{ label, metric: 'Yield', item: 'Corn', region: label, unit, periodDays: 365 },
  start: Float64Array.from(periods, ([start]) => Date.parse(start)),
  end: Float64Array.from(periods, ([, end]) => Date.parse(end)),
  value: Float64Array.from(periods, ([, , value]) => value),
});
const IOWA = line('Iowa', [
  ['2011-01-01', '2011-12-31', 9.5],
  ['2012-01-01', '2012-12-31', Number.NaN],
]);
const OHIO = line('Ohio, <&>', [['2012-01-01', '2012-12-31', 7]]);
const WIDE = [
  ['Year', 'Iowa: yield, corn (t/ha)', 'Ohio, <&>: yield, corn (t/ha)'],
  [2011, 9.5, null],
  [2012, null, 7],
];

const wide = (lines: readonly Line[]) => fileTable(seriesTable(lines));
const textsOf = (lines: readonly Line[]) => wide(lines).map((row) => row.map(({ text }) => text));

/** The cells of each sheet of a workbook with a table. */
async function sheetsOf(table: ViewTable, about: string) {
  const file = join(temporaryFolder(), 'wide.xlsx');
  writeFileSync(file, Buffer.from(await (await workbookFile(fileTable(table), about)).arrayBuffer()));
  const sheets = await readSheets(file);
  return Promise.all(
    sheets.map(async ({ name, rows }) => {
      const read: string[][] = [];
      for await (const { fields } of rows(ALL_COLUMNS)) read.push([...fields]);
      return [name, read] as const;
    }),
  );
}

describe('a table with a column for each series', () => {
  it('has a row for each period, written as people write it', () => {
    expect(textsOf([IOWA, OHIO])).toEqual(WIDE.map((row) => row.map((cell) => String(cell ?? ''))));
    const period = (start: string, end: string) => textsOf([line('Iowa', [[start, end, 1]])])[1]![0];
    expect(period('2012-09-01', '2013-08-31')).toBe('2012/13');
    expect(period('2012-02-01', '2012-02-29')).toBe('2012-02');
    expect(period('2012-02-01', '2012-02-01')).toBe('2012-02-01');
    expect(period('2012-02-01', '2012-02-10')).toBe('2012-02-01/2012-02-10');
    const one = { ...OHIO, label: 'Corn · Ohio', region: 'Ohio', unit: 'bu/ac (corn)' };
    expect(textsOf([one])[0]).toEqual(['Year', 'Corn · Ohio: yield (bu/ac)']);
    const rain = { ...line('Rain', [], ''), metric: 'Rain', item: '' };
    expect(textsOf([IOWA, rain])[0]).toEqual(['Year', 'Iowa (t/ha)', 'Rain']);
  });

  it('is the same as CSV, as a workbook with its source, and on the clipboard', async () => {
    const rows = wide([IOWA, OHIO]);
    const csv = await tableCsvFile(rows).text();
    expect(csv.trim().split('\r\n')).toEqual([
      'Year,"Iowa: yield, corn (t/ha)","Ohio, <&>: yield, corn (t/ha)"',
      '2011,9.5,',
      '2012,,7',
    ]);
    expect(toTabSeparated(rows)).toBe(`${WIDE[0]!.join('\t')}\r\n2011\t9.5\t\r\n2012\t\t7`);
    expect(await sheetsOf(seriesTable([IOWA, OHIO]), 'A source\nA link')).toEqual([
      ['Data', [WIDE[0], ['2011', '9.5'], ['2012', '', '7']]],
      ['About', [['A source'], ['A link']]],
    ]);
  });

  it('has dates in a workbook where periods are days or months, and no noise of binary fractions', async () => {
    const months = line('Iowa', [
      ['1899-12-01', '1899-12-31', 1],
      ['2012-01-01', '2012-01-31', 0.1 + 0.2],
    ]);
    const table = seriesTable([months]);
    const csv = Buffer.from(await tableCsvFile(fileTable(table)).arrayBuffer()).toString();
    expect(csv).toContain('\r\n2012-01,0.3\r\n');
    // Without a byte order mark, Excel would garble units such as °F.
    expect(csv).toMatch(/^\ufeffMonth,/);
    const cells = fileTable(table).map(([cell]) => cell);
    // 40,909 is the number of 1 January 2012 in spreadsheets, which count earlier dates than March 1900 unalike.
    expect(cells).toEqual([
      { text: 'Month' },
      { text: '1899-12' },
      { text: '2012-01', number: 40_909, format: 'yyyy-mm' },
    ]);
    const [[, rows]] = (await sheetsOf(table, '')) as [readonly [string, string[][]]];
    expect(rows[1]).toEqual(['1899-12', '1']);
    expect(rows[2]![0]).toMatch(/^2012-01-01/);
    expect(Number(rows[2]![1])).toBe(0.3);
  });
});
