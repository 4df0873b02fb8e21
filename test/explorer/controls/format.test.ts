import { describe, expect, it } from 'vitest';
import { writerIn } from '../../../src/charts/language.js';
import { readDay, readDayIn, readDayOfYear } from '../../../src/explorer/controls/format.js';
import { splitUnit } from '../../../src/model/entity.js';

const ms = (day: string) => Date.parse(`${day}T00:00:00Z`);

describe('numbers and dates', () => {
  it('are written as the reader writes them', () => {
    const german = writerIn(['de-DE']);
    expect(german.number(31.2)).toBe('31,2');
    expect(german.day(ms('2014-07-01'))).toBe('1. Juli 2014');
    const british = writerIn(['en-GB']);
    expect([123_456, 14e6, 1_234_567_891, 0.1234567, 95 / 31, 0.1 + 0.2].map(british.number)).toEqual([
      ...['123,456', '14 million', '1,234,567,891', '0.1234567', '3.065', '0.3'],
    ]);
    expect([-2.5, -14e6].map(british.number)).toEqual(['−2.5', '−14 million']);
    expect([british.quantity(-16.6, '%'), german.quantity(16.6, '%')]).toEqual(['−16.6%', '16,6\u00a0%']);
    expect([british.quantity(201.1, 'bu/ac'), british.quantity(null, '%')]).toEqual(['201.1 bu/ac', '–']);
    const { quantity } = british;
    const figure = (value: number, series: readonly number[], unit = '') => quantity(value, unit, series);
    expect([26_187_001.5, 0.25].map((value) => figure(value, [26_187_001.5, 0.25]))).toEqual([
      ...['26,187,001.50', '0.25'],
    ]);
    // From a million up, a word replaces zeros, but no digit that is stored.
    const acres = [13_700_000, 9_050_000, 850_000];
    expect(acres.map((value) => figure(value, acres, 'ac'))).toEqual([
      ...['13.70 million ac', '9.05 million ac', '850,000 ac'],
    ]);
    expect(figure(1_234_567_000, [1_234_567_000])).toBe('1,234.567 million');
    expect(figure(1_234_567, [1_234_567])).toBe('1,234,567');
    expect(figure(5_000_000, [5_000_000, 4_100_000_000])).toBe('5 million');
    expect(figure(13_700_000 / 3, [13_700_000 / 3])).toBe('4.567 million');
    expect(figure(1_300_000, [1_300_000], '%')).toBe('1,300,000%');
    // Means have four digits of the largest, and one that is not 0 is never written as 0.
    const means = [95 / 31, 553 / 31, -1 / 31];
    expect(means.map((value) => figure(value, means, '°C'))).toEqual(['3.06 °C', '17.84 °C', '−0.03 °C']);
    expect([[465.625, 100.0625], [1.0876]].map((rates) => figure(rates[0]!, rates))).toEqual([
      '465.6',
      '1.0876',
    ]);
    expect(quantity(176.4, 'bu/ac', [150.25, 176.4])).toBe('176.40 bu/ac');
    expect(british.day(ms('2014-07-01'))).toBe('1 July 2014');
  });

  it('say periods as people do', () => {
    const { period } = writerIn(['en-GB']);
    expect(period(ms('2014-07-01'), ms('2014-07-01'))).toBe('1 July 2014');
    expect(period(ms('2014-02-01'), ms('2014-02-28'))).toBe('February 2014');
    expect(period(ms('2014-01-01'), ms('2014-12-31'))).toBe('2014');
    expect(period(ms('2014-09-01'), ms('2015-08-31'))).toBe('2014/15');
    expect(period(ms('2014-09-05'), ms('2015-08-31'))).toBe('5 Sept 2014 – 31 Aug 2015');
  });

  it.each<[text: string, language: string, day: string | undefined]>([
    ['2012-07-01', 'en-US', '2012-07-01'],
    ['7/1/2012', 'en-US', '2012-07-01'],
    ['01/07/2012', 'en-GB', '2012-07-01'],
    ['1.7.2012', 'de-DE', '2012-07-01'],
    ['1.7.2012', 'en-US', '2012-07-01'],
    ['7/2012', 'en-US', '2012-07-01'],
    ['2012/7/1', 'de-DE', '2012-07-01'],
    ['1 July 2012', 'de-DE', '2012-07-01'],
    ['1. Juli 2012', 'de-DE', '2012-07-01'],
    ['Jul 1, 2012', 'en-US', '2012-07-01'],
    ['31/02/2012', 'en-GB', undefined],
    ['2012', 'en-GB', '2012-01-01'],
    ['July 2012', 'de-DE', '2012-07-01'],
    ['2012-13', 'en-GB', undefined],
    ['soon', 'en-GB', undefined],
    ['1/7/12', 'en-GB', undefined],
  ])('are understood as they are written: %s in %s', (text, language, day) => {
    expect(readDay(text, [language])).toBe(day);
  });

  it('are the last of a year or a month where a range ends', () => {
    const last = (text: string) => readDay(text, ['en-US'], 'last');
    expect(['1990', 'February 2012', '2012-04', '4/15/2012'].map(last)).toEqual([
      ...['1990-12-31', '2012-02-29', '2012-04-30', '2012-04-15'],
    ]);
  });

  it('are those of marketing years, which begin in the months of the series', () => {
    const read = (text: string, edge: 'first' | 'last', months = [9, 6]) =>
      readDay(text, ['en-US'], edge, months);
    expect([read('2026/27', 'first'), read('2026/27', 'last')]).toEqual(['2026-09-01', '2027-05-31']);
    expect([read('1999/00', 'last', [9]), read('2012/14', 'first'), read('2026/27', 'first', [])]).toEqual([
      '2000-08-31',
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['04-15', 'de-DE', '04-15'],
    ['4/15', 'en-US', '04-15'],
    ['4/15', 'en-GB', '04-15'],
    ['5/4', 'en-GB', '04-05'],
    ['5/4', 'en-US', '05-04'],
    ['April 15', 'en-US', '04-15'],
    ['15. April', 'de-DE', '04-15'],
    ['4.7.2012', 'en-US', '07-04'],
    ['4.7.', 'en-US', '07-04'],
    ['4.7', 'de-DE', '07-04'],
    ['4/7/2012', 'en-GB', '07-04'],
    ['4/7', 'en-GB', '07-04'],
    ['2012-07-04', 'en-US', '07-04'],
    ['29.2.2012', 'de-DE', undefined],
    ['13/13', 'en-US', undefined],
    ['12', 'en-US', undefined],
    ['2012', 'en-US', undefined],
    ['spring', 'en-US', undefined],
    ['15-04', 'en-GB', undefined],
    ['', 'en-US', undefined],
    [' ', 'en-US', undefined],
  ])('of every year are understood: %s in %s', (text, language, day) => {
    expect(readDayOfYear(text, [language])).toBe(day);
  });

  it.each([
    ['1000 ac', 13_700, 13_700_000, 'ac'],
    ['0.1 °C', 324, 32.4, '°C'],
    ['60 kg bag', 12, 12, '60 kg bag'],
    ['100 lb sacks', 12, 12, '100 lb sacks'],
    ['100 g/An', 4.35, 435, 'g/An'],
    ['bu/ac (corn)', 1, 1, 'bu/ac (corn)'],
  ])('are shown without the number of the unit %s', (unit, stored, value, plain) => {
    const split = splitUnit(unit);
    expect([split.toPlain(stored), split.unit]).toEqual([value, plain]);
  });

  it('tell no value from 0', () => {
    expect([0, null, Number.NaN].map(writerIn(['en-GB']).number)).toEqual(['0', '–', '–']);
  });

  it.each(['4/15', '04-15', 'April 15'])(
    'have the year of the latest day where it is missing: %s',
    (text) => {
      expect(readDayIn('2021-12-31', text, ['en-US'])).toBe('2021-04-15');
      expect(readDayIn('2021-12-31', 'soon', ['en-US'])).toBeUndefined();
    },
  );
});
