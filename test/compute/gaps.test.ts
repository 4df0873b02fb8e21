import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countRows, type PackedPoints, sliceRun } from '../../src/columns/packed-points.js';
import { countPeriodsBetween, fillGaps, type GapOptions } from '../../src/compute/gaps.js';
import { FREQUENCIES, type FrequencyName } from '../../src/model/frequency.js';
import { periodGrid } from '../../src/model/period-grid.js';
import { DAY_MS, parseTime } from '../../src/model/time.js';
import { periodsOf, rowsOf, runOf, valuesOf } from './runs.js';

const ms = (day: string) => parseTime(day, 'day');
const frequencyOf = (name: FrequencyName) => FREQUENCIES.find((frequency) => frequency.name === name)!;

function options(name: FrequencyName, start: string | null, end: string | null): GapOptions {
  return {
    frequency: frequencyOf(name),
    startMs: start === null ? null : ms(start),
    endMs: end === null ? null : ms(end),
  };
}

function known(...periods: [start: string, end: string][]) {
  return runOf(
    periods.map(([start, end], i) => ({ startMs: ms(start), endMs: ms(end), value: i + 1, unitId: 9 })),
  );
}

/** The filled points of runs of one series. */
const fill = (runs: readonly PackedPoints[], given: GapOptions) => [...fillGaps(runs, given)];

const insertNulls = (run: PackedPoints, given: GapOptions) => fill([run], given);

