import fc from 'fast-check';
import { isValid } from '../../src/columns/bitmap.js';
import { PointColumnsBuilder, type PointRow } from '../../src/columns/point-builder.js';
import type { PointColumns } from '../../src/columns/point-columns.js';

/** Times on both sides of 1970, of which some differ in their upper 32 bits alone. */
const anyTime = fc.oneof(
  fc.integer(),
  fc.integer({ min: -3, max: 3 }).map((words) => words * 4_294_967_296 + 7),
);

const anyRow: fc.Arbitrary<PointRow> = fc.record({
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

export function columnsOf(points: readonly PointRow[]): PointColumns {
  const builder = new PointColumnsBuilder();
  for (const point of points) builder.add(point);
  return builder.build();
}

/** The rows of columns, with null for an absent optional column. */
export function rowsOf(columns: PointColumns): PointRow[] {
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
