import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivationSteps } from '../../../src/frame/table/provenance.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { frequencyId } from '../../../src/model/frequency.js';
import { DAY_MS } from '../../../src/model/time.js';
import { annual, daily, endsAndValues, longOf, monthly, wideOf, wideValues } from '../verbs.js';

const DAILY = { frequency_id: 1 };

test('averages a calendar window, which gaps do not extend', () => {
  const gap = daily('2000-01-01', [1, 2, null, 6, 8]);
  const values = endsAndValues(longOf([DAILY, gap]).rollingMean({ window: { days: 2 } })).map(
    ([, value]) => value,
  );
  expect(values).toEqual([1, 1.5, null, 6, 7]);
});

test('a window with too few values is null', () => {
  const table = longOf([DAILY, daily('2000-01-01', [1, 2, null, 6, 8])]);
  const values = endsAndValues(table.rollingMean({ window: { days: 3 }, min_values: 2 })).map(
    ([, value]) => value,
  );
  expect(values).toEqual([null, 1.5, null, 4, 7]);
});

test('months and years are those of the calendar', () => {
  const months = longOf([{ frequency_id: 6 }, monthly('2000-01', [1, 2, 3, 4])]);
  expect(endsAndValues(months.rollingMean({ window: { months: 2 } })).map(([, value]) => value)).toEqual([
    1, 1.5, 2.5, 3.5,
  ]);
  const years = wideOf([{}, annual(2000, [1, 2, 6])]);
  expect(wideValues(years.rollingMean({ window: { years: 2 } }))).toEqual([[1, 1.5, 4]]);
});

test('separates series, keeps other columns, and records the step', () => {
  const table = longOf(
    [DAILY, daily('2000-01-01', [1, 3])],
    [{ ...DAILY, region_id: 6 }, daily('2000-01-01', [10, 30])],
  );
  const mean = table.rollingMean({ window: { days: 5 } });
  expect(endsAndValues(mean).map(([, value]) => value)).toEqual([1, 2, 10, 20]);
  expect(mean.getChild('region_name')!.toJSON()).toEqual(table.getChild('region_name')!.toJSON());
  expect(derivationSteps(mean)).toEqual(['rollingMean({"window":{"days":5},"min_values":1})']);
  expect(mean.toText()).toContain('computed: rollingMean({"window":{"days":5},"min_values":1})');
  expect([...table.getChild('value')!]).toEqual([1, 3, 10, 30]);
});

test('agrees with a mean computed for each row, long and wide', () => {
  const value = fc.option(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { freq: 4 });
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      (values, days) => {
        const expected = values.map((own, i) => {
          const known = values.slice(Math.max(0, i + 1 - days), i + 1).filter((each) => each !== null);
          return own === null ? null : known.reduce((sum, each) => sum + each, 0) / known.length;
        });
        const series = [DAILY, daily('1999-12-20', values)] as const;
        const long = endsAndValues(longOf(series).rollingMean({ window: { days } })).map(([, mean]) => mean);
        expect(long.map((mean) => mean === null)).toEqual(expected.map((mean) => mean === null));
        long.forEach((mean, i) => {
          if (mean !== null) expect(Math.abs(mean - expected[i]!)).toBeLessThanOrEqual(1e-6);
        });
        expect(wideValues(wideOf(series).rollingMean({ window: { days } }))).toEqual([long]);
      },
    ),
  );
});

test('refuses an empty window, and several values for one period', () => {
  const table = longOf([DAILY, daily('2000-01-01', [1])]);
  expect(() => table.rollingMean({ window: {} })).toThrow(ArgumentError);
  const twice = longOf([DAILY, [...daily('2000-01-01', [1]), ['2000-01-01', '2000-01-01', 1.5]]]);
  expect(() => twice.rollingMean({ window: { days: 1 } })).toThrow(/several values for 20/);
});

/** The last day of each month from January 1999 to December 2005, with two leap years. */
const MONTH_ENDS = Array.from({ length: 84 }, (_, month) => Date.UTC(1999, month + 1, 0));
/** The last day of the month that is so many months after January 1999. */
const monthEnd = (month: number) => Date.UTC(1999, month + 1, 0);
const monthOf = (ms: number) => 12 * (new Date(ms).getUTCFullYear() - 1999) + new Date(ms).getUTCMonth();
const text = (ms: number) => new Date(ms).toISOString().slice(0, 10);

test.each([
  ['daily', 0],
  ['monthly', 1],
  ['quarterly', 3],
] as const)('windows of %s series are those of a loop over all month ends', (name, months) => {
  const days = Array.from({ length: (MONTH_ENDS.at(-1)! - Date.UTC(1998, 11, 31)) / DAY_MS }, (_, day) =>
    Date.UTC(1999, 0, day + 1),
  );
  const ends = months === 0 ? days : MONTH_ENDS.filter((end) => (monthOf(end) + 1) % months === 0);
  const points = ends.map((end, i) => ({ end, value: (i * 7919) % 101 }));
  const written = points.map(({ end, value }) => {
    const start = months === 0 ? end : monthEnd(monthOf(end) - months) + DAY_MS;
    return [text(start), text(end), value] as const;
  });
  const table = longOf([{ frequency_id: frequencyId(name) }, written]);
  for (const window of [
    { months: 1 },
    { months: 3 },
    { months: 6 },
    { months: 14 },
    { years: 1 },
    { years: 4 },
  ]) {
    const length = 'years' in window ? 12 * window.years : window.months;
    const means = new Map(endsAndValues(table.rollingMean({ window })));
    for (const end of MONTH_ENDS) {
      const before = monthEnd(monthOf(end) - length);
      const inside = points.filter((point) => point.end > before && point.end <= end);
      if (!means.has(text(end))) continue;
      const expected = inside.reduce((sum, { value }) => sum + value, 0) / inside.length;
      expect([text(end), window, means.get(text(end))]).toEqual([
        text(end),
        window,
        expect.closeTo(expected, 9),
      ]);
    }
  }
});