describe('filling gaps', () => {
  it('follows a marketing year that shifts, and fills no period that would overlap a known one', () => {
    const points = known(
      ['1984-10-01', '1985-09-30'],
      ['1987-09-01', '1988-08-31'],
      ['1989-09-01', '1990-08-31'],
    );
    expect(periodsOf(insertNulls(points, options('annual', null, null)))).toEqual([
      '1984-10-01..1985-09-30 1',
      '1985-10-01..1986-09-30 null',
      '1987-09-01..1988-08-31 2',
      '1988-09-01..1989-08-31 null',
      '1989-09-01..1990-08-31 3',
    ]);
  });

  it('gives a filled point the unit of its neighbour, no reporting date and no metadata', () => {
    const points = runOf([
      { startMs: 0, value: 1, unitId: 7, reportingMs: 5, availableMs: 6, metadata: '{}' },
      { startMs: 0, value: null, unitId: 7, reportingMs: 6, availableMs: 7 },
      { startMs: 2 * DAY_MS, value: 2, unitId: 8, reportingMs: 5, availableMs: 6, metadata: '{}' },
    ]);
    const filled = insertNulls(points, { ...options('daily', null, null), startMs: -DAY_MS });
    expect(valuesOf(filled)).toEqual([null, 1, null, null, 2]);
    const rows = rowsOf(filled);
    expect(rows.map(({ unitId }) => unitId)).toEqual([7, 7, 7, 7, 8]);
    expect(rows.map(({ reportingMs }) => reportingMs)).toEqual([null, 5, 6, null, 5]);
    expect(rows.map(({ availableMs }) => availableMs)).toEqual([0, 6, 7, 0, 6]);
    expect(rows.map(({ metadata }) => metadata)).toEqual([null, '{}', null, null, '{}']);
  });

  it('fills an interval without points by the calendar, or from a given anchor', () => {
    const none = runOf([]);
    const fill = (name: FrequencyName, start: string, end: string, more = {}) =>
      periodsOf(insertNulls(none, { ...options(name, start, end), ...more }));
    expect(fill('annual', '2020-05-05', '2021-01-01')).toEqual([
      '2020-01-01..2020-12-31 null',
      '2021-01-01..2021-12-31 null',
    ]);
    expect(fill('quarterly', '2020-05-05', '2020-06-30')).toEqual(['2020-04-01..2020-06-30 null']);
    expect(fill('weekly', '2020-01-01', '2020-01-05')).toEqual(['2019-12-30..2020-01-05 null']);
    expect(fill('annual', '2020-05-05', '2020-12-31', { anchorMs: ms('1990-07-01') })).toEqual([
      '2019-07-01..2020-06-30 null',
      '2020-07-01..2021-06-30 null',
    ]);
    const fortnight = { ...frequencyOf('weekly'), periodLength: { days: 14 } };
    expect(fill('weekly', '2020-01-10', '2020-01-24', { frequency: fortnight })).toEqual([
      '2020-01-10..2020-01-23 null',
      '2020-01-24..2020-02-06 null',
    ]);
    const [placed] = insertNulls(none, {
      ...options('daily', '2020-01-01', '2020-01-01'),
      series: 4,
      unitId: 3,
    });
    expect([placed!.series, placed!.unit_id]).toEqual([4, 3]);
    expect(insertNulls(none, options('daily', null, '2020-01-01'))).toEqual([]);
  });

  it('never alters a known point and fills each missing period exactly once', () => {
    const starts = fc.uniqueArray(fc.integer({ min: -400, max: 400 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(starts, fc.constantFrom(...FREQUENCIES), fc.nat(300), (indexes, frequency, beyond) => {
        const grid = periodGrid(frequency, ms('1999-07-01'));
        const sorted = indexes.sort((a, b) => a - b);
        const points = runOf(
          sorted.map((i) => ({
            startMs: grid.start(i),
            endMs: grid.start(i + 1) - DAY_MS,
            value: i,
            unitId: 1,
          })),
        );
        const endMs = grid.start(sorted.at(-1)!) + beyond * DAY_MS;
        const filled = insertNulls(points, { frequency, startMs: null, endMs });
        expect(valuesOf(filled).filter((value) => value !== null)).toEqual(sorted);
        const first = sorted[0]!;
        const wanted = Array.from({ length: grid.index(endMs) - first + 1 }, (_, i) => grid.start(first + i));
        expect(rowsOf(filled).map(({ startMs }) => startMs)).toEqual(wanted);
      }),
    );
  });

  it('fills alike however the points are divided into runs', () => {
    const starts = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 20 });
    const divided = fc.tuple(starts, fc.nat(20), fc.nat(20), fc.constantFrom(...FREQUENCIES));
    fc.assert(
      fc.property(divided, ([days, one, other, frequency]) => {
        const points = runOf(
          days
            .sort((a, b) => a - b)
            .flatMap((day) => [day, day])
            .map((day, i) => ({ startMs: day * DAY_MS, value: i, unitId: 1 + (i % 3), reportingMs: i })),
        );
        const wanted = { frequency, startMs: -20 * DAY_MS, endMs: 90 * DAY_MS };
        const [from, to] = [one, other].map((row) => Math.min(row, points.length)).sort((a, b) => a - b);
        const parts = [
          [0, from],
          [from, to],
          [to, points.length],
        ].map(([a, b]) => sliceRun(points, a!, b!));
        const [whole, inParts] = [fill([points], wanted), fill(parts, wanted)];
        expect(periodsOf(inParts)).toEqual(periodsOf(whole));
        expect(rowsOf(inParts)).toEqual(rowsOf(whole));
      }),
    );
  });

  it('makes a long gap in runs of bounded size, before, between and after the known points', () => {
    const points = known(['1970-01-01', '1970-01-01'], ['1990-01-01', '1990-01-01']);
    const filled = fill([points], options('daily', '1950-01-01', '2010-12-31'));
    const days = (ms('2010-12-31') - ms('1950-01-01')) / DAY_MS + 1;
    expect(countRows(filled)).toBe(days);
    expect(Math.max(...filled.map(({ length }) => length))).toBeLessThanOrEqual(4_096 + 2);
    expect(valuesOf(filled).filter((value) => value !== null)).toEqual([1, 2]);
    const startDays = rowsOf(filled).map(({ startMs }) => startMs / DAY_MS);
    expect(startDays.every((day, i) => i === 0 || day === startDays[i - 1]! + 1)).toBe(true);
  });

  it.each<[FrequencyName, string, string, string]>([
    ['8-day', '2019-12-19', '2020-01-01', '2019-12-27..2019-12-31'],
    ['10-day', '2019-02-11', '2019-03-01', '2019-02-21..2019-02-28'],
    ['monthly', '2019-01-01', '2019-03-01', '2019-02-01..2019-02-28'],
    ['annual', '2019-01-01', '2021-01-01', '2020-01-01..2020-12-31'],
  ])('finds the shortest period that %s points can lack: between %s and %s', (name, one, other, missing) => {
    const points = runOf([one, other].map((start) => ({ startMs: ms(start), endMs: ms(start), value: 1 })));
    expect(periodsOf(insertNulls(points, options(name, null, null)))[1]).toBe(`${missing} null`);
  });

  it('fills months between stocks on the last day of each month, from February on too', () => {
    const days = ['2023-01-31', '2023-02-28', '2023-06-30'];
    const filled = insertNulls(
      known(...days.map((day): [string, string] => [day, day])),
      options('monthly', null, null),
    );
    const starts = periodsOf(filled).map((period) => period.slice(0, 10));
    expect(starts).toEqual([days[0], days[1], '2023-03-31', '2023-04-30', '2023-05-31', days[2]]);
  });

  it('begins at the first wanted date also when a known period begins long before it', () => {
    const points = known(['0001-01-01', '2020-01-02']);
    const filled = fill([points], options('daily', '2020-01-01', '2020-01-03'));
    expect(periodsOf(filled).slice(1)).toEqual([
      '2020-01-01..2020-01-01 null',
      '2020-01-02..2020-01-02 null',
      '2020-01-03..2020-01-03 null',
    ]);
  });

  it.each<[FrequencyName, number]>([
    ['daily', 3_652_059],
    ['weekly', 521_723],
    ['8-day', 459_954],
    ['10-day', 359_964],
    ['monthly', 119_988],
    ['quarterly', 39_996],
    ['annual', 9_999],
    ['3-year', 3_333],
    ['5-year', 2_000],
  ])('counts the %s periods of all years without making one', (name, count) => {
    const [startMs, endMs] = [ms('0001-01-01'), ms('9999-12-31')];
    const counted = countPeriodsBetween(frequencyOf(name), { startMs, endMs, anchorMs: startMs });
    expect(counted).toBe(count);
  });
});
