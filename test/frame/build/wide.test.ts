import type { Table } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PointSet } from '../../../src/columns/packed-points.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import { compareSeriesKeys } from '../../../src/model/series.js';
import { countRuns } from '../../endurance.js';
import { anyPointSet, NAMES, naiveRows, PROVENANCE, runsOf, seriesOf } from '../points.js';

const names = (table: Table) => table.schema.fields.map((field) => field.name);
const columnAt = (table: Table, at: number) => [...table.getChildAt(at)!];
const IOWA = 'Yield | Corn | Iowa | World | annual | USDA NASS | t/ha';

describe('wideFrame', () => {
  test('merges the series by all their dates, ascending', () => {
    const points = {
      series: [seriesOf(), seriesOf({ region_id: 6 })],
      runs: runsOf([
        { series: 0, start: '1969-01-01', end: '1969-12-31', value: 1 },
        { series: 0, start: '2001-01-01', end: '2001-12-31', value: 2 },
        { series: 1, start: '2000-01-01', end: '2000-12-31', value: null },
        { series: 1, start: '2001-01-01', end: '2001-12-31', value: 4 },
      ]),
    };
    const table = wideFrame(points, { names: NAMES, provenance: PROVENANCE });
    expect(names(table)).toEqual(['end_date', IOWA, IOWA.replace('Iowa', "Côte d'Ivoire")]);
    expect(columnAt(table, 0)).toEqual(
      ['1969-12-31', '2000-12-31', '2001-12-31'].map((day) => Date.parse(day)),
    );
    expect(columnAt(table, 1)).toEqual([1, null, 2]);
    expect(columnAt(table, 2)).toEqual([null, null, 4]);
    expect(table.getChildAt(2)!.data[0]!.values[1]).toBeNaN();
    expect(table.provenance).toEqual(PROVENANCE);
    expect(table.schema.fields.map(({ nullable }) => nullable)).toEqual([false, true, true]);
    const field = table.schema.fields[2]!;
    expect(field.metadata.get('region_id')).toBe('6');
    expect(field.metadata.get('region_name')).toBe("Côte d'Ivoire");
    expect(field.metadata.get('unit_name')).toBe('t/ha');
  });

  test('keeps series without points, and separates series with the same names', () => {
    const points = {
      series: [seriesOf(), seriesOf({ region_id: 8 }), seriesOf({ unit_id: null })],
      runs: [],
    };
    const table = wideFrame(points, { names: NAMES });
    expect(names(table)).toEqual(['end_date', `${IOWA} [1 2 3 0 9 5 7]`, `${IOWA} [1 2 8 0 9 5 7]`]);
    expect(table.numRows).toBe(0);
  });

  test('keeps the latest start of points with one end date, and reports the others', () => {
    const series = seriesOf();
    const points = {
      series: [series],
      runs: runsOf([
        { series: 0, start: '2000-01-01', end: '2000-12-31', value: 10 },
        { series: 0, start: '2000-12-01', end: '2000-12-31', value: 1 },
        { series: 0, start: '2000-12-31', end: '2000-12-31', value: null },
      ]),
    };
    const { unit_id: _, ...key } = series;
    const entry = {
      series: key,
      rows: 3,
      outcome: 'data' as const,
      reason: null,
      truncated: false,
      from_cache: false,
    };
    const table = wideFrame(points, { names: NAMES, provenance: { ...PROVENANCE, report: [entry, entry] } });
    expect(columnAt(table, 1)).toEqual([null]);
    expect(table.schema.fields[1]!.metadata.get('dropped_duplicates')).toBe('2');
    expect(table.provenance!.report).toEqual([{ ...entry, dropped_duplicates: 2 }, entry]);
    const other = { ...entry, series: { ...key, region_id: 6 }, dropped_duplicates: 4 };
    const kept = wideFrame(points, { names: NAMES, provenance: { ...PROVENANCE, report: [other] } });
    expect(kept.provenance!.report).toEqual([other]);
  });

  for (const gridded of [true, false]) {
    test(`agrees with a merge row by row on ${gridded ? 'a grid of days' : 'any dates'}`, () => {
      fc.assert(
        fc.property(anyPointSet({ gridded }), (points) => {
          const table = wideFrame(points, { names: NAMES });
          const expected = naiveWide(points);
          expect(columnAt(table, 0)).toEqual(expected.dates);
          const columns = table.schema.fields.slice(1).map((field, at) => ({
            id: `${field.metadata.get('region_id')} ${field.metadata.get('unit_id')}`,
            dropped: Number(field.metadata.get('dropped_duplicates') ?? 0),
            values: columnAt(table, at + 1),
          }));
          expect(columns).toEqual(expected.columns);
          expect(new Set(names(table)).size).toBe(table.numCols);
        }),
        { numRuns: countRuns({ quick: 25, all: 1_000 }) },
      );
    });
  }
});

function naiveWide(points: PointSet) {
  const rows = naiveRows(points);
  const dates = [...new Set(rows.map((row) => row.end))].sort((a, b) => a - b);
  const columns = points.series.flatMap((key, position) => {
    if (points.series.findIndex((other) => compareSeriesKeys(other, key) === 0) !== position) return [];
    const own = rows.filter((row) => compareSeriesKeys(row.key, key) === 0);
    const units = own.length === 0 ? [key.unit_id] : [...new Set(own.map((row) => row.unit_id))];
    return units.map((unit_id) => {
      const ofUnit = own.filter((row) => row.unit_id === unit_id);
      const values = dates.map((date) => ofUnit.filter((row) => row.end === date).at(-1)?.value ?? null);
      const kept = dates.filter((date) => ofUnit.some((row) => row.end === date)).length;
      return { id: `${key.region_id} ${unit_id ?? undefined}`, dropped: ofUnit.length - kept, values };
    });
  });
  return { dates, columns };
}
