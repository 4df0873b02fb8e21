import { isValid } from '../../src/columns/bitmap.js';
import { PointColumnsBuilder, type PointRow } from '../../src/columns/point-builder.js';
import type { PointColumns } from '../../src/columns/point-columns.js';
import { formatDay } from '../../src/model/time.js';

/** Columns of one series, from rows that give only the fields a test needs. */
export function columnsOf(rows: readonly Partial<PointRow>[]): PointColumns {
  const builder = new PointColumnsBuilder();
  for (const row of rows) {
    builder.add({
      series: 0,
      startMs: 0,
      endMs: row.startMs ?? 0,
      value: 0,
      unitId: 1,
      reportingMs: null,
      ...row,
    });
  }
  return builder.build();
}

export function valuesOf({ value, value_valid, length }: PointColumns): (number | null)[] {
  return Array.from({ length }, (_, i) => (isValid(value_valid, i) ? value[i]! : null));
}

/** `2020-01-01..2020-01-07 5` a row. */
export function periodsOf(columns: PointColumns): string[] {
  const day = (ms: bigint) => formatDay(Number(ms));
  return valuesOf(columns).map(
    (value, i) => `${day(columns.start_date[i]!)}..${day(columns.end_date[i]!)} ${value}`,
  );
}
