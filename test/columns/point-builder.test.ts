import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PointColumnsBuilder } from '../../src/columns/point-builder.js';
import { anyRows, columnsOf, lengthsOf, rowsOf } from './rows.js';

const POINT = { series: 1, startMs: 2, endMs: 3, value: 4, unitId: 5, reportingMs: 6 };

describe('a builder of point columns', () => {
  it('keeps the rows as they are added, however many', () => {
    const points = Array.from({ length: 2_500 }, (_, i) => ({
      series: i,
      startMs: 2 * i,
      endMs: 3 * i,
      value: i % 3 === 0 ? null : i,
      unitId: i % 7,
      reportingMs: i % 5 === 0 ? null : i,
      availableMs: i,
      metadata: `${i}`,
    }));
    expect(rowsOf(columnsOf(points))).toEqual(points);
  });

  it('is empty after it has built columns', () => {
    fc.assert(
      fc.property(anyRows, anyRows, (one, other) => {
        const builder = new PointColumnsBuilder();
        for (const rows of [one, other]) {
          for (const row of rows) builder.add(row);
          const built = builder.build();
          expect(built).toEqual(columnsOf(rows));
          expect(rowsOf(built)).toEqual(rows);
        }
      }),
    );
  });

  it('remembers no optional column', () => {
    const builder = new PointColumnsBuilder();
    builder.add({ ...POINT, availableMs: 5, metadata: '{}' });
    expect(builder.build()).toMatchObject({ available_date: BigInt64Array.of(5n), metadata: ['{}'] });
    builder.add(POINT);
    expect(builder.build()).toMatchObject({ available_date: undefined, metadata: undefined });
  });

  it('makes columns of exactly its rows, and none of what no row has', () => {
    const columns = columnsOf([{ ...POINT, availableMs: null, metadata: null }, POINT]);
    expect(lengthsOf(columns)).toEqual({
      series: 2,
      start_date: 2,
      end_date: 2,
      value: 2,
      value_valid: undefined,
      unit_id: 2,
      reporting_date: 2,
      reporting_valid: undefined,
      available_date: undefined,
      metadata: undefined,
    });
  });

  it('takes NaN for no value', () => {
    const columns = columnsOf([{ ...POINT, value: Number.NaN, reportingMs: null }]);
    expect(columns).toMatchObject({ value: Float64Array.of(Number.NaN), value_valid: Uint8Array.of(0) });
    expect(columns.reporting_valid).toEqual(Uint8Array.of(0));
  });
});
