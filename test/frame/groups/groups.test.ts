import {
  type DataType,
  DateDay,
  Dictionary,
  Float32,
  Float64,
  Int32,
  type Int64,
  makeData,
  Table,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  Uint64,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { fromRows } from '../../../src/frame/formats/from-rows.js';
import { type Frame, frame } from '../../../src/frame/frame.js';
import { agg } from '../../../src/frame/groups/agg.js';
import { encodeColumn } from '../../../src/frame/groups/encode-column.js';
import { type RollingOptions, type Window, windows } from '../../../src/frame/groups/windows.js';
import { derivationSteps } from '../../../src/frame/table/provenance.js';
import type { NotNull } from '../../../src/frame/table/row-types.js';
import { DAY_MS, utcDay } from '../../../src/model/time.js';
import { annual, longOf } from '../verbs.js';

const FIELDS = fromRows([
  { farm: 'North', year: 2020, area: 10, tonnes: 2n ** 60n },
  { farm: 'South', year: 2020, area: null, tonnes: 2n ** 60n },
  { farm: 'North', year: 2021, area: 14, tonnes: 3n },
  { farm: null, year: 2021, area: Number.NaN, tonnes: null },
]);
type FieldColumns = typeof FIELDS extends Frame<infer Columns> ? Columns : never;

const values = (table: Table, column: string) =>
  frame(table)
    .toRows()
    .map((row) => row[column]);

describe('groups', () => {
  it('have the types of their keys and results', () => {
    const groups = FIELDS.groupBy('farm', { decade: ({ year }) => Math.floor(year / 10) }).rollup({
      n: agg.count(),
      total: agg.sum('tonnes'),
      mean: agg.mean('area'),
      first: agg.first('farm'),
      years: ({ year }) => year.length,
    });
    expectTypeOf(groups).toEqualTypeOf<
      Frame<
        { farm: Utf8; decade: Float64 } & {
          readonly n: NotNull<Int32>;
          readonly total: Int64;
          readonly mean: Float64;
          readonly first: Utf8;
          readonly years: Float64;
        }
      >
    >();
    expect(groups.toRows()).toEqual([
      { farm: 'North', decade: 202, n: 2, total: 2n ** 60n + 3n, mean: 12, first: 'North', years: 2 },
      { farm: 'South', decade: 202, n: 1, total: 2n ** 60n, mean: null, first: 'South', years: 1 },
      { farm: null, decade: 202, n: 1, total: null, mean: null, first: null, years: 1 },
    ]);
    expectTypeOf(FIELDS.groupBy('farm').withColumn('before', windows.lag('tonnes'))).toEqualTypeOf<
      Frame<FieldColumns & { before: Int64 }>
    >();
    expectTypeOf(FIELDS.valueCounts('farm')).toEqualTypeOf<
      Frame<{ farm: Utf8 } & { count: NotNull<Int32> }>
    >();
    expectTypeOf(FIELDS.cut('area', { edges: [0, 20] })).toEqualTypeOf<
      Frame<FieldColumns & { area_bin: Dictionary<Utf8, Int32> }>
    >();
    expectTypeOf(
      FIELDS.pivot({ rows: 'farm', columns: 'year', values: 'area', into: ['2020', '2021'] }),
    ).toEqualTypeOf<Frame<{ farm: Utf8 } & { 2020: Float64; 2021: Float64 }>>();
    const into = ['2020', '2021'] as const;
    const values = ['area', 'farm'] as const;
    const several = FIELDS.pivot({ rows: ['farm'], columns: 'year', values, how: 'count', into });
    expectTypeOf(several.toRows()[0]!.area_2020).toEqualTypeOf<number | null>();
    expectTypeOf(several.toRows()[0]!.farm_2021).toEqualTypeOf<number | null>();
    // @ts-expect-error a column that the frame does not have
    expect(() => FIELDS.groupBy('frm')).toThrow(/no column "frm"/);
    // @ts-expect-error a column that the frame does not have
    expect(() => FIELDS.rollup({ mean: agg.mean('are') })).toThrow(/no column "are"/);
    // @ts-expect-error a column that the frame does not have
    expect(() => FIELDS.rollup({ n: ({ yaer }) => yaer.length })).toThrow(
      /^aggregates: there is no column "yaer"; did you mean year/,
    );
  });

  it.each<[unknown, RegExp]>([
    ['mean', /^aggregates\.x: "mean" is not an aggregate; use one of agg\.count, /],
    [{ how: 'average', columns: ['area'] }, /^aggregates\.x: an object is not/],
    [{ how: 'mean', column: 'area' }, /^aggregates\.x: an object is not/],
    [undefined, /^aggregates\.x: undefined is not/],
  ])('are refused unless agg created them: %j', (given, message) => {
    expect(() => FIELDS.rollup({ x: given as never })).toThrow(message);
    expect(() => FIELDS.withColumns({ x: given as never })).toThrow(/^columns\.x: /);
    expect(() => windows.cumulative(given as never)).toThrow(/^aggregate: /);
    expect(() => FIELDS.rollup({ x: windows.rank('area') as never })).toThrow(/^aggregates\.x: an object/);
  });

  it('skip null and NaN, which no rank, minimum or count has', () => {
    const area = { n: agg.count('area'), distinct: agg.countDistinct('area'), max: agg.max('area') };
    expect(FIELDS.rollup(area).toRows()).toEqual([{ n: 2, distinct: 2, max: 14 }]);
    expect(values(FIELDS.withColumn('rank', windows.rank('area')), 'rank')).toEqual([1, null, 2, null]);
    const none = FIELDS.filter(() => false).rollup({ n: agg.count(), sum: agg.sum('area') });
    expect(none.toRows()).toEqual([{ n: 0, sum: null }]);
  });

  it('sum dictionary-encoded 64-bit integers exactly', () => {
    const type = new Dictionary(new Uint64(), new Int32());
    const data = vectorFromArray([2n ** 53n, null, 1n, 2n ** 53n, 1n], type);
    const table = frame(new Table({ n: data }));
    expect(table.rollup({ sum: agg.sum('n') }).toRows()).toEqual([{ sum: 2n ** 54n + 2n }]);
  });

  it('refuse a sum that does not fit 64 bits, and numbers of strings', () => {
    const large = fromRows([{ n: 2n ** 63n - 1n }, { n: 1n }]);
    expect(() => large.rollup({ sum: agg.sum('n') })).toThrow(
      /"n" is 9223372036854775808, which does not fit into 64 bits/,
    );
    expect(() => FIELDS.rollup({ mean: agg.mean('farm') })).toThrow(/"farm" is Utf8, but mean needs numbers/);
    expect(() => FIELDS.groupBy()).toThrow(/^keys: the list is empty/);
    expect(() => FIELDS.groupBy('farm').rollup({ farm: agg.count() })).toThrow(
      /"farm" is already the name of a key/,
    );
    expect(() => agg.quantile('area', 2)).toThrow(/^share: 2 is not a share from 0 to 1/);
  });

  it('of a long frame refuse to aggregate values in several units', () => {
    const long = longOf([{}, annual(2000, [3])], [{ unit_id: 10 }, annual(2001, [4])]);
    expect(() => long.groupBy('item_id').rollup({ sum: agg.sum('value') })).toThrow(
      /values in unit_id 7 and in unit_id 10; add "unit_id" to the keys/,
    );
    expect(long.groupBy('item_id', 'unit_id').rollup({ sum: agg.sum('value') }).numRows).toBe(2);
  });

  it('read strings whose offsets are padded', () => {
    const [valueOffsets, data] = [Int32Array.of(0, 1, 2, 2, 2), new TextEncoder().encode('ab')];
    const padded = makeData({ type: new Utf8(), length: 2, valueOffsets, data });
    expect(encodeColumn(new Vector([padded])).codes).toEqual(Int32Array.of(0, 1));
  });
});

describe('a window in the calendar', () => {
  /** The same day of the month some months earlier; the last day of a month stays the last. */
  function monthsBefore(ms: number, months: number): number {
    const [year, month, day] = new Date(ms).toISOString().slice(0, 10).split('-').map(Number) as [
      number,
      number,
      number,
    ];
    const isLast = utcDay(year, month, day + 1) === utcDay(year, month + 1, 1);
    const lastBefore = utcDay(year, month - months + 1, 0);
    return isLast ? lastBefore : Math.min(lastBefore, utcDay(year, month - months, day));
  }

  const days = Array.from({ length: 800 }, (_, day) => utcDay(2019, 11, 1) + day * DAY_MS);
  const monthEnds = Array.from({ length: 60 }, (_, month) => utcDay(2019, month, 0));
  const quarterEnds = monthEnds.filter((_, month) => month % 3 === 0);

  it.each([
    ['days across a leap year', days],
    ['month ends', monthEnds],
    ['quarter ends', quarterEnds],
  ])('has the rows that a loop finds: %s', (_, dates) => {
    const table = fromRows(dates.map((date) => ({ date: new Date(date) })));
    for (const months of [1, 2, 3, 6, 12, 24]) {
      const window = months % 12 === 0 ? { years: months / 12 } : { months };
      const counted = table.withColumn('n', windows.rolling(agg.count(), { window, by: 'date' }));
      const expected = dates.map((end) => {
        const begin = monthsBefore(end, months);
        return dates.filter((date) => date > begin && date <= end).length;
      });
      expect(values(counted, 'n')).toEqual(expected);
    }
  });

  it('sums to a number again once values whose sum is infinite have left', () => {
    const table = fromRows([1e308, 1e308, -1e308, 1, Number.POSITIVE_INFINITY, 2, 3].map((v) => ({ v })));
    const summed = table.withColumn('sum', windows.rolling(agg.sum('v'), { window: { rows: 2 } }));
    expect(values(summed, 'sum')).toEqual([1e308, Infinity, 0, -1e308, Infinity, Infinity, 5]);
  });

  it('has a weighted mean again once an infinite value of weight 0 has left', () => {
    const table = fromRows([1, Number.POSITIVE_INFINITY, 2, 3].map((v, i) => ({ v, w: i === 1 ? 0 : 1 })));
    const window = { rows: 2 };
    const mean = table.withColumn('mean', windows.rolling(agg.weightedMean('v', 'w'), { window }));
    expect(values(mean, 'mean')).toEqual([1, null, null, 2.5]);
  });

  it('is null with fewer values than the minimum, also for a count, whose type says so', () => {
    const table = fromRows([1, null, 2, null, null, 2].map((v) => ({ v })));
    const window = { rows: 3 } as const;
    const counted = table.withColumns({
      n: windows.rolling(agg.count('v'), { window, min_values: 2 }),
      distinct: windows.rolling(agg.countDistinct('v'), { window, min_values: 1 }),
      rows: windows.rolling(agg.count(), { window, min_values: 3 }),
      all: windows.rolling(agg.count('v'), { window }),
    });
    expect(values(counted, 'n')).toEqual([null, null, 2, null, null, null]);
    expect(values(counted, 'distinct')).toEqual([1, 1, 2, 1, 1, 1]);
    expect(values(counted, 'rows')).toEqual([null, null, 3, 3, 3, 3]);
    expect(values(counted, 'all')).toEqual([1, 1, 2, 1, 1, 1]);
    type Counted = typeof counted extends Frame<infer Columns> ? Columns : never;
    expectTypeOf<Counted['n']>().toEqualTypeOf<Int32>();
    expectTypeOf<Counted['all']>().toEqualTypeOf<NotNull<Int32>>();
    const options: RollingOptions = { window };
    expectTypeOf(windows.rolling(agg.count(), options)).toEqualTypeOf<Window<never, Int32>>();
    expectTypeOf(windows.rolling(agg.sum('v'), options)).toEqualTypeOf<Window<'v', 'sum'>>();
  });

  it('needs dates, one column of them, and a length', () => {
    expect(() => windows.rolling(agg.count(), { window: { days: 3 } })).toThrow(
      /^by: .*a single date column/,
    );
    expect(() => windows.rolling(agg.count(), { window: {} })).toThrow(/^window: the window is empty/);
    expect(() =>
      FIELDS.withColumn('n', windows.rolling(agg.count(), { window: { days: 3 }, by: 'year' })),
    ).toThrow(/"year" is Float64; a calendar window needs dates/);
  });
});

describe('fill', () => {
  const gaps = fromRows([1, null, null, null, 9, null].map((value, day) => ({ day: day ** 2, value })));

  it('takes values before, after or in proportion, up to a limit', () => {
    const filled = (options: Parameters<typeof gaps.fill>[1]) => values(gaps.fill('value', options), 'value');
    expect(filled({ how: 'forward', limit: 2 })).toEqual([1, 1, 1, null, 9, 9]);
    expect(filled({ how: 'backward', limit: 1 })).toEqual([1, null, null, 9, 9, null]);
    expect(filled({ how: 'linear' })).toEqual([1, 3, 5, 7, 9, null]);
    expect(filled({ how: 'linear', by: 'day' })).toEqual([1, 1.5, 3, 5.5, 9, null]);
    expect(filled({ value: 0 })).toEqual([1, 0, 0, 0, 9, 0]);
  });

  it('takes 64-bit integers exactly', () => {
    const filled = FIELDS.fill('tonnes', { value: 2n ** 53n + 1n });
    expect(values(filled, 'tonnes').at(-1)).toBe(2n ** 53n + 1n);
    expect(derivationSteps(filled)).toEqual(['fill("tonnes", {"value":"9007199254740993n"})']);
  });

  it('refuses a value of another type, and proportions of strings', () => {
    expect(() => FIELDS.fill('tonnes', { value: 1.5 })).toThrow(/1.5/);
    expect(() => FIELDS.fill('farm', { how: 'linear' })).toThrow(/"farm" is Utf8, but linear needs numbers/);
    expect(() => FIELDS.fill('area', {} as never)).toThrow(/^how: specify either how/);
  });
});

it('a clash of types names the argument that caused it', () => {
  expect(() => FIELDS.unpivot({ columns: ['area', 'farm'] })).toThrow(
    /^columns: column "value" would contain both Float64 and Utf8/,
  );
  const others = fromRows([{ ton: 1n, place: 'x' }]);
  expect(() => FIELDS.join(others, { on: { tonnes: 'ton' }, how: 'outer' })).not.toThrow();
  expect(() => FIELDS.join(fromRows([{ n: 2n ** 60n }]), { on: { area: 'n' }, how: 'outer' })).toThrow(
    /^on: column "area" would contain both Float64 and Int64/,
  );
  const data = BigInt64Array.of(1_001_001n);
  const v = new Vector([makeData({ type: new TimestampMicrosecond(), length: 1, nullCount: 0, data })]);
  const micros = frame(new Table({ v }));
  expect(() => micros.fill('v', { value: new Date(0) })).toThrow(/^value: column "v" would contain both/);
});

describe('pivot and cut', () => {
  it('refuse cells of several rows, and columns that are not named', () => {
    expect(() => FIELDS.pivot({ rows: 'year', columns: 'year', values: 'area' })).toThrow(
      /several rows have year 2020, year 2020; specify how/,
    );
    expect(() => FIELDS.pivot({ rows: 'farm', columns: 'year', values: 'area', into: ['2020'] })).toThrow(
      /^into: the columns also contain "2021"/,
    );
    const values = ['area', 'tonnes'] as const;
    const { fields } = FIELDS.pivot({ rows: 'year', columns: 'farm', values, how: 'max' }).schema;
    const areas = ['area_North', 'area_South', 'area_null'];
    const tonnes = areas.map((name) => name.replace('area', 'tonnes'));
    expect(fields.map(({ name }) => name)).toEqual(['year', ...areas, ...tonnes]);
  });

  it('have quantiles of infinite numbers, and refuse one between −∞ and ∞ as an edge', () => {
    const median = (...all: number[]) =>
      fromRows(all.map((x) => ({ x })))
        .rollup({ m: agg.median('x') })
        .toRows()[0]!.m;
    expect([median(-Infinity, 3), median(3, Infinity), median(-1e308, 1.5e308)]).toEqual([
      -Infinity,
      Infinity,
      0.25e308,
    ]);
    expect([median(-Infinity, Infinity), median(Infinity, Infinity)]).toEqual([null, Infinity]);
    const ends = fromRows([-Infinity, Infinity].map((x) => ({ x })));
    expect(() => ends.cut('x', { quantiles: 2 })).toThrow(/^quantiles: NaN comes after -Infinity/);
  });

  it('name columns after infinite numbers, and null and NaN alike', () => {
    const table = fromRows([Infinity, -Infinity, Number.NaN, null].map((x, v) => ({ x, v })));
    const { fields } = table.pivot({ rows: 'v', columns: 'x', values: 'v', how: 'first' }).schema;
    expect(fields.map(({ name }) => name)).toEqual(['v', '-Infinity', 'Infinity', 'null']);
  });

  it('put each edge into the bin below it, and the lowest into the first', () => {
    const numbers = fromRows([0, 0.5, 1, 1.5, 2, 2.5, null].map((n) => ({ n })));
    expect(values(numbers.cut('n', { edges: [0, 1, 2] }), 'n_bin')).toEqual([
      ...['[0, 1]', '[0, 1]', '[0, 1]', '(1, 2]', '(1, 2]'],
      ...[null, null],
    ]);
    expect(() => numbers.cut('n', { edges: [1, 1] })).toThrow(
      /1 comes after 1, but each edge must be greater/,
    );
    expect(() => numbers.cut('n', { edges: [0, 1], quantiles: 2 })).toThrow(
      /specify either edges or quantiles/,
    );
    expect(() => numbers.cut('n', { edges: [0, 1], labels: [] })).toThrow(
      /labels \(0\) differs from the number of bins \(1\)/,
    );
  });
});

describe('values that doubles or strings would change', () => {
  const tableOf = (v: Vector) => frame(new Table({ v }));
  const times = (type: DataType, ...data: bigint[]) =>
    tableOf(
      new Vector([
        makeData({ type, length: data.length, nullCount: 0, data: BigInt64Array.from(data) } as never),
      ]),
    );
  const extremes = { n: agg.count('v'), min: agg.min('v'), max: agg.max('v'), first: agg.first('v') };

  it('are null where a dictionary has null among its texts', () => {
    const dictionary = vectorFromArray(['a', null], new Utf8());
    const type = new Dictionary(new Utf8(), new Int32());
    const data = Int32Array.of(1, 0, 1);
    const coded = tableOf(new Vector([makeData({ type, length: 3, nullCount: 0, data, dictionary })]));
    expect(coded.valueCounts('v').toRows()).toEqual([{ v: 'a', count: 1 }]);
  });

  it('have no NaN of 32-bit floats, like those of 64 bits', () => {
    for (const type of [new Float32(), new Float64()]) {
      const floats = tableOf(vectorFromArray([Number.NaN, 1, 3, null], type));
      expect(floats.rollup(extremes).toRows()).toEqual([{ n: 2, min: 1, max: 3, first: 1 }]);
      expect(floats.valueCounts('v').numRows).toBe(2);
      expect(values(floats.fill('v', { how: 'backward' }), 'v')).toEqual([1, 1, 3, null]);
    }
  });

  it('are times of any year: other software writes an infinite time as the largest integer', () => {
    const infinite = 2n ** 63n - 1n;
    for (const type of [new TimestampMillisecond(), new TimestampMicrosecond('UTC')]) {
      const table = times(type, 7n, infinite, -infinite, 0n);
      const csv = (...data: bigint[]) => times(type, ...data).toCsv();
      expect(table.rollup({ v: agg.max('v') }).toCsv()).toBe(csv(infinite));
      expect(table.rollup({ v: agg.min('v') }).toCsv()).toBe(csv(-infinite));
      expect(table.sortBy('v').toCsv()).toBe(csv(-infinite, 0n, 7n, infinite));
    }
  });

  it('have an order: a minimum of bytes or lists is refused', () => {
    const bytes = fromRows([{ v: Uint8Array.of(1) }, { v: Uint8Array.of(2) }]);
    expect(() => bytes.rollup({ min: agg.min('v') })).toThrow(
      /^column: "v" is Binary, but min needs numbers, dates or strings/,
    );
    expect(bytes.rollup({ last: agg.last('v') }).toRows()).toEqual([{ last: Uint8Array.of(2) }]);
  });

  it('are dates in a dictionary, and match times finer than a millisecond', () => {
    const dictionary = vectorFromArray([new Date(0), null], new DateDay());
    const codes = { length: 2, nullCount: 0, data: Int32Array.of(1, 0) };
    const coded = makeData({ type: new Dictionary(new DateDay(), new Int32()), ...codes, dictionary });
    const days = tableOf(new Vector([coded]));
    expect(values(days, 'v')).toEqual([null, new Date(0)]);
    const fine = times(new TimestampMicrosecond(), 1n, 0n, 10_000_000n);
    expect(fine.join(days, { on: ['v'] }).toRows()).toEqual([{ v: new Date(0) }]);
    expect(fine.join(times(new TimestampNanosecond(), 1_001n, 1_000n), { on: ['v'] }).numRows).toBe(1);
  });

  it('have NaN last in either direction, also as 32-bit floats and in a dictionary', () => {
    const nan = Number.NaN;
    const categories = { dictionary: vectorFromArray([1, nan, null, 3], new Float64()) };
    const codes = { length: 4, nullCount: 0, data: Int32Array.of(0, 1, 2, 3) };
    const coded = makeData({ type: new Dictionary(new Float64(), new Int32()), ...codes, ...categories });
    for (const v of [
      vectorFromArray([1, nan, nan, 3], new Float32()),
      vectorFromArray([1, nan, nan, 3], new Float64()),
      new Vector([coded]),
    ]) {
      const table = tableOf(v as Vector);
      const descending = { column: 'v', descending: true } as const;
      expect(values(table.sortBy(descending), 'v').slice(0, 2)).toEqual([3, 1]);
      expect(values(table.sortBy('v'), 'v').slice(0, 2)).toEqual([1, 3]);
      const ranked = table.withColumn('rank', windows.rank('v', { descending: true }));
      expect(values(ranked, 'rank')).toEqual([2, null, null, 1]);
    }
  });

  it('sort alike with few decimals and with many', () => {
    const some = [0.1, -0, 12.345, null, -7.25, 2 ** 31, -(2 ** 31), 0, Number.NaN, 1e300];
    for (const all of [some.slice(0, 5), some.slice(0, 6), some.slice(3, 9), some]) {
      const known = all.filter((value) => value !== null && !Number.isNaN(value)) as number[];
      const sorted = values(fromRows(all.map((v) => ({ v }))).sortBy('v'), 'v').slice(0, known.length);
      expect(sorted.map((v) => Number(v) + 0)).toEqual(known.map((v) => v + 0).sort((a, b) => a - b));
    }
  });
});
