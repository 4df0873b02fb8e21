import {
  type Float64,
  type Int64,
  type Table,
  type TimestampMillisecond,
  tableFromArrays,
  type Utf8,
} from 'apache-arrow';
import { expect, expectTypeOf, test } from 'vitest';
import { fromRows } from '../../src/frame/formats/from-rows.js';
import { fromCsv } from '../../src/frame/formats/read-csv.js';
import { Frame, frame } from '../../src/frame/frame.js';
import type { LongColumns } from '../../src/frame/table/frame-types.js';
import type { NotNull } from '../../src/frame/table/row-types.js';

type FieldColumns = {
  farm: NotNull<Utf8>;
  area: Float64;
  plots: Int64;
  sown: TimestampMillisecond;
};

const FIELDS = frame(
  fromRows([
    { farm: 'North', area: 12, plots: 3n, sown: new Date('2020-04-01') },
    { farm: 'South', area: null, plots: 5n, sown: new Date('2020-05-01') },
  ]) as Table<FieldColumns>,
);

test('a row has the types of the columns, null where a column may be', () => {
  FIELDS.filter((row) => {
    expectTypeOf(row).toEqualTypeOf<{
      readonly farm: string;
      readonly area: number | null;
      readonly plots: bigint | null;
      readonly sown: Date | null;
    }>();
    return true;
  });
});

test('each verb gives the columns of its result', () => {
  expectTypeOf(FIELDS.head()).toEqualTypeOf<Frame<FieldColumns>>();
  expectTypeOf(FIELDS.select(['farm'])).toEqualTypeOf<Frame<{ farm: NotNull<Utf8> }>>();
  expectTypeOf(FIELDS.omit(['plots', 'sown', 'area'])).toEqualTypeOf<Frame<{ farm: NotNull<Utf8> }>>();
  const renamed = FIELDS.select(['farm', 'area']).rename({ farm: 'name' });
  expectTypeOf(renamed).toEqualTypeOf<Frame<{ name: NotNull<Utf8>; area: Float64 }>>();
  const acres = FIELDS.select(['area']).withColumn('acres', ({ area }) => area * 2.471);
  acres.filter((row) => {
    expectTypeOf(row.acres).toEqualTypeOf<number | null>();
    return true;
  });
  const joined = FIELDS.select(['farm', 'area']).join(renamed.rename({ name: 'farm' }), {
    on: ['farm'],
    suffix: '_2',
  });
  joined.filter((row) => {
    expectTypeOf(row.area_2).toEqualTypeOf<number | null>();
    expectTypeOf(row.farm).toEqualTypeOf<string>();
    return true;
  });
  const rain = fromCsv('farm,rain\nHill,3\n', { types: { farm: 'string', rain: 'number' } });
  FIELDS.join(rain, { on: ['farm'] }).filter((row) => {
    expectTypeOf(row.rain).toEqualTypeOf<number | null>();
    return true;
  });
  // @ts-expect-error a column that the frame does not have
  expect(() => FIELDS.select(['are'])).toThrow(/no column "are"/);
  // @ts-expect-error a column that the frame does not have
  expect(() => FIELDS.sortBy('are')).toThrow(/no column "are"/);
});

test('a table of other software becomes a frame, whose rows say what they are', () => {
  const other = frame(tableFromArrays({ area: Float64Array.of(7, 20), crop: ['corn', 'rice'] }));
  expect(other).toBeInstanceOf(Frame);
  expect(frame(other)).toBe(other);
  expect(other.filter(({ area }) => (area ?? 0) > 15).toRows()).toEqual([{ area: 20, crop: 'rice' }]);
  const unknown = frame(other as Table);
  unknown.filter((row) => {
    expectTypeOf(row.area).not.toBeAny();
    return true;
  });
  expect(unknown.filter(({ area }: { area: number }) => area < 15).numRows).toBe(1);
  const anyFrame = (long: Frame<LongColumns>): Frame => long;
  expectTypeOf(anyFrame).returns.toEqualTypeOf<Frame>();
  expect(() => frame({} as Table)).toThrow(/^table: .* is not an Arrow table/);
});
