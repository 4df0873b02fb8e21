import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatDate, formatNumber, formatPeriod, readDay } from '../../../src/explorer/controls/format.js';

const ms = (day: string) => Date.parse(`${day}T00:00:00Z`);
const read = (language: string) => vi.stubGlobal('navigator', { languages: [language] });

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('numbers and dates', () => {
  it('are written as the reader writes them', () => {
    read('de-DE');
    expect(formatNumber(31.2)).toBe('31,2');
    expect(formatDate(ms('2014-07-01'))).toBe('1. Juli 2014');
    read('en-GB');
    expect(formatNumber(1234567)).toBe('1,234,567');
    expect(formatDate(ms('2014-07-01'))).toBe('1 July 2014');
  });

  it('say periods as people do', () => {
    read('en-GB');
    expect(formatPeriod(ms('2014-07-01'), ms('2014-07-01'))).toBe('1 July 2014');
    expect(formatPeriod(ms('2014-02-01'), ms('2014-02-28'))).toBe('February 2014');
    expect(formatPeriod(ms('2014-01-01'), ms('2014-12-31'))).toBe('2014');
    expect(formatPeriod(ms('2014-09-01'), ms('2015-08-31'))).toBe('2014/15');
    expect(formatPeriod(ms('2014-09-05'), ms('2015-08-31'))).toBe('5 Sept 2014 – 31 Aug 2015');
  });

  it.each<[text: string, language: string, day: string | undefined]>([
    ['2012-07-01', 'en-US', '2012-07-01'],
    ['7/1/2012', 'en-US', '2012-07-01'],
    ['01/07/2012', 'en-GB', '2012-07-01'],
    ['1.7.2012', 'de-DE', '2012-07-01'],
    ['2012/7/1', 'de-DE', '2012-07-01'],
    ['1 July 2012', 'de-DE', '2012-07-01'],
    ['1. Juli 2012', 'de-DE', '2012-07-01'],
    ['Jul 1, 2012', 'en-US', '2012-07-01'],
    ['31/02/2012', 'en-GB', undefined],
    ['2012', 'en-GB', undefined],
    ['soon', 'en-GB', undefined],
    ['1/7/12', 'en-GB', undefined],
  ])('are understood as they are written: %s in %s', (text, language, day) => {
    expect(readDay(text, [language])).toBe(day);
  });

  it('tell no value from 0', () => {
    read('en-GB');
    expect([formatNumber(0), formatNumber(null), formatNumber(Number.NaN)]).toEqual(['0', '–', '–']);
  });
});
