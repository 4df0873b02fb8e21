import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Frame } from '../../../src/frame/frame.js';
import type { ResampleOptions } from '../../../src/frame/verbs/resample.js';
import type { PeriodLength } from '../../../src/model/entity.js';
import { type FrequencyName, frequencyId } from '../../../src/model/frequency.js';
import { endsAndValues, longOf, wideOf, wideValues } from '../verbs.js';

/** Every window and every shift of the verbs, against loops that count periods and know nothing of shifted dates. */

const DAY = 86_400_000;
const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const at = (year: number, month: number, date: number) => new Date(0).setUTCFullYear(year, month, date);
const partsOf = (ms: number) => day(ms).split('-').map(Number) as [number, number, number];

/** Consecutive periods of a frequency, each from the day after the one before it. */
interface Cut {
  name: FrequencyName;
  /** The first day of a period by its number. */
  first: (number: number) => number;
  /** Periods of a year; 0 where years have no whole number of them. */
  perYear: number;
}

const months = (name: FrequencyName, length: number) => (month: number, date: number) => ({
  name,
  first: (number: number) => at(1967, month + number * length, date),
  perYear: 12 / length,
});
const days = (name: FrequencyName, length: number) => (offset: number) => ({
  name,
  first: (number: number) => at(1967, 0, 1 + offset + number * length),
  perYear: 0,
});

const month = fc.integer({ min: 0, max: 11 });
/** Mostly calendar months; otherwise periods such as 16 January to 15 February. */
const date = fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 28 }));
const ofMonths = fc.oneof(
  ...(
    [
      ['monthly', 1],
      ['quarterly', 3],
      ['annual', 12],
      ['3-year', 36],
      ['5-year', 60],
    ] as const
  ).map(([name, length]) => fc.tuple(month, date).map((given) => months(name, length)(...given))),
);
const weekly = fc.integer({ min: 0, max: 6 }).map(days('weekly', 7));
const daily = fc.integer({ min: 0, max: 800 }).map(days('daily', 1));
const dekads = fc.constant<Cut>({
  name: '10-day',
  first: (number) => at(1967, Math.floor(number / 3), 1 + 10 * (number % 3)),
  perYear: 36,
});
const eightDays = fc.constant<Cut>({
  name: '8-day',
  first: (number) => at(1967 + Math.floor(number / 46), 0, 1 + 8 * (number % 46)),
  perYear: 46,
});

interface Point {
  number: number;
  start: number;
  end: number;
  value: number;
}

/** A series with gaps and nulls over several years, with and without leap days, before and after 1970. */
function seriesOf(
  cut: Cut,
  count: number,
): fc.Arbitrary<readonly (Omit<Point, 'value'> & { value: number | null })[]> {
  const value = fc.option(fc.integer({ min: 1, max: 1000 }), { freq: 8 });
  return fc
    .tuple(fc.array(value, { minLength: 2, maxLength: count }), fc.integer({ min: 0, max: 9 }))
    .map(([values, gap]) =>
      values.flatMap((value, number) =>
        (number * 7 + gap) % 10 === 0 && number > 0
          ? []
          : [{ number, start: cut.first(number), end: cut.first(number + 1) - DAY, value }],
      ),
    );
}

const known = (points: readonly { value: number | null }[]) =>
  (points as Point[]).filter(({ value }) => value !== null);

const withPoints = (cuts: fc.Arbitrary<Cut>, count: number) =>
  cuts.chain((cut) => fc.record({ cut: fc.constant(cut), points: seriesOf(cut, count) }));

/** The values that a verb gives, which are the same of a long and a wide frame. */
function applied(
  { name }: Cut,
  points: readonly { start: number; end: number; value: number | null }[],
  verb: (table: Frame) => Frame,
) {
  const written = points.map(({ start, end, value }) => [day(start), day(end), value] as const);
  const series = [{ frequency_id: frequencyId(name) }, written] as const;
  const long = endsAndValues(verb(longOf(series)));
  expect(wideValues(verb(wideOf(series)))[0]).toEqual(long.map(([, value]) => value));
  return long;
}

const mean = (points: readonly Point[]) => points.reduce((sum, { value }) => sum + value, 0) / points.length;

