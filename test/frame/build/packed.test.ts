import type { Table } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import type { PackedPoints } from '../../../src/columns/packed-points.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import { readProvenance } from '../../../src/frame/table/provenance.js';
import { DAY_MS } from '../../../src/model/time.js';
import { NAMES, PROVENANCE, runsOf, seriesOf } from '../points.js';

/** A run of daily values from a day on. */
const daily = (first: number, values: readonly (number | null)[], parts: Partial<PackedPoints> = {}) => ({
  ...runsOf(
    values.map((value, i) => ({ series: 0, start: (first + i) * DAY_MS, end: (first + i) * DAY_MS, value })),
  )[0]!,
  ...parts,
});

const wideOf = (...runs: PackedPoints[]) =>
  wideFrame(
    runs.map((run, at) => ({ series: [seriesOf({ region_id: at })], runs: [run] })),
    { names: NAMES },
  );
const valuesAt = (table: Table, at: number) => [...table.getChildAt(at)!];

describe('a wide frame of packed points', () => {
  test('lies in the memory of a series that has every date', () => {
    const whole = daily(0, [1, 2, 3, 4]);
    const gap = daily(0, [1, null, 3, 4]);
    const part = daily(1, [2, 3]);
    const table = wideOf(whole, gap, part);
    const bufferAt = (at: number) => table.getChildAt(at)!.data[0]!.values.buffer;
    expect(bufferAt(1)).toBe(whole.value.buffer);
    expect(bufferAt(2)).toBe(gap.value.buffer);
    expect(bufferAt(3)).not.toBe(part.value.buffer);
    expect([1, 2, 3].map((at) => valuesAt(table, at))).toEqual([
      [1, 2, 3, 4],
      [1, null, 3, 4],
      [null, 2, 3, null],
    ]);
    expect([1, 2, 3].map((at) => table.getChildAt(at)!.nullCount)).toEqual([0, 1, 2]);
  });

  test('never writes to the memory of its points', () => {
    const gap = daily(1, [1, null, 3]);
    const before = [...gap.value];
    const table = wideOf(daily(0, [9, 9, 9, 9, 9]), gap);
    expect(valuesAt(table, 2)).toEqual([null, 1, null, 3, null]);
    expect(table.getChildAt(2)!.data[0]!.values[0]).toBeNaN();
    expect([...gap.value]).toEqual(before);
  });

  test('has a column for each unit, of one unit a run or of one a point', () => {
    const units = daily(0, [1, 2, 3, 4, 5], { unit_id: Int32Array.of(7, 7, 10, 10, 7) });
    const table = wideOf(units);
    expect([1, 2].map((at) => valuesAt(table, at))).toEqual([
      [1, 2, null, null, 5],
      [null, null, 3, 4, null],
    ]);
    const two = wideFrame([{ series: [seriesOf()], runs: [daily(0, [1]), daily(1, [2], { unit_id: 10 })] }], {
      names: NAMES,
    });
    expect([1, 2].map((at) => valuesAt(two, at))).toEqual([
      [1, null],
      [null, 2],
    ]);
  });

  test('counts the points that another on the same end date replaces, over all units and parts', () => {
    const same = (end: number, unit_id = 7) => ({ series: 0, start: end - 1, end, value: end, unit_id });
    const rows = [same(5), { ...same(5), start: 5 }, same(9, 10), { ...same(9, 10), start: 9, value: null }];
    const batch = runsOf(rows);
    const series = [seriesOf(), seriesOf({ region_id: 6 })];
    const entry = (at: number) => {
      const { unit_id: _, ...key } = series[at]!;
      return {
        series: key,
        rows: 4,
        outcome: 'data' as const,
        reason: null,
        truncated: false,
        from_cache: false,
      };
    };
    const provenance = { ...PROVENANCE, report: [entry(1), entry(0), entry(0)] };
    const parts = series.map((one, at) => ({ series: [one], runs: at === 0 ? batch : [daily(0, [1])] }));
    const table = wideFrame(parts, { names: NAMES, provenance });
    expect(table.schema.fields.map(({ metadata }) => metadata.get('dropped_duplicates'))).toEqual([
      undefined,
      '1',
      '1',
      undefined,
    ]);
    expect(readProvenance(table)!.report).toEqual([
      entry(1),
      { ...entry(0), dropped_duplicates: 2 },
      entry(0),
    ]);
    expect([1, 2].map((at) => valuesAt(table, at).filter((value) => value !== null))).toEqual([[5], []]);
  });

  test('has neither rows nor a column for a run without points', () => {
    const empty = daily(5, [1], { unit_id: 10, length: 0 });
    const set = { series: [seriesOf({ unit_id: null })], runs: [empty] };
    const table = wideFrame([set], { names: NAMES });
    expect([table.numRows, table.numCols]).toEqual([0, 2]);
    expect(table.schema.fields[1]!.metadata.has('unit_id')).toBe(false);
  });

  test('has a column for a series without points, in its own unit, and no rows without any', () => {
    const set = { series: [seriesOf(), seriesOf({ region_id: 6, unit_id: null })], runs: [] };
    const table = wideFrame([set], { names: NAMES });
    expect([table.numRows, table.numCols]).toEqual([0, 3]);
    expect(table.schema.fields.map(({ metadata }) => metadata.get('unit_id'))).toEqual([
      undefined,
      '7',
      undefined,
    ]);
    expect(wideFrame([], { names: NAMES }).numCols).toBe(1);
    expect(readProvenance(table)).toBeNull();
  });
});
