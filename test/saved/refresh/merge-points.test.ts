import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isValid } from '../../../src/columns/bitmap.js';
import { PointColumnsBuilder } from '../../../src/columns/point-builder.js';
import type { PointColumns } from '../../../src/columns/point-columns.js';
import { mergePoints, type RowIdentity } from '../../../src/saved/refresh/merge-points.js';

interface Row {
  series: number;
  period: number;
  reporting: number | null;
  available: number;
  value: number;
}

const row = fc.record({
  series: fc.nat(3),
  period: fc.nat(5),
  reporting: fc.option(fc.nat(2)),
  available: fc.nat(2),
  value: fc.nat(1000),
});

const IDENTITIES: Record<RowIdentity, (row: Row) => string> = {
  period: ({ series, period }) => `${series} ${period}`,
  reporting: ({ series, period, reporting }) => `${series} ${period} ${reporting}`,
  vintage: ({ series, period, reporting, available }) => `${series} ${period} ${reporting} ${available}`,
};

function columnsOf(rows: readonly Row[]): PointColumns {
  const builder = new PointColumnsBuilder();
  for (const { series, period, reporting, available, value } of rows)
    builder.add({
      series,
      startMs: period,
      endMs: period + 1,
      value,
      unitId: 1,
      reportingMs: reporting,
      availableMs: available,
    });
  return builder.build();
}

function rowsOf(batches: readonly PointColumns[]): Row[] {
  return batches.flatMap((columns) =>
    Array.from({ length: columns.length }, (_, i) => ({
      series: columns.series[i]!,
      period: Number(columns.start_date[i]),
      reporting: isValid(columns.reporting_valid, i) ? Number(columns.reporting_date[i]) : null,
      available: Number(columns.available_date![i]),
      value: columns.value[i]!,
    })),
  );
}

describe('mergePoints', () => {
  it.each(Object.entries(IDENTITIES))(
    'replaces rows of one %s, keeps all others, adds the new',
    (name, key) => {
      const rows = fc.uniqueArray(row, { selector: key, maxLength: 40 });
      fc.assert(
        fc.property(rows, rows, (known, newer) => {
          const expected = new Map([...known, ...newer].map((one) => [key(one), one]));
          const kept = columnsOf(known);
          const merged = rowsOf(mergePoints(kept, [columnsOf(newer)], name as RowIdentity));
          const sorted = (list: Row[]) => list.map((one) => JSON.stringify(one)).sort();
          expect(sorted(merged)).toEqual(sorted([...expected.values()]));
          expect(rowsOf([kept])).toEqual(known);
        }),
        { numRuns: 60 },
      );
    },
  );
});
