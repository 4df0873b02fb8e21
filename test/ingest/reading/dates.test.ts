import { describe, expect, it } from 'vitest';
import { findDateFormat, parseFormattedDate } from '../../../src/ingest/reading/dates.js';
import { formatDay } from '../../../src/model/time.js';

describe('dates of a format', () => {
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
    ['2020-02-29T00:00:00+01:00', 'YYYY-MM-DD', '2020-02-29'],
    ['2020-02-29T23:30-0330', 'YYYY-MM-DD', '2020-02-29'],
    ['2020-02-29T00:00+01:00[Europe/Berlin]', 'YYYY-MM-DD', '2020-02-29'],
    ['2020-02-29 00:00:00 UTC', 'YYYY-MM-DD', '2020-02-29'],
    ['2020/2/29', 'YYYY/MM/DD', '2020-02-29'],
    ['29-Feb-2020', 'DD Mon YYYY', '2020-02-29'],
    ['29FEB2020', 'DD Mon YYYY', '2020-02-29'],
    ['Feb. 29, 2020', 'Mon DD YYYY', '2020-02-29'],
    ['September-2020', 'Mon YYYY', '2020-09-01'],
    ['Sept 20', 'Mon YY', '2020-09-01'],
    ['202002', 'YYYYMM', '2020-02-01'],
    ['2020-S2', 'YYYYSn', '2020-07-01'],
    ['2020H1', 'YYYYSn', '2020-01-01'],
    ['2020-B3', 'YYYYBn', '2020-05-01'],
    ['2020-D060', 'YYYYDnnn', '2020-02-29'],
    ['2020366', 'YYYYDDD', '2020-12-31'],
    ['2020-060', 'YYYY-DDD', '2020-02-29'],
    ['2019/20', 'YYYY/YY', '2019-01-01'],
    ['1999-2000', 'YYYY-YYYY', '1999-01-01'],
    ['Q4 2020', 'Qn YYYY', '2020-10-01'],
    ['1950 DJF', 'YYYY DJF', '1949-12-01'],
    ['NDJ-2023', 'DJF YYYY', '2023-11-01'],
    ['2020jja', 'YYYY DJF', '2020-06-01'],
    ['1979 DJ', 'YYYY DJ', '1978-12-01'],
    ['1979 ND', 'YYYY DJ', '1979-11-01'],
    ['H2 2020', 'Sn YYYY', '2020-07-01'],
    ['2020/060', 'YYYY/DDD', '2020-02-29'],
    ['02/29/20', 'MM/DD/YY', '2020-02-29'],
    ['31.12.69', 'DD.MM.YY', '1969-12-31'],
    ['29/02/2020 00:00', 'DD/MM/YYYY', '2020-02-29'],
    ['2/29/2020 12:00:00 AM', 'MM/DD/YYYY', '2020-02-29'],
  ] as const)('reads %s as %s', (text, format, day) => {
    expect(formatDay(parseFormattedDate(text, format))).toBe(day);
  });

  it('knows formats by their parts, and refuses what names no date', () => {
    for (const format of ['DD/Mon/YY', 'YYYY.MM', 'Wnn YYYY', 'DD.MM.YYYY', 'YYMMDD'])
      expect(findDateFormat(format)).not.toBeNull();
    for (const format of [
      '',
      'YY',
      'DD',
      'YYYY-DD',
      'MM/DD',
      'YYYY YY MM',
      'YYYY-MM-MM',
      'yyyy',
      'YYYYQn-MM',
    ])
      expect([format, findDateFormat(format) === null]).toEqual([format, format !== 'YY']);
  });

  it('refuses other formats, and days that are not in the calendar', () => {
    expect(() => parseFormattedDate('88', 'YYYY')).toThrow('the date "88" is not in the format YYYY');
    expect(() => parseFormattedDate('2011-02-29', 'YYYY-MM-DD')).toThrow(
      'the date "2011-02-29" is not in the calendar',
    );
    expect(() => parseFormattedDate('2020 JJJ', 'YYYY DJF')).toThrow('"2020 JJJ" is not in the calendar');
    for (const time of ['99:99', '24:01', '1:2:3'])
      expect(() => parseFormattedDate(`2012-02-29T${time}`, 'YYYY-MM-DD')).toThrow(
        `the date "2012-02-29T${time}" has no valid time of day`,
      );
    for (const [text, format] of [
      ['2019/21', 'YYYY/YY'],
      ['2021366', 'YYYYDDD'],
      ['2020-D000', 'YYYYDnnn'],
      ['0000-01-01', 'YYYY-MM-DD'],
      ['31-Feb-2020', 'DD Mon YYYY'],
    ] as const)
      expect(() => parseFormattedDate(text, format)).toThrow(`the date "${text}" is not in the calendar`);
    for (const text of ['29-Mal-2020', '29-Junk-2020', '2020-02-29T00:00+99:00x'])
      expect(() => parseFormattedDate(text, 'DD Mon YYYY')).toThrow('is not in the format DD Mon YYYY');
    expect(() => parseFormattedDate('2020-02-29T00:00+25:00', 'YYYY-MM-DD')).toThrow('no valid time of day');
    for (const text of ['2021-W53', '2021-W00'])
      expect(() => parseFormattedDate(text, 'YYYYWnn')).toThrow(`the date "${text}" is not in the calendar`);
  });
});
