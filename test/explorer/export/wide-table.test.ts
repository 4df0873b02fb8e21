import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Line } from '../../../src/charts/lines.js';
import {
  toTabSeparated,
  wideCsvFile,
  wideTable,
  workbookFile,
} from '../../../src/explorer/export/wide-table.js';
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

describe('a table with a column for each series', () => {
  it('has a row for each period, written as people write it', () => {
    expect(wideTable([IOWA, OHIO])).toEqual(WIDE);
    const period = (start: string, end: string) => wideTable([line('Iowa', [[start, end, 1]])])[1]![0];
    expect(period('2012-09-01', '2013-08-31')).toBe('2012/13');
    expect(period('2012-02-01', '2012-02-29')).toBe('2012-02');
    expect(period('2012-02-01', '2012-02-01')).toBe('2012-02-01');
    expect(period('2012-02-01', '2012-02-10')).toBe('2012-02-01/2012-02-10');
    const one = { ...OHIO, label: 'Corn · Ohio', region: 'Ohio', unit: 'bu/ac (corn)' };
    expect(wideTable([one])[0]).toEqual(['Year', 'Corn · Ohio: yield (bu/ac)']);
    const rain = { ...line('Rain', [], ''), metric: 'Rain', item: '' };
    expect(wideTable([IOWA, rain])[0]).toEqual(['Year', 'Iowa (t/ha)', 'Rain']);
  });

  it('is the same as CSV, as a workbook with its source, and on the clipboard', async () => {
    const rows = wideTable([IOWA, OHIO]);
    const csv = await wideCsvFile(rows).text();
    expect(csv.trim().split('\r\n')).toEqual([
      'Year,"Iowa: yield, corn (t/ha)","Ohio, <&>: yield, corn (t/ha)"',
      '2011,9.5,',
      '2012,,7',
    ]);
    expect(toTabSeparated(rows)).toBe(`${WIDE[0]!.join('\t')}\r\n2011\t9.5\t\r\n2012\t\t7`);
    const file = join(temporaryFolder(), 'wide.xlsx');
    writeFileSync(file, Buffer.from(await workbookFile(rows, 'A source\nA link').arrayBuffer()));
    const sheets = await readSheets(file, '.');
    const cellsOf = async (at: number) => {
      const read: string[][] = [];
      for await (const { cells } of sheets[at]!.rows()) read.push([...cells]);
      return read;
    };
    expect(sheets.map(({ name }) => name)).toEqual(['Data', 'About']);
    expect(await cellsOf(0)).toEqual([WIDE[0], ['2011', '9.5'], ['2012', '', '7']]);
    expect(await cellsOf(1)).toEqual([['A source'], ['A link']]);
  });
});
