import fc from 'fast-check';
import { isValid } from '../../src/columns/bitmap.js';
import { type PackedPoints, type PointRow, packRows, unpackPoints } from '../../src/columns/packed-points.js';
import type { PointColumns } from '../../src/columns/point-columns.js';

/** Times on both sides of 1970, of which some differ in their upper 32 bits alone. */
const anyTime = fc.oneof(
  fc.integer(),
  fc.integer({ min: -3, max: 3 }).map((words) => words * 4_294_967_296 + 7),
);

/** A point and the position of its series. */
export type SeriesRow = Omit<PointRow, 'availableMs'> & {
  series: number;
  availableMs?: number | null | undefined;
};

const anyRow: fc.Arbitrary<SeriesRow> = fc.record({
  series: fc.nat(3),
  startMs: anyTime,
  endMs: anyTime,
  value: fc.option(fc.double({ noNaN: true })),
  unitId: fc.nat(5),
  reportingMs: fc.option(anyTime),
  availableMs: fc.oneof(fc.integer({ min: 1 }), fc.constant(4_294_967_297)),
  metadata: fc.option(fc.constantFrom('{}', '[1]')),
});

/** Up to 40 points; fast-check alone would stop at ten. */
export const anyRows = fc.array(anyRow, { maxLength: 40, size: 'max' });

/** Rows, in order, as runs of neighbours of one series. */
export function runsOfRows(rows: readonly SeriesRow[]): PackedPoints[] {
  const bounds = rows.flatMap(({ series }, i) => (series === rows[i - 1]?.series ? [] : [i]));
  return bounds.map((from, i) =>
    packRows(
      rows[from]!.series,
      rows.slice(from, bounds[i + 1]).map((row) => ({ ...row, availableMs: row.availableMs ?? undefined })),
    ),
  );
}

/** Packs columns, run by run. */
export function packColumns(columns: PointColumns): PackedPoints[] {
  return runsOfRows(rowsOf(columns));
}

export function columnsOf(rows: readonly SeriesRow[]): PointColumns {
  return unpackPoints(runsOfRows(rows));
}

/** The rows of columns, with null for an absent optional column. */
export function rowsOf(columns: PointColumns): SeriesRow[] {
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

/** How many elements each column has: as many as there are rows, a bit for each in bitmaps, unless it is absent. */
export function lengthsOf({ length: _, ...columns }: PointColumns): Record<string, number | undefined> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column?.length]));
}

export function valuesOf({ value, value_valid, length }: PointColumns): (number | null)[] {
  return Array.from({ length }, (_, i) => (isValid(value_valid, i) ? value[i]! : null));
}
