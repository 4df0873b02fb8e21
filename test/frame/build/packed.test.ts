import type { Table } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import type { PackedPoints } from '../../../src/columns/packed-points.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import { DAY_MS } from '../../../src/model/time.js';
import { NAMES, runsOf, seriesOf } from '../points.js';

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
});
