import {
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  DurationMicrosecond,
  DurationSecond,
  Int64,
  makeData,
  Table,
  TimeMicrosecond,
  TimeSecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { fromRows } from '../../../src/frame/formats/from-rows.js';
import { frame } from '../../../src/frame/frame.js';
import { derivationSteps } from '../../../src/frame/table/provenance.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { exactRows } from '../exact-rows.js';
import { PROVENANCE } from '../points.js';
import { annual, longOf, wideOf } from '../verbs.js';

const farms = fromRows([
  { farm: 'North', year: 2000, area: 10 },
  { farm: 'North', year: 2001, area: 11 },
  { farm: 'South', year: 2000, area: 20 },
  { farm: null, year: 2000, area: 30 },
]);
const harvests = fromRows([
  { name: 'South', year: 2000, yield: 6 },
  { name: 'North', year: 2000, yield: 5 },
  { name: 'North', year: 2000, yield: 5.5 },
  { name: null, year: 2000, yield: 9 },
  { name: 'West', year: 2002, yield: 7 },
]);
const on = { farm: 'name', year: 'year' };

test.each([
  ['inner', ['North 2000 10 5', 'North 2000 10 5.5', 'South 2000 20 6']],
  [
    'left',
    ['North 2000 10 5', 'North 2000 10 5.5', 'North 2001 11 null', 'South 2000 20 6', 'null 2000 30 null'],
  ],
  [
    'outer',
    [
      'North 2000 10 5',
      'North 2000 10 5.5',
      'North 2001 11 null',
      'South 2000 20 6',
      'null 2000 30 null',
      'null 2000 null 9',
      'West 2002 null 7',
    ],
  ],
  ['semi', ['North 2000 10', 'South 2000 20']],
  ['anti', ['North 2001 11', 'null 2000 30']],
] as const)('%s', (how, rows) => {
  const joined = farms.join(harvests, { on, how });
  expect(exactRows(joined).map((row) => Object.values(row).join(' ').replace(/ {2,}/g, ' null '))).toEqual(
    rows.map((row) => row.replace(/null/g, '').replace(/ {2,}/g, ' null ').replace(/^ /, ' ')),
  );
});

test('pairs rows as a comparison of all of them does', () => {
  const key = fc.constantFrom(null, 'a', 'b', 'c');
  const rows = fc.array(fc.record({ a: key, b: fc.constantFrom(null, 1, 2) }), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(rows, rows, (left, right) => {
      const numbered = (all: typeof left, name: string) =>
        fromRows(all.map((row, at) => ({ ...row, [name]: at })));
      const joined = numbered(left, 'left').join(numbered(right, 'right'), { on: ['a', 'b'] });
      const wanted = left.flatMap((l, i) =>
        right.flatMap((r, j) =>
          l.a !== null && l.b !== null && l.a === r.a && l.b === r.b ? [{ ...l, left: i, right: j }] : [],
        ),
      );
      expect(exactRows(joined)).toEqual(wanted);
    }),
  );
});

test('compares numbers of all types exactly, and dates with dates', () => {
  const table = (values: readonly bigint[]) => new Table({ n: vectorFromArray([...values], new Int64()) });
  const big = 2n ** 53n + 1n;
  expect(frame(table([1n, big])).join(fromRows([{ n: 1 }, { n: 2 ** 53 }]), { on: ['n'] }).numRows).toBe(1);
  const decimals = (...units: readonly bigint[]) => {
    const words = units.flatMap((unit) => [Number(unit & 0xffff_ffffn), Number(unit >> 32n), 0, 0]);
    const type = new Decimal(2, 20, 128);
    return new Table({
      n: new Vector([makeData({ type, length: units.length, data: Uint32Array.from(words) })]),
    });
  };
  const close = decimals(100n * big + 1n, 100n * big, 150n);
  expect(frame(close).join(decimals(100n * big, 150n), { on: ['n'] }).numRows).toBe(2);
  expect(frame(close).join(table([big - 1n, big]), { on: ['n'] }).numRows).toBe(1);
  expect(exactRows(frame(close).sortBy('n')).map(({ n }) => n)).toEqual(['1.50', `${big}.00`, `${big}.01`]);
  const outer = frame(table([1n])).join(fromRows([{ n: 1 }, { n: 1.5 }]), { on: ['n'], how: 'outer' });
  expect(exactRows(outer)).toEqual([{ n: 1 }, { n: 1.5 }]);
  const dates = fromRows([{ day: new Date('2000-12-31') }]);
  expect(longOf([{}, annual(2000, [1])]).join(dates, { on: { end_date: 'day' } }).numRows).toBe(1);
});

describe('of frames', () => {
  const long = longOf([{}, annual(2000, [1, 2])]).withProvenance(PROVENANCE);
  const regions = fromRows([{ region: 'Iowa', state: 'IA' }]);

  it('keeps series, units and sources where every row is a point of one', () => {
    const joined = long.join(regions, { on: { region_name: 'region' }, how: 'left' });
    expect(joined.summary()).toMatchObject({ shape: 'long', series: 1, sources: PROVENANCE.sources });
    expect(exactRows(joined).map(({ state }) => state)).toEqual(['IA', 'IA']);
    const [step] = derivationSteps(joined);
    expect(step).toBe('join({"on":{"region_name":"region"},"how":"left"})');
  });

  it('is no frame of series where rows belong to none, and says from which frames it came', () => {
    const others = fromRows([{ region_name: 'Ohio', state: 'OH' }]);
    const joined = long.join(others, { on: ['region_name'], how: 'outer' });
    expect(joined.summary().shape).toBe('other');
    expect(joined.provenance!.sources).toEqual(PROVENANCE.sources);
    expect(exactRows(joined).at(-1)).toMatchObject({ region_name: 'Ohio', value: null, region_id: null });
    expect(() => joined.resample({ to: 'annual', how: 'sum' })).toThrow(/belongs to no series/);
  });

  it('refuses verbs of series over points that a join has repeated', () => {
    const twice = fromRows([
      { region_name: 'Iowa', plot: 1 },
      { region_name: 'Iowa', plot: 2 },
    ]);
    const joined = long.join(twice, { on: ['region_name'] });
    expect(joined.numRows).toBe(4);
    expect(() => joined.resample({ to: 'annual', how: 'sum' })).toThrow(ArgumentError);
  });

  it('makes series of another table columns, unless it is joined by end dates', () => {
    const wide = wideOf([{}, annual(2000, [1, 2])]);
    const days = fromRows([{ end_date: new Date('2000-12-31'), note: 'first' }]);
    expect(days.join(wide, { on: ['end_date'] }).summary().series).toBe(1);
    const notes = fromRows([{ end_date: new Date('2030-01-01'), amount: 2 }]);
    const [, value] = wide.schema.fields;
    expect(notes.join(wide, { on: { amount: value!.name }, suffix: ' 2' }).summary().series).toBe(0);
  });
});

test.each([
  [{ on: ['farm'] }, /on: the frame has no column "farm"; it has name, year, yield/],
  [
    { on: { farm: 'yield' } },
    /"farm" in the left table contains strings, but "yield" in the right table contains numbers/,
  ],
  [{ on: { farm: 'name' } }, /suffix: both frames have a column "year"/],
  [{ on: [] }, /on: it contains no columns/],
  [{ on: ['year'], how: 'right' }, /how: "right" is unknown/],
  [{ on: ['year'], by: 'farm' }, /by/],
  [{ on: 'farm' }, /on: "farm" is a column name; to join on columns, pass a list/],
])('refuses %j', (options, reason) => {
  const call = () => farms.join(harvests, options as never);
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(reason);
});

const fixed = (type: DataType, data: ArrayBufferView & { length: number }, name: string) =>
  frame(
    new Table({
      t: new Vector([makeData({ type, length: data.length, nullCount: 0, data } as never)]),
      [name]: vectorFromArray(Int32Array.from({ length: data.length }, (_, row) => row)),
    }),
  );
const times = (type: TimestampSecond, name: string, micros = 0n) => {
  const perSecond = 10n ** BigInt(3 * type.unit);
  const seconds = BigInt64Array.of(0n, 1n, 86_400n);
  return fixed(
    type,
    seconds.map((second) => second * perSecond + (micros * perSecond) / 1_000_000n),
    name,
  );
};

describe('times of two units are equal when they are the same moment', () => {
  test.each<[DataType, DataType, bigint?]>([
    [new TimestampSecond(), new TimestampMillisecond()],
    [new TimestampSecond('UTC'), new TimestampNanosecond('UTC')],
    [new TimestampMillisecond(), new TimestampNanosecond()],
    [new TimestampMicrosecond(), new TimestampNanosecond(), 1n],
    [new DurationSecond(), new DurationMicrosecond()],
  ])('%s and %s', (left, right, micros) => {
    const [a, b] = [
      times(left as TimestampSecond, 'a', micros),
      times(right as TimestampSecond, 'b', micros),
    ];
    for (const [how, rows] of [
      ['inner', 3],
      ['semi', 3],
      ['anti', 0],
    ] as const)
      expect(a.join(b, { on: ['t'], how }).numRows).toBe(rows);
  });

  test('times of day, days in days and in milliseconds', () => {
    const seconds = fixed(new TimeSecond(), Int32Array.of(0, 10, 61), 'a');
    const micros = fixed(new TimeMicrosecond(), BigInt64Array.of(0n, 10_000_000n, 61_500_000n), 'b');
    expect(seconds.join(micros, { on: ['t'] }).numRows).toBe(2);
    const days = fixed(new DateDay(), Int32Array.of(0, 1), 'a');
    const ms = fixed(new DateMillisecond(), BigInt64Array.of(0n, 86_400_000n), 'b');
    expect(days.join(ms, { on: ['t'] }).numRows).toBe(2);
  });

  test('durations are no numbers', () => {
    expect(() => times(new DurationSecond() as never, 'a').join(fromRows([{ t: 1 }]), { on: ['t'] })).toThrow(
      /"t" in the left table contains durations, but "t" in the right table contains numbers/,
    );
  });
});

describe('days of a zone', () => {
  const days = ['2020-02-28', '2020-03-28', '2020-03-29', '2020-03-30'];
  const midnights = (zone: string, utc: readonly string[]) =>
    fixed(
      new TimestampMillisecond(zone),
      BigInt64Array.from(utc, (text) => BigInt(Date.parse(text))),
      'b',
    );
  const own = fromRows(days.map((t, a) => ({ t: new Date(t), a })));
  const berlin = ['2020-02-27T23:00Z', '2020-03-27T23:00Z', '2020-03-28T23:00Z', '2020-03-29T22:00Z'];
  // The clocks of Beirut skip the midnight of 29 March 2020.
  const beirut = ['2020-02-27T22:00Z', '2020-03-27T22:00Z', '2020-03-28T22:00Z', '2020-03-29T21:00Z'];

  test.each([
    ['Europe/Berlin', berlin],
    ['+05:30', days.map((day) => `${day}T00:00+05:30`)],
    ['Pacific/Auckland', days.map((day) => `${day}T00:00+13:00`)],
    ['Asia/Beirut', beirut],
  ])('%s are equal to those days', (zone, utc) => {
    const table = midnights(zone, utc);
    const pairs = exactRows(own.join(table, { on: ['t'] })).map(({ a, b }) => `${a} ${b}`);
    expect(pairs).toEqual(['0 0', '1 1', '2 2', '3 3']);
    const outer = exactRows(own.join(table, { on: ['t'], how: 'outer' }));
    expect(outer.map(({ t }) => String(t).slice(0, 10))).toEqual(days);
  });

  test('are moments where the other table has no days', () => {
    const moments = fromRows(
      ['2020-02-27T23:00Z', '2020-02-28T01:00Z'].map((t, a) => ({ t: new Date(t), a })),
    );
    const joined = moments.join(midnights('Europe/Berlin', berlin), { on: ['t'] });
    expect(exactRows(joined).map(({ a, b }) => [a, b])).toEqual([[0, 0]]);
  });

  test('of an unknown zone are refused by name', () => {
    expect(() => own.join(midnights('Mars/Olympus', days), { on: ['t'] })).toThrow(
      /zone: "Mars\/Olympus" is not a known time zone; convert the column to UTC/,
    );
  });
});
