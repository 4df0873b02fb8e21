import type { Table } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PackedPoints, packColumns } from '../../../src/columns/packed-points.js';
import type { PackedSet } from '../../../src/columns/packed-set.js';
import type { PointSet } from '../../../src/columns/point-columns.js';
import { longFrame, longFrameFromRuns } from '../../../src/frame/build/long.js';
import { streamLongFromRuns } from '../../../src/frame/build/long-stream.js';
import { wideFrame, wideFrameFromRuns } from '../../../src/frame/build/wide.js';
import { toRows } from '../../../src/frame/formats/rows.js';
import { createFrame } from '../../../src/frame/table/frame-table.js';
import { readProvenance } from '../../../src/frame/table/provenance.js';
import { seriesKeyText } from '../../../src/model/series.js';
import { DAY_MS } from '../../../src/model/time.js';
import { anyPointSet, batchOf, NAMES, PROVENANCE, seriesOf } from '../points.js';

const runs = { numRuns: 100 };

/** The same points, packed. */
const packed = ({ series, batches }: PointSet): PackedSet => ({
  series,
  runs: batches.flatMap(packColumns),
});

/** A set for each key, with all positions of the key: as they are fetched. */
function bySeries({ series, runs }: PackedSet): PackedSet[] {
  const keys = [...new Set(series.map(seriesKeyText))];
  return keys.map((key) => {
    const positions = series.flatMap((one, at) => (seriesKeyText(one) === key ? [at] : []));
    return {
      series: positions.map((at) => series[at]!),
      runs: runs
        .filter((run) => positions.includes(run.series))
        .map((run) => ({ ...run, series: positions.indexOf(run.series) })),
    };
  });
}

/** Everything a reader sees of a frame. */
const contentOf = (table: Table) => ({
  fields: table.schema.fields.map(({ name, metadata }) => [name, ...metadata]),
  columns: table.schema.fields.map((_, at) => [...table.getChildAt(at)!]),
});

async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

describe('frames of packed points are those of the same points by columns', () => {
  test('long', () => {
    fc.assert(
      fc.property(anyPointSet(), fc.boolean(), (points, index_by_series) => {
        const options = { names: NAMES, index_by_series };
        const table = longFrameFromRuns(packed(points), options);
        expect(table.batches).toHaveLength(1);
        expect(contentOf(table)).toEqual(contentOf(longFrame(points, options)));
      }),
      runs,
    );
  });

  test('wide, from one part or from a part for each series', () => {
    fc.assert(
      fc.property(anyPointSet(), (points) => {
        const expected = contentOf(wideFrame(points, { names: NAMES }));
        expect(contentOf(wideFrameFromRuns([packed(points)], { names: NAMES }))).toEqual(expected);
        const parts = bySeries(packed(points));
        expect(contentOf(wideFrameFromRuns(parts, { names: NAMES }))).toEqual(expected);
      }),
      runs,
    );
  });

  test('long, in batches', async () => {
    await fc.assert(
      fc.asyncProperty(anyPointSet(), async (points) => {
        const options = { names: NAMES, series: points.series };
        const { schema, batches } = streamLongFromRuns(each(bySeries(packed(points))), options);
        const received = [];
        for await (const batch of batches) received.push(batch);
        const table = createFrame(schema, received);
        expect(toRows(table)).toEqual(toRows(longFrame(points, { names: NAMES })));
      }),
      runs,
    );
  });
});

/** A run of daily values from a day on. */
const daily = (first: number, values: readonly (number | null)[], parts: Partial<PackedPoints> = {}) => ({
  ...packColumns(
    batchOf(
      values.map((value, i) => ({
        series: 0,
        start: (first + i) * DAY_MS,
        end: (first + i) * DAY_MS,
        value,
      })),
    ),
  )[0]!,
  ...parts,
});

const wideOf = (...runs: PackedPoints[]) =>
  wideFrameFromRuns(
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

  test('copies points by columns, whose null rows may hold anything', () => {
    const batch = batchOf(
      [0, 1, 2].map((day) => ({ series: 0, start: day, end: day, value: day === 1 ? null : day })),
    );
    const table = wideFrame({ series: [seriesOf()], batches: [batch] }, { names: NAMES });
    const data = table.getChildAt(1)!.data[0]!;
    expect(data.values.buffer).not.toBe(batch.value.buffer);
    expect([...data.values.subarray(0, 3)]).toEqual([0, Number.NaN, 2]);
  });

  test('has a column for each unit, of one unit a run or of one a point', () => {
    const units = daily(0, [1, 2, 3, 4, 5], { unit_id: Int32Array.of(7, 7, 10, 10, 7) });
    const table = wideOf(units);
    expect([1, 2].map((at) => valuesAt(table, at))).toEqual([
      [1, 2, null, null, 5],
      [null, null, 3, 4, null],
    ]);
    const two = wideFrameFromRuns(
      [{ series: [seriesOf()], runs: [daily(0, [1]), daily(1, [2], { unit_id: 10 })] }],
      { names: NAMES },
    );
    expect([1, 2].map((at) => valuesAt(two, at))).toEqual([
      [1, null],
      [null, 2],
    ]);
  });

  test('counts the points that another on the same end date replaces, over all units and parts', () => {
    const same = (end: number, unit_id = 7) => ({ series: 0, start: end - 1, end, value: end, unit_id });
    const rows = [same(5), { ...same(5), start: 5 }, same(9, 10), { ...same(9, 10), start: 9, value: null }];
    const batch = packColumns(batchOf(rows));
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
    const table = wideFrameFromRuns(parts, { names: NAMES, provenance });
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
    const table = wideFrameFromRuns([set], { names: NAMES });
    expect([table.numRows, table.numCols]).toEqual([0, 2]);
    expect(table.schema.fields[1]!.metadata.has('unit_id')).toBe(false);
  });

  test('has a column for a series without points, in its own unit, and no rows without any', () => {
    const set = { series: [seriesOf(), seriesOf({ region_id: 6, unit_id: null })], runs: [] };
    const table = wideFrameFromRuns([set], { names: NAMES });
    expect([table.numRows, table.numCols]).toEqual([0, 3]);
    expect(table.schema.fields.map(({ metadata }) => metadata.get('unit_id'))).toEqual([
      undefined,
      '7',
      undefined,
    ]);
    expect(wideFrameFromRuns([], { names: NAMES }).numCols).toBe(1);
    expect(readProvenance(table)).toBeNull();
  });
});
