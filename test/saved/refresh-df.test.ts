import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { availableAt, type PackedPoints, reportingAt, valueAt } from '../../src/columns/packed-points.js';
import { dateAt } from '../../src/columns/series-dates.js';
import { mergePoints, type RowIdentity } from '../../src/saved/refresh-df.js';
import { runsOf } from '../frame/points.js';

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

const pack = (rows: readonly Row[]) =>
  runsOf(rows.map(({ period, ...row }) => ({ ...row, start: period, end: period + 1 })));

function unpack(runs: readonly PackedPoints[]): Row[] {
  return runs.flatMap((run) =>
    Array.from({ length: run.length }, (_, i) => ({
      series: run.series,
      period: dateAt(run.start_date, i),
      reporting: reportingAt(run, i),
      available: availableAt(run, i),
      value: valueAt(run, i)!,
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
          const kept = pack(known);
          const merged = unpack(mergePoints(kept, pack(newer), name as RowIdentity));
          const sorted = (list: Row[]) => list.map((one) => JSON.stringify(one)).sort();
          expect(sorted(merged)).toEqual(sorted([...expected.values()]));
          expect(unpack(kept)).toEqual(known);
        }),
        { numRuns: 60 },
      );
    },
  );
});
