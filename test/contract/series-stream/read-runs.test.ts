import { describe, expect, it } from 'vitest';
import { setBit } from '../../../src/columns/bitmap.js';
import type { PackedPoints } from '../../../src/columns/packed-points.js';
import { BatchReader } from '../../../src/contract/series-stream/batch-reader.js';
import {
  BatchWriter,
  type Elements,
  type Numbers,
} from '../../../src/contract/series-stream/batch-writer.js';
import { FlatTable, MESSAGE } from '../../../src/contract/series-stream/flatbuffer.js';
import { readRuns } from '../../../src/contract/series-stream/read-runs.js';
import { DAY_MS } from '../../../src/model/time.js';
import { headOf } from './points.js';

type OrNull<Type> = readonly (Type | null)[];

/** What a date column of each run holds; a run may hold what no encoder writes. */
interface Dates {
  readonly first?: OrNull<number> | undefined;
  readonly step?: OrNull<number> | undefined;
  readonly days?: OrNull<OrNull<number>> | undefined;
  readonly dates?: OrNull<OrNull<number>> | undefined;
}

/** What one number, or a list, of each run holds. */
interface Each {
  readonly constant?: OrNull<number> | undefined;
  readonly each?: OrNull<OrNull<number>> | undefined;
}

interface Batch {
  readonly series?: OrNull<number> | undefined;
  readonly start?: Dates | undefined;
  readonly end?: Dates | undefined;
  readonly unit?: Each | undefined;
  readonly reporting?: Each | undefined;
  readonly available?: Each | undefined;
  readonly metadata?: OrNull<OrNull<string>> | undefined;
  readonly values?: OrNull<OrNull<number>> | undefined;
}

const HEAD = headOf(2);
const NONE = [null, null];

/** How a batch is not as its writer makes it. */
interface Oddities {
  /** What null places hold. */
  readonly under?: number | undefined;
  /** Changes the body, whose end is the offsets and elements of the values. */
  readonly spoil?: ((body: DataView) => void) | undefined;
}

/** Two runs, of two points and of one, with changes. */
function runsOf(batch: Batch, { under = 0, spoil }: Oddities = {}): PackedPoints[] {
  const writer = new BatchWriter(2);
  const bits = (items: OrNull<unknown>) => {
    if (!items.includes(null)) return null;
    const bitmap = new Uint8Array(1);
    items.forEach((item, i) => {
      if (item !== null) setBit(bitmap, i);
    });
    return bitmap;
  };
  const int64 = (items: OrNull<number>) => BigInt64Array.from(items, (item) => BigInt(item ?? under));
  const int32 = (items: OrNull<number>) => Int32Array.from(items, (item) => item ?? under);
  const lists = <Items extends Numbers>(
    all: OrNull<OrNull<number>>,
    Kind: { new (length: number): Items; BYTES_PER_ELEMENT: number },
    of: (items: OrNull<number>) => Items,
  ) =>
    writer.lists(
      all.map((list): Elements<Items> | null =>
        list === null ? null : { items: of(list), valid: bits(list) },
      ),
      Kind,
    );
  const dates = ({ first = NONE, step = NONE, days = NONE, dates: listed = NONE }: Dates) => {
    writer.numbers(int64(first), bits(first));
    writer.numbers(int64(step), bits(step));
    lists(days, Int32Array, int32);
    lists(listed, BigInt64Array, int64);
  };
  const {
    series = [0, 1],
    start = { first: [0, 0], step: [1, 0] },
    end = {},
    unit = {},
    reporting = {},
  } = batch;
  writer.numbers(
    Uint32Array.from(series, (one) => one ?? 0),
    bits(series),
  );
  dates(start);
  dates(end);
  const { constant: unitId = [4, 4], each: unitIds = NONE } = unit;
  writer.numbers(int32(unitId), bits(unitId));
  lists(unitIds, Int32Array, int32);
  for (const { constant = NONE, each = NONE } of [reporting, batch.available ?? {}]) {
    writer.numbers(int64(constant), bits(constant));
    lists(each, BigInt64Array, int64);
  }
  writer.texts(batch.metadata ?? NONE);
  lists(batch.values ?? [[1, 2], [3]], Float64Array, (items) =>
    Float64Array.from(items, (item) => item ?? under),
  );
  const { metadata, body } = writer.finish();
  const bytes = new Uint8Array(Buffer.concat(body));
  spoil?.(new DataView(bytes.buffer));
  return readRuns(new BatchReader(FlatTable.root(metadata).table(MESSAGE.header), bytes), HEAD);
}

const RANGE = 'a date is out of range';
const COUNT = 'a list has not one element a point';
const MAX_MS = 8.64e15;