function expectEach(
  found: readonly (readonly [string, number | null])[],
  points: readonly { value: number | null }[],
  wanted: (own: Point) => number | null | undefined,
) {
  points.forEach((own, i) => {
    const expected = own.value === null ? null : (wanted(own as Point) ?? null);
    if (expected === null) expect(found[i]![1]).toBeNull();
    else expect(found[i]![1]).toBeCloseTo(expected, 6);
  });
}

/** Walks back from a day until it has passed so many months: days of the same date, or last days of months. */
function firstDayOf(end: number, count: number): number {
  const [, , date] = partsOf(end);
  const isLast = partsOf(end + DAY)[2] === 1;
  let passed = 0;
  for (let ms = end - DAY; ; ms -= DAY) {
    const [year, month, own] = partsOf(ms);
    const length = partsOf(at(year, month, 0))[2];
    if (own === (isLast ? length : Math.min(date, length)) && ++passed === count) return ms + DAY;
  }
}

describe('rollingMean', () => {
  const window = fc.record({ months: fc.integer({ min: 1, max: 30 }), inYears: fc.boolean() });

  test('counts months, quarters and years of any first month and day', () => {
    fc.assert(
      fc.property(withPoints(ofMonths, 40), window, ({ cut, points }, { months, inYears }) => {
        const length: PeriodLength = inYears ? { years: months } : { months };
        const periods = ((inYears ? 12 : 1) * months * cut.perYear) / 12;
        expectEach(
          applied(cut, points, (table) => table.rollingMean({ window: length })),
          points,
          (own) =>
            mean(known(points).filter(({ number }) => number <= own.number && number > own.number - periods)),
        );
      }),
    );
  });

  test('of a month has three dekads', () => {
    fc.assert(
      fc.property(withPoints(dekads, 120), window, ({ cut, points }, { months }) => {
        expectEach(
          applied(cut, points, (table) => table.rollingMean({ window: { months } })),
          points,
          (own) =>
            mean(
              known(points).filter(({ number }) => number <= own.number && number > own.number - 3 * months),
            ),
        );
      }),
    );
  });

  test('of days, weeks and months counts the days', () => {
    const cuts = fc.oneof(daily, weekly, eightDays);
    const lengths = fc.oneof(
      fc.record({ days: fc.integer({ min: 1, max: 90 }) }),
      fc.record({ months: fc.integer({ min: 1, max: 14 }) }),
      fc.record({ years: fc.integer({ min: 1, max: 2 }) }),
    );
    fc.assert(
      fc.property(withPoints(cuts, 120), lengths, ({ cut, points }, window) => {
        const { days, months = 0, years = 0 } = window as PeriodLength;
        expectEach(
          applied(cut, points, (table) => table.rollingMean({ window })),
          points,
          (own) => {
            const first = days ? own.end - (days - 1) * DAY : firstDayOf(own.end, months + 12 * years);
            return mean(known(points).filter(({ end }) => end <= own.end && end >= first));
          },
        );
      }),
    );
  });
});

/** The part of the year of a period. */
function partOf({ name, perYear }: Cut, { number, end }: Point): string {
  if (perYear > 0) return String(perYear < 1 ? 0 : number % perYear);
  const [, month, date] = partsOf(end);
  const common = month === 2 ? Math.min(date, 28) : date;
  let passed = 0;
  for (let ms = at(2001, 0, 1); ms < at(2001, month - 1, common); ms += DAY) passed++;
  return String(name === 'daily' ? passed : Math.min(51, Math.floor(passed / 7)));
}

test('yearOverYear compares with the period of that number, or the nearest week', () => {
  const cuts = fc.oneof(ofMonths, dekads, eightDays, weekly, daily);
  fc.assert(
    fc.property(withPoints(cuts, 160), fc.constantFrom(1, 2, 3, 15), ({ cut, points }, wanted) => {
      const years = cut.perYear > 0 && cut.perYear < 1 ? 15 : wanted;
      const counterpart = (own: Point) => {
        if (cut.perYear > 0) return ({ number }: Point) => number === own.number - years * cut.perYear;
        const [year, month, date] = partsOf(own.end);
        const isLeapDay = month === 2 && date === 29 && (year - years) % 4 !== 0;
        const same = at(year - years, month - 1, isLeapDay ? 28 : date);
        return ({ end }: Point) => Math.abs(end - same) <= (cut.name === 'weekly' ? 3 : 0) * DAY;
      };
      expectEach(
        applied(cut, points, (table) => table.yearOverYear({ years })),
        points,
        (own) => {
          const before = known(points).find(counterpart(own));
          return before && own.value - before.value;
        },
      );
    }),
  );
});

