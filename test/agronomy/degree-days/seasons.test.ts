import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutSeasons } from '../../../src/agronomy/degree-days/seasons.js';

/** Each day's value is its position, from 15 May 2011 to 20 June 2013. */
const RECORD = { start_date: '2011-05-15', values: Float64Array.from({ length: 768 }, (_, i) => i) };
const DAY = (date: string) => (Date.parse(date) - Date.parse(RECORD.start_date)) / 86_400_000;

describe('cutSeasons', () => {
  it('cuts one season a year, and an unfinished one as far as it goes', () => {
    const seasons = cutSeasons(RECORD, { from: '06-01', to: '09-30' });
    expect(
      seasons.map(({ start_date, values }) => [start_date, values.length, values[0], values.at(-1)]),
    ).toEqual([
      ['2011-06-01', 122, DAY('2011-06-01'), DAY('2011-09-30')],
      ['2012-06-01', 122, DAY('2012-06-01'), DAY('2012-09-30')],
      ['2013-06-01', 20, DAY('2013-06-01'), DAY('2013-06-20')],
    ]);
  });

  it('leaves out a season that starts before the data', () => {
    const starts = cutSeasons(RECORD, { from: '05-01', to: '09-30' }).map(({ start_date }) => start_date);
    expect(starts).toEqual(['2012-05-01', '2013-05-01']);
  });

  it('spans the new year, and includes 29 February', () => {
    const seasons = cutSeasons(RECORD, { from: '10-01', to: '06-30' });
    expect(seasons.map(({ start_date, values }) => [start_date, values.length])).toEqual([
      ['2011-10-01', 274],
      ['2012-10-01', 263],
    ]);
  });

  it('has the first and the last day of the data, and a season of one day', () => {
    const starts = (from: string, to: string) =>
      cutSeasons(RECORD, { from, to }).map(({ start_date, values }) => `${start_date} ${values.length}`);
    expect(starts('05-15', '05-16')).toEqual(['2011-05-15 2', '2012-05-15 2', '2013-05-15 2']);
    expect(starts('06-20', '06-20')).toEqual(['2011-06-20 1', '2012-06-20 1', '2013-06-20 1']);
    expect(starts('06-21', '06-22')).toEqual(['2011-06-21 2', '2012-06-21 2']);
  });

  it.each(['5-1', '02-29', '2012-05-01', '05-011', 'x05-01', '05-01T00:00:00Z'])(
    'names the bound that it refuses: %s',
    (bound) => {
      const reason = `"${bound}" is not a day that occurs in every year; use MM-DD`;
      expect(() => cutSeasons(RECORD, { from: bound, to: '09-30' })).toThrow(`from: ${reason}`);
      if (bound !== '02-29')
        expect(() => cutSeasons(RECORD, { from: '05-01', to: bound })).toThrow(`to: ${reason}`);
    },
  );

  it('has every day from its first to its last, in leap years too', () => {
    const dayOf = fc.date({ min: new Date('2001-01-01'), max: new Date('2001-12-31'), noInvalidDate: true });
    const text = (date: Date) => date.toISOString().slice(5, 10);
    const last = fc.oneof(dayOf.map(text), fc.constant('02-29'));
    const all = Array.from({ length: 3000 }, (_, i) =>
      new Date(Date.UTC(1998, 6, 4 + i)).toISOString().slice(0, 10),
    );
    const series = { start_date: all[0]!, values: Float64Array.from(all.keys()) };
    fc.assert(
      fc.property(dayOf.map(text), last, (from, to) => {
        const starts = all.filter((day) => day.slice(5) === from);
        const expected = starts.map((start) => {
          const rest = all.slice(all.indexOf(start));
          const after = rest.findIndex((day) => day > `${+start.slice(0, 4) + Number(to < from)}-${to}`);
          return after < 0 ? rest : rest.slice(0, after);
        });
        const found = cutSeasons(series, { from, to });
        expect(found.map(({ start_date, values }) => [start_date, values.length])).toEqual(
          expected.map((days) => [days[0], days.length]),
        );
      }),
    );
  });
});
