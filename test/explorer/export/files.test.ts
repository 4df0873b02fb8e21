import { describe, expect, it } from 'vitest';
import { fileName, namedAsMade } from '../../../src/explorer/export/files.js';
import { toCsv } from '../../../src/frame/formats/csv.js';
import { fromRows } from '../../../src/frame/formats/rows.js';
import { dayRow } from '../../charts/day-row.js';

describe('the name of a file', () => {
  it.each([
    ['Yield · Corn · Iowa, Ohio', 'yield-corn-iowa-ohio.csv'],
    ['../../etc/passwd\u0000', 'etc-passwd.csv'],
    ['=1+1', '1-1.csv'],
    ['<img src=x onerror=alert(1)>', 'img-src-x-onerror-alert-1.csv'],
    ['\u202Egnp.exe', 'gnp-exe.csv'],
    ['***', 'cropframe.csv'],
    ['x'.repeat(300), `${'x'.repeat(80)}.csv`],
  ])('of %j has only letters, digits and hyphens', (title, name) => {
    expect(fileName(title, 'csv')).toBe(name);
  });
});

it('names in a table how its values were made, and the unit of shares', () => {
  const frame = fromRows([
    { ...dayRow('2020-01-01', 100), unit_id: null, unit_name: null },
    { ...dayRow('2020-01-01', 5, 9), unit_id: null, unit_name: null },
  ]);
  const made = new Map([['1-2-1-0-0-3', 'monthly sum, index (first value = 100)']]);
  const [, first, second] = toCsv(namedAsMade(frame, made, 'index (first value = 100)')).split('\r\n');
  expect(first).toContain(
    '"Yield, monthly sum, index (first value = 100)",Iowa <1>,index (first value = 100)',
  );
  expect(second).toContain(',Yield,Ohio,');
});