test('anomaly compares with the same part of all years', () => {
  fc.assert(
    fc.property(withPoints(fc.oneof(ofMonths, dekads, eightDays, weekly, daily), 160), ({ cut, points }) => {
      fc.pre(known(points).length > 0);
      expectEach(
        applied(cut, points, (table) => table.anomaly()),
        points,
        (own) => {
          const alike = known(points).filter((other) => partOf(cut, other) === partOf(cut, own));
          return own.value - mean(alike);
        },
      );
    }),
  );
});

/** The first days of the periods of a calendar, from that of a day to the one after another day's. */
function firstsOf(
  from: number,
  to: number,
  { calendar, firstMonth }: { calendar: ResampleOptions['to']; firstMonth: number },
) {
  const length = { monthly: 1, quarterly: 3, annual: 12 }[calendar as 'monthly'];
  const isFirst = (ms: number) => {
    const one = new Date(ms);
    if (calendar === 'weekly') return one.getUTCDay() === 1;
    if (calendar === '10-day') return [1, 11, 21].includes(one.getUTCDate());
    return one.getUTCDate() === 1 && (one.getUTCMonth() + 13 - firstMonth) % length === 0;
  };
  let ms = from;
  while (!isFirst(ms)) ms -= DAY;
  const firsts: number[] = [];
  for (; (firsts.at(-1) ?? from) <= to; ms += DAY) if (isFirst(ms)) firsts.push(ms);
  return firsts;
}

test('resample puts a point where it ends, and counts the covered days', () => {
  const targets = fc.record({
    to: fc.constantFrom('weekly', '10-day', 'monthly', 'quarterly', 'annual'),
    how: fc.constantFrom('sum', 'mean', 'last', 'min', 'max'),
    first_month: fc.integer({ min: 1, max: 12 }),
    min_temporal_coverage: fc.constantFrom(0, 0.5, 0.9, 1),
  });
  const lengths: Readonly<Record<string, number>> = {
    weekly: 7,
    '10-day': 10,
    monthly: 28,
    quarterly: 90,
    annual: 365,
  };
  const finer = { daily: 1, weekly: 7, '8-day': 8, '10-day': 10, monthly: 28, quarterly: 90 };
  fc.assert(
    fc.property(
      withPoints(fc.oneof(daily, weekly, eightDays, dekads, ofMonths), 130),
      targets,
      ({ cut, points }, options) => {
        const { to, how, first_month, min_temporal_coverage } = options;
        const own = finer[cut.name as keyof typeof finer] ?? 999;
        fc.pre(own < lengths[to]! && known(points).length > 0);
        const all = known(points);
        const calendar = { calendar: to, firstMonth: first_month };
        const firsts = firstsOf(all[0]!.end, all.at(-1)!.end, calendar);
        const isDivided = ({ start, end }: Point) => firsts.some((first) => start < first && first <= end);
        if ('monthly quarterly'.includes(cut.name) && all.some(isDivided)) {
          expect(() => applied(cut, points, (table) => table.resample(options))).toThrow(/overlaps two/);
          return;
        }
        const covered = new Set<number>();
        for (const { start, end } of all) for (let ms = start; ms <= end; ms += DAY) covered.add(ms);
        const expected = firsts.slice(0, -1).map((first, i) => {
          const next = firsts[i + 1]!;
          const own = all.filter(({ end }) => end >= first && end < next);
          const days = [...covered].filter((ms) => ms >= first && ms < next).length;
          const values = own.map(({ value }) => value);
          const made = {
            sum: values.reduce((sum, value) => sum + value, 0),
            mean: mean(own),
            last: values.at(-1)!,
            min: Math.min(...values),
            max: Math.max(...values),
          }[how];
          const isNull = values.length === 0 || days / ((next - first) / DAY) < min_temporal_coverage;
          return [day(next - DAY), isNull ? null : made];
        });
        const found = applied(cut, points, (table) => table.resample(options));
        expect(found.map(([end]) => end)).toEqual(expected.map(([end]) => end));
        found.forEach(([, value], i) => {
          if (expected[i]![1] === null) expect(value).toBeNull();
          else expect(value).toBeCloseTo(expected[i]![1] as number, 6);
        });
      },
    ),
  );
});
