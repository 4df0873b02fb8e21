import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatDate, formatNumber, formatPeriod } from '../../../src/explorer/controls/format.js';

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
    expect(formatPeriod(ms('2014-09-01'), ms('2015-08-31'))).toBe('1 Sept 2014 – 31 Aug 2015');
  });

  it('tell no value from 0', () => {
    read('en-GB');
    expect([formatNumber(0), formatNumber(null), formatNumber(Number.NaN)]).toEqual(['0', '–', '–']);
  });
});
