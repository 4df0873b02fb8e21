import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  atPosition,
  countRows,
  rowAt,
  sliceRun,
  unpackLists,
  unpackPoints,
  unpackRows,
} from '../../src/columns/packed-points.js';
import type { PointColumns } from '../../src/columns/point-columns.js';
import { dateAt, gridOf, sliceDates, unpackDates } from '../../src/columns/series-dates.js';
import { DAY_MS } from '../../src/model/time.js';
import { anyPointSet, runsOf } from '../frame/points.js';
import { anyRows, lengthsOf, packColumns, rowsOf as pointsOf, runsOfRows } from './rows.js';

describe('packed points', () => {
  it.each([true, false])('are the points that were packed (only whole days: %s)', (gridded) => {
    fc.assert(
      fc.property(anyPointSet({ gridded }), ({ runs }) => {
        const columns = unpackPoints(runs);
        const rows = runs.flatMap((run) => Array.from({ length: run.length }, (_, i) => rowAt(run, i)));
        expect(pointsOf({ ...columns, available_date: undefined, metadata: undefined })).toMatchObject(
          rows.map(({ startMs, endMs, value, unitId, reportingMs }) => ({
            startMs,
            endMs,
            value,
            unitId,
            reportingMs,
          })),
        );
        expect(pointsOf(unpackPoints(packColumns(columns)))).toEqual(pointsOf(columns));
      }),
    );
  });

  it('are any ranges of what was packed, in columns of exactly their rows', () => {
    fc.assert(
      fc.property(anyRows, fc.boolean(), fc.nat(4), fc.nat(4), (drawn, isConstant, skipped, cut) => {
        const rows = drawn
          .map((row) =>
            isConstant ? { ...row, availableMs: 9, unitId: 4, reportingMs: 8, metadata: null } : row,
          )
          .sort((a, b) => a.series - b.series);
        const ranges = runsOfRows(rows).map((points) => {
          const from = Math.min(skipped, points.length);
          return { points, from, to: Math.max(from, points.length - cut) };
        });
        let first = 0;
        const expected = ranges.flatMap(({ points, from, to }) => {
          const own = rows.slice(first + from, first + to);
          first += points.length;
          return own.map((row) => ({ ...row, series: 0 }));
        });
        const unpacked = { ...unpackRows(ranges), series: new Uint32Array(expected.length) };
        expect(unpacked.length).toBe(expected.length);
        const optional = { availableMs: null, metadata: null };
        expect(pointsOf({ ...unpacked, available_date: undefined, metadata: undefined })).toEqual(
          expected.map((row) => ({ ...row, ...optional })),
        );
        if (rows.length === 0) return;
        expect([...unpacked.available_date!].map(Number)).toEqual(
          expected.map(({ availableMs }) => availableMs),
        );
        if (unpacked.metadata !== undefined)
          expect(unpacked.metadata).toEqual(expected.map(({ metadata }) => metadata));
        const { value_valid, reporting_valid, ...lengths } = lengthsOf(unpacked);
        expect(new Set(Object.values({ ...lengths, metadata: expected.length }))).toEqual(
          new Set([expected.length]),
        );
        if (isConstant) expect(reporting_valid).toBeUndefined();
      }),
    );
  });

  it('are unpacked list by list, without the empty ones', async () => {
    const runs = runsOfRows([{ series: 2, startMs: 4, endMs: 5, value: 1, unitId: 1, reportingMs: 3 }]);
    const lists = (async function* () {
      yield [];
      yield runs;
    })();
    const unpacked: PointColumns[] = [];
    for await (const columns of unpackLists(lists)) unpacked.push(columns);
    expect(unpacked).toEqual([unpackPoints(runs)]);
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
        const packed = gridOf(Float64Array.from(given));
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

  it('are a grid where one fits their rows', () => {
    const pack = (dates: readonly number[]) => gridOf(Float64Array.from(dates));
    expect(pack([])).toEqual({ firstMs: 0, stepMs: 0 });
    expect(pack([7])).toEqual({ firstMs: 7, stepMs: 0 });
    expect(pack([5, 9, 13])).toEqual({ firstMs: 5, stepMs: 4 });
    expect(pack([0, 1, 3])).toEqual(Float64Array.of(0, 1, 3));
  });
});

describe('runs', () => {
  const points = [0, 1, 2, 3].map((i) => ({
    series: 0,
    start: i ** 2,
    end: i ** 2,
    value: i === 1 ? null : i,
  }));
  const [run] = runsOf([...points, { series: 1, start: 0, end: 0, value: 9 }]);

  it('are counted, and renumbered only where their number differs', () => {
    expect(countRows(runsOf(points))).toBe(4);
    expect(countRows([])).toBe(0);
    expect(atPosition(run!, 0)).toBe(run);
    expect(atPosition(run!, 4)).toEqual({ ...run!, series: 4 });
  });

  it('are cut into slices of their rows', () => {
    fc.assert(
      fc.property(anyPointSet(), fc.nat(9), fc.nat(9), ({ runs }, one, other) => {
        for (const whole of runs) {
          const [from, to] = [
            Math.min(one, other, whole.length),
            Math.min(Math.max(one, other), whole.length),
          ];
          const rows = pointsOf(unpackPoints([whole]));
          expect(pointsOf(unpackPoints([sliceRun(whole, from, to)]))).toEqual(rows.slice(from, to));
        }
      }),
    );
  });

  it('keep whether remarks were requested when they are cut', () => {
    expect(sliceRun({ ...run!, metadata: null }, 1, 2).metadata).toBeNull();
    expect(sliceRun({ ...run!, metadata: undefined }, 1, 2).metadata).toBeUndefined();
  });
});
