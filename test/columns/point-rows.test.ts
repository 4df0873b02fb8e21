import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isValid } from '../../src/columns/bitmap.js';
import { PointColumnsBuilder, type PointRow } from '../../src/columns/point-builder.js';
import { NO_AVAILABLE_DATE, type PointColumns } from '../../src/columns/point-columns.js';
import { copyColumns, joinColumns, sliceColumns, takeRows } from '../../src/columns/point-rows.js';

const row: fc.Arbitrary<PointRow> = fc.record({
  series: fc.nat(3),
  startMs: fc.integer(),
  endMs: fc.integer(),
  value: fc.option(fc.double({ noNaN: true })),
  unitId: fc.nat(5),
  reportingMs: fc.option(fc.integer()),
  availableMs: fc.integer({ min: 1 }),
  metadata: fc.option(fc.constantFrom('{}', '[1]')),
});
const POINT = { startMs: 0, endMs: 0, value: 1, unitId: 1, reportingMs: null };
const rows = fc.array(row, { maxLength: 40 });

function columnsOf(points: readonly PointRow[]): PointColumns {
  const builder = new PointColumnsBuilder();
  for (const point of points) builder.add(point);
  return builder.build();
}

/** The rows of columns, with null for an absent optional column. */
function rowsOf(columns: PointColumns): PointRow[] {
  return Array.from({ length: columns.length }, (_, i) => ({
    series: columns.series[i]!,
    startMs: Number(columns.start_date[i]),
    endMs: Number(columns.end_date[i]),
    value: isValid(columns.value_valid, i) ? columns.value[i]! : null,
    unitId: columns.unit_id[i]!,
    reportingMs: isValid(columns.reporting_valid, i) ? Number(columns.reporting_date[i]) : null,
    availableMs: columns.available_date === undefined ? null : Number(columns.available_date[i]),
    metadata: columns.metadata?.[i] ?? null,
  }));
}

describe('rows of point columns', () => {
  it('are sliced, copied, taken and joined as arrays of rows would be', () => {
    fc.assert(
      fc.property(rows, rows, fc.nat(40), fc.nat(40), (one, other, a, b) => {
        const [from, to] = [Math.min(a, b, one.length), Math.min(Math.max(a, b), one.length)];
        const columns = columnsOf(one);
        expect(rowsOf(sliceColumns(columns, from, to))).toEqual(one.slice(from, to));
        expect(rowsOf(copyColumns(columns))).toEqual(one);
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
});
