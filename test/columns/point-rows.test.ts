import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_AVAILABLE_DATE } from '../../src/columns/point-columns.js';
import { emptyPoints, joinColumns, sliceColumns, takeRows } from '../../src/columns/point-rows.js';
import { anyRows, columnsOf, rowsOf } from './rows.js';

const POINT = { startMs: 0, endMs: 0, value: 1, unitId: 1, reportingMs: null };

describe('rows of point columns', () => {
  it('are sliced, taken and joined as arrays of rows would be', () => {
    fc.assert(
      fc.property(anyRows, anyRows, fc.nat(40), fc.nat(40), (one, other, a, b) => {
        const [from, to] = [Math.min(a, b, one.length), Math.min(Math.max(a, b), one.length)];
        const columns = columnsOf(one);
        expect(rowsOf(sliceColumns(columns, from, to))).toEqual(one.slice(from, to));
        const reversed = Uint32Array.from(one.keys()).reverse();
        expect(rowsOf(takeRows(columns, reversed))).toEqual([...one].reverse());
        if (one.length === 0 || other.length === 0) return;
        const joined = joinColumns([columns, columnsOf(other), sliceColumns(columns, from, to)]);
        const metadata = [one, other, one.slice(from, to)].every((part) =>
          part.some((p) => p.metadata !== null),
        );
        const expected = [...one, ...other, ...one.slice(from, to)];
        expect(rowsOf({ ...joined, metadata: undefined })).toEqual(
          expected.map((point) => ({ ...point, metadata: null })),
        );
        if (metadata) expect(rowsOf(joined)).toEqual(expected);
      }),
    );
  });

  it('keep an optional column that one of the joined parts lacks', () => {
    const point = { ...POINT, series: 0 };
    const joined = joinColumns([
      columnsOf([{ ...point, availableMs: 1, metadata: '{}' }]),
      columnsOf([point]),
    ]);
    expect(joined).toMatchObject({
      length: 2,
      available_date: BigInt64Array.of(1n, NO_AVAILABLE_DATE),
      metadata: ['{}', null],
    });
    expect(joinColumns([columnsOf([point]), columnsOf([point])])).toMatchObject({
      available_date: undefined,
      metadata: undefined,
    });
    expect(joinColumns([])).toMatchObject({ length: 0 });
  });

  it('have bitmaps of exactly their rows, and none where every row has a value', () => {
    const present = columnsOf([
      { ...POINT, series: 0, reportingMs: 1 },
      { ...POINT, series: 1, reportingMs: 1 },
    ]);
    for (const columns of [
      sliceColumns(present, 1, 2),
      takeRows(present, Uint32Array.of(1)),
      joinColumns([present, present]),
    ]) {
      expect(columns).toMatchObject({ value_valid: null, reporting_valid: null });
    }
    const sparse = columnsOf(
      Array.from({ length: 20 }, (_, i) => ({ ...POINT, series: i, value: i % 2 || null })),
    );
    expect(sliceColumns(sparse, 9, 12).value_valid).toEqual(Uint8Array.of(0b101));
    expect(takeRows(sparse, Uint32Array.of(1, 2, 3)).value_valid).toEqual(Uint8Array.of(0b101));
    expect(joinColumns([sliceColumns(sparse, 1, 2), sparse]).value_valid).toHaveLength(3);
    // No bit is set behind the last row.
    const tail = sliceColumns(sparse, 1, 5);
    expect(takeRows(tail, Uint32Array.of(1, 2)).value_valid).toEqual(Uint8Array.of(0b10));
  });

  it('can be none, with the optional columns that are wanted', () => {
    expect(emptyPoints()).toMatchObject({ length: 0, available_date: undefined, metadata: undefined });
    expect(emptyPoints({ withAvailableDate: true, withMetadata: true })).toMatchObject({
      available_date: new BigInt64Array(0),
      metadata: [],
    });
  });
});
