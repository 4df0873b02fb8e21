import { describe, expect, it } from 'vitest';
import { parseMappedDate } from '../../../src/ingest/csv/dates.js';
import { formatDay } from '../../../src/model/time.js';

describe('mappedDay', () => {
  it.each([
    ['1988', 'YYYY', '1988-01-01'],
    ['1988-11', 'YYYY-MM', '1988-11-01'],
    ['2012-02-29T12:00:00Z', 'YYYY-MM-DD', '2012-02-29'],
    ['2012-02-28T24:00', 'YYYY-MM-DD', '2012-02-29'],
    ['2012-02-29 23:59:59.9', 'YYYY-MM-DD', '2012-02-29'],
    ['20120229', 'YYYYMMDD', '2012-02-29'],
    ['2/9/2012', 'MM/DD/YYYY', '2012-02-09'],
    ['2/9/2012', 'DD/MM/YYYY', '2012-09-02'],
    ['02.09.2012', 'DD.MM.YYYY', '2012-09-02'],
    ['2023-Q3', 'YYYYQn', '2023-07-01'],
    ['2023Q1', 'YYYYQn', '2023-01-01'],
    ['1960M11', 'YYYYMnn', '1960-11-01'],
    ['2021-W01', 'YYYYWnn', '2021-01-04'],
    ['2020W53', 'YYYYWnn', '2020-12-28'],
    ['2019-W1', 'YYYYWnn', '2018-12-31'],
    ['45000.75', 'spreadsheet', '2023-03-15'],
    ['61', 'spreadsheet', '1900-03-01'],
    ['59', 'spreadsheet', '1900-02-28'],
    ['1', 'spreadsheet', '1900-01-01'],
    ['43538', 'spreadsheet-1904', '2023-03-15'],
    ['0', 'spreadsheet-1904', '1904-01-01'],
  ] as const)('reads %s as %s', (text, format, day) => {
    expect(formatDay(parseMappedDate(text, format))).toBe(day);
  });

  it('refuses other formats, and days that are not in the calendar', () => {
    expect(() => parseMappedDate('88', 'YYYY')).toThrow('the date "88" does not have the format YYYY');
    expect(() => parseMappedDate('2011-02-29', 'YYYY-MM-DD')).toThrow(
      'the date "2011-02-29" is not in the calendar',
    );
    for (const time of ['99:99', '24:01', '1:2:3', '..'])
      expect(() => parseMappedDate(`2012-02-29T${time}`, 'YYYY-MM-DD')).toThrow(
        `the date "2012-02-29T${time}" has no valid time of day`,
      );
    for (const text of ['2021-W53', '2021-W00'])
      expect(() => parseMappedDate(text, 'YYYYWnn')).toThrow(`the date "${text}" is not in the calendar`);
    for (const text of ['0', '60', '-1', '2958466', '1e5', '15.03.2023', ''])
      expect(() => parseMappedDate(text, 'spreadsheet')).toThrow(
        'is not the number of a day in a spreadsheet',
      );
  });
});