describe('the runs of a batch', () => {
  it('have what their row says', () => {
    const [first, second] = runsOf({
      start: { first: [0, 0], step: [DAY_MS, null], days: [null, [5]] },
      end: { first: [7, null], dates: [[7, 9], null] },
      unit: { constant: [null, 20], each: [[4, 0], null] },
      reporting: { constant: [null, 3], each: [[5, 6], null] },
      available: { constant: [8, null], each: [null, [9]] },
      metadata: [['{}', null], null],
    });
    expect(first).toEqual({
      series: 0,
      length: 2,
      start_date: { firstMs: 0, stepMs: DAY_MS },
      end_date: Float64Array.of(7, 9),
      value: Float64Array.of(1, 2),
      value_valid: null,
      unit_id: Int32Array.of(4, 0),
      reporting_date: { dates: Float64Array.of(5, 6), valid: null },
      available_date: 8,
      metadata: ['{}', null],
    });
    expect(second).toEqual({
      series: 1,
      length: 1,
      start_date: Float64Array.of(5 * DAY_MS),
      end_date: null,
      value: Float64Array.of(3),
      value_valid: null,
      unit_id: 20,
      reporting_date: 3,
      available_date: Float64Array.of(9),
      metadata: null,
    });
  });

  it('hide what is in null places', () => {
    const [first, second] = runsOf(
      {
        values: [[null, 2], [3]],
        unit: { constant: [null, null], each: [[null, 4], null] },
        reporting: { each: [[6, null], null] },
        available: { each: [[null, 7], null] },
      },
      { under: 77 },
    );
    expect(first).toMatchObject({
      value: Float64Array.of(Number.NaN, 2),
      value_valid: Uint8Array.of(0b10),
      unit_id: Int32Array.of(0, 4),
      reporting_date: { dates: Float64Array.of(6, 0), valid: Uint8Array.of(0b01) },
      available_date: Float64Array.of(0, 7),
    });
    expect(second).toMatchObject({ value_valid: null, unit_id: 0, reporting_date: null, available_date: 0 });
  });

  it('belong to a series of the stream, and have points with dates', () => {
    const wrong = 'a row is not a run of a series';
    expect(() => runsOf({ series: [0, 2] })).toThrow(wrong);
    expect(() => runsOf({ series: [0, null] })).toThrow('a column has nulls');
    expect(() => runsOf({ values: [[1, 2], null] })).toThrow(wrong);
    expect(() => runsOf({ values: [[1, 2], []] })).toThrow(wrong);
    // Offsets 0, 1, 2 in place of 0, 2, 2: points of a row without a list.
    const spoil = (body: DataView) => body.setInt32(body.byteLength - 16 - 16 + 4, 1, true);
    expect(() => runsOf({ values: [[1, 2], null] }, { spoil })).toThrow(wrong);
    expect(() => runsOf({ start: { first: [0, null], step: [1, 1] } })).toThrow(wrong);
    expect(() => runsOf({ start: { first: [0, 0], step: [1, null] } })).toThrow('a run has no dates');
  });

  it('have one element a point in each list', () => {
    const start = { first: [0, 0], step: [1, 0] };
    for (const lists of [
      [[1], null],
      [[1, 2, 3], null],
      [null, [1, 2]],
      [null, []],
    ]) {
      expect(() => runsOf({ start: { ...start, days: lists } })).toThrow(COUNT);
      expect(() => runsOf({ start: { ...start, dates: lists } })).toThrow(COUNT);
      expect(() => runsOf({ end: { ...start, days: lists } })).toThrow(COUNT);
      expect(() => runsOf({ unit: { each: lists } })).toThrow(COUNT);
      expect(() => runsOf({ reporting: { each: lists } })).toThrow(COUNT);
      expect(() => runsOf({ available: { each: lists } })).toThrow(COUNT);
      expect(() => runsOf({ metadata: lists.map((list) => list?.map(String) ?? null) })).toThrow(COUNT);
    }
  });

  it('have no nulls among their listed dates', () => {
    const start = { first: [0, 0], step: [1, 0] };
    expect(() => runsOf({ start: { ...start, days: [[1, null], null] } })).toThrow('a column has nulls');
    expect(() => runsOf({ start: { ...start, dates: [[null, 1], null] } })).toThrow('a column has nulls');
  });

  it('have dates that JavaScript has', () => {
    for (const sign of [1, -1]) {
      const start = (first: number, step: number) => () =>
        runsOf({ start: { first: [first * sign, 0], step: [step * sign, 0] } });
      expect(start(MAX_MS, 0)()[0]!.start_date).toMatchObject({ firstMs: MAX_MS * sign });
      expect(start(0, MAX_MS)).not.toThrow();
      expect(start(MAX_MS + 1, 0)).toThrow(RANGE);
      expect(start(MAX_MS + 1, -2)).toThrow(RANGE);
      expect(start(0, MAX_MS + 1)).toThrow(RANGE);
      expect(start(1, MAX_MS)).toThrow(RANGE);
      const listed = (dates: Dates) => () => runsOf({ start: { first: [0, 0], step: [0, 0], ...dates } });
      expect(listed({ days: [[0, 1e8 * sign], null] })).not.toThrow();
      expect(listed({ days: [[0, (1e8 + 1) * sign], null] })).toThrow(RANGE);
      expect(listed({ dates: [[0, MAX_MS * sign], null] })).not.toThrow();
      expect(listed({ dates: [[0, (MAX_MS + 1) * sign], null] })).toThrow(RANGE);
      for (const each of ['reporting', 'available']) {
        expect(() => runsOf({ [each]: { constant: [null, MAX_MS * sign] } })).not.toThrow();
        expect(() => runsOf({ [each]: { constant: [null, (MAX_MS + 1) * sign] } })).toThrow(RANGE);
        expect(() => runsOf({ [each]: { each: [null, [(MAX_MS + 1) * sign]] } })).toThrow(RANGE);
      }
    }
  });

  it('a null date may stand on any number', () => {
    const constant = [0, 0];
    const reporting = { constant, each: [[null, 1], null] };
    const [first] = runsOf({ reporting, available: { constant } }, { under: 2 ** 62 });
    expect(first!.reporting_date).toEqual({ dates: Float64Array.of(0, 1), valid: Uint8Array.of(0b10) });
  });
});
