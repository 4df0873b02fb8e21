import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isValid } from '../../src/columns/bitmap.js';
import { packColumns, unpackPoints } from '../../src/columns/packed-points.js';
import type { PointColumns } from '../../src/columns/point-columns.js';
import { dateAt, packDates, sliceDates, unpackDates } from '../../src/columns/series-dates.js';
import { DAY_MS } from '../../src/model/time.js';
import { anyPointSet, batchOf } from '../frame/points.js';

/** The points of a batch as objects: memory of null rows does not count. */
const rowsOf = (columns: PointColumns) =>
  Array.from({ length: columns.length }, (_, i) => ({
    series: columns.series[i],
    start: columns.start_date[i],
    end: columns.end_date[i],
    value: isValid(columns.value_valid, i) ? columns.value[i] : null,
    unit: columns.unit_id[i],
    reporting: isValid(columns.reporting_valid, i) ? columns.reporting_date[i] : null,
    available: columns.available_date?.[i],
    metadata: columns.metadata?.[i],
  }));

describe('packed points', () => {
  it.each([true, false])('are the points that were packed (only whole days: %s)', (gridded) => {
    fc.assert(
      fc.property(anyPointSet({ gridded }), ({ batches }) => {
        for (const columns of batches)
          expect(rowsOf(unpackPoints(packColumns(columns)))).toEqual(rowsOf(columns));
      }),
    );
  });

  it('store what does not change once', () => {
    const points = Array.from({ length: 40 }, (_, day) => ({
      series: 3,
      start: day * DAY_MS,
      end: day * DAY_MS,
      value: day,
      available: 5,
      metadata: null,
    }));
    const [packed, ...others] = packColumns(batchOf(points));
    expect(others).toEqual([]);
    expect(packed).toMatchObject({
      series: 3,
      length: 40,
      start_date: { firstMs: 0, stepMs: DAY_MS },
      end_date: null,
      value_valid: null,
      unit_id: 7,
      reporting_date: null,
      available_date: 5,
      metadata: null,
    });
  });
});

describe('the dates of a series', () => {
  const dates = fc.oneof(
    fc.array(fc.integer({ min: -800_000, max: 800_000 }).map((day) => day * DAY_MS)),
    fc.array(fc.integer({ min: -4e13, max: 4e13 })),
    fc
      .record({
        first: fc.integer({ min: -4e13, max: 4e13 }),
        step: fc.integer({ min: -4e11, max: 4e11 }),
        length: fc.nat(50),
      })
      .map(({ first, step, length }) => Array.from({ length }, (_, i) => first + i * step)),
  );

  it('are those that were packed, whole and in slices', () => {
    fc.assert(
      fc.property(dates, fc.nat(50), fc.nat(50), (given, one, other) => {
        const column = BigInt64Array.from(given, BigInt);
        const packed = packDates(column, 0, column.length);
        const target = new BigInt64Array(column.length + 1);
        unpackDates(packed, column.length, target, 1);
        expect(target.subarray(1)).toEqual(column);
        expect(given.map((_, i) => dateAt(packed, i))).toEqual(given);
        const [from, to] = [Math.min(one, other, given.length), Math.min(Math.max(one, other), given.length)];
        const slice = new BigInt64Array(to - from);
        unpackDates(sliceDates(packed, from, to), to - from, slice);
        expect(slice).toEqual(column.slice(from, to));
      }),
    );
  });
});
