import { describe, expect, it } from 'vitest';
import { parseMappedDate, toMappedPeriod } from '../../../src/ingest/csv/dates.js';
import { FREQUENCIES } from '../../../src/model/frequency.js';
import { formatDay } from '../../../src/model/time.js';

const frequency = (name: string) => FREQUENCIES.find((known) => known.name === name)!;

describe('mappedDay', () => {
  it.each([
    ['1988', 'YYYY', '1988-01-01'],
    ['1988-11', 'YYYY-MM', '1988-11-01'],
    ['2012-02-29T12:00:00Z', 'YYYY-MM-DD', '2012-02-29'],
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
    for (const text of ['2021-W53', '2021-W00'])
      expect(() => parseMappedDate(text, 'YYYYWnn')).toThrow(`the date "${text}" is not in the calendar`);
    for (const text of ['0', '60', '-1', '2958466', '1e5', '15.03.2023', ''])
      expect(() => parseMappedDate(text, 'spreadsheet')).toThrow(
        'is not the number of a day in a spreadsheet',
      );
  });
});

describe('mappedPeriod', () => {
  it.each([
    ['daily', '2012-02-28', 1, '2012-02-28', '2012-02-28'],
    ['weekly', '2012-02-27', 1, '2012-02-27', '2012-03-04'],
    ['monthly', '2012-02-01', 9, '2012-02-01', '2012-02-29'],
    ['quarterly', '2012-10-01', 1, '2012-10-01', '2012-12-31'],
    ['annual', '2012-01-01', 9, '2012-09-01', '2013-08-31'],
    ['annual', '2012-10-04', 1, '2012-01-01', '2012-12-31'],
    ['annual', '2012-10-04', 9, '2012-09-01', '2013-08-31'],
    ['annual', '2012-10-04', null, '2012-10-04', '2013-10-03'],
    ['5-year', '1565-01-01', 1, '1565-01-01', '1569-12-31'],
  ])('%s from %s', (name, day, firstMonth, start, end) => {
    const period = toMappedPeriod(Date.parse(`${day}T00:00:00Z`), frequency(name), firstMonth);
    expect([period.startMs, period.endMs].map(formatDay)).toEqual([start, end]);
  });
});
