import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PointArena } from '../../src/columns/point-arena.js';
import type { PointColumns, PointSet } from '../../src/columns/point-columns.js';
import { atPosition, copyColumns, joinColumns, sliceColumns } from '../../src/columns/point-rows.js';
import { seriesRuns } from '../../src/columns/series-runs.js';
import { longFrame } from '../../src/frame/build/long.js';
import { wideFrame, wideFrameFromParts } from '../../src/frame/build/wide.js';
import { toRows } from '../../src/frame/formats/rows.js';
import { DAY_MS } from '../../src/model/time.js';
import {
  arrivedResults,
  drainSeries,
  joinResults,
  type SeriesResult,
} from '../../src/saved/fetch/series-result.js';
import { anyPointSet, batchOf, NAMES, seriesOf } from '../frame/points.js';

/** The rows of one entry of a point set as they arrive: one part for each run. */
function partsOf({ batches }: PointSet, entry: number): PointColumns[] {
  return batches.flatMap((columns) =>
    [...seriesRuns(columns)]
      .filter(({ position }) => position === entry)
      .map(({ from, to }) => atPosition(sliceColumns(columns, from, to), 0)),
  );
}

/** The same columns as views of larger memory, as in a message. */
function inMessage(columns: PointColumns): PointColumns {
  const longer = joinColumns([columns, columns]);
  return { ...longer, length: columns.length };
}

function outcomesOf(points: PointSet): SeriesResult[] {
  const arena = new PointArena();
  return points.series.map((series, entry) => {
    const batches = arena.hold(partsOf(points, entry));
    const origin = { fromCache: false, answeredAt: '' };
    return arrivedResults(series, [{ series, batches, origin }])[0]!;
  });
}

const days = (length: number, gap = -1) =>
  batchOf(
    Array.from({ length }, (_, day) => day)
      .filter((day) => day !== gap)
      .map((day) => ({ series: 0, start: day * DAY_MS, end: day * DAY_MS, value: day === 3 ? null : day })),
  );

describe('points in an arena', () => {
  it.each([true, false])(
    'are those that arrived, even after their message is overwritten (only whole days: %s)',
    (gridded) => {
      fc.assert(
        fc.property(anyPointSet({ gridded }), (points) => {
          const arena = new PointArena();
          for (const entry of points.series.keys()) {
            const parts = partsOf(points, entry).map(inMessage);
            const expected = copyColumns(joinColumns(parts));
            const [held] = arena.hold(parts);
            for (const { start_date, end_date, value, unit_id } of parts) {
              for (const column of [start_date, end_date]) column.fill(-1n);
              for (const column of [value, unit_id]) column.fill(-1);
            }
            if (expected.length === 0) expect(held).toBeUndefined();
            else expect(copyColumns(held!)).toEqual(expected);
          }
        }),
        { numRuns: 200 },
      );
    },
  );

  it('store once what series have in common', () => {
    const arena = new PointArena();
    const [one] = arena.hold([days(40)]);
    const [other] = arena.hold([days(40)]);
    expect(other!.unit_id).toBe(one!.unit_id);
    expect(other!.reporting_date).toBe(one!.reporting_date);
    expect(other!.end_date).toBe(one!.start_date);
    expect(other!.value).not.toBe(one!.value);
  });

  it.each([true, false])('yield the same frames as the original points (only whole days: %s)', (gridded) => {
    fc.assert(
      fc.property(anyPointSet({ gridded }), (points) => {
        const wide = wideFrameFromParts(drainSeries(outcomesOf(points)), { names: NAMES });
        expect(toRows(wide)).toEqual(toRows(wideFrame(points, { names: NAMES })));
        const long = longFrame(joinResults(outcomesOf(points)));
        expect(toRows(long)).toEqual(toRows(longFrame(points)));
      }),
      { numRuns: 200 },
    );
  });
});

describe('a wide frame that reuses the memory of its points', () => {
  const region = (region_id: number) => seriesOf({ region_id });

  it.each([
    ['every date', -1],
    ['room for every date', 7],
    ['room for every date and a null beside the gap', 4],
  ])('reuses the memory of values for a column with %s', (_, gap) => {
    const arena = new PointArena();
    const batches = [days(40), days(40, gap)].flatMap((columns) => arena.hold([columns]));
    const parts = batches.map((columns, at) => ({ series: [region(at)], batches: [columns] }));
    const table = wideFrameFromParts(parts, { names: NAMES });
    expect(table.getChildAt(2)!.data[0]!.values.buffer).toBe(batches[1]!.value.buffer);
    const given = { series: [region(0), region(1)], batches: [days(40), atPosition(days(40, gap), 1)] };
    expect(toRows(table)).toEqual(toRows(wideFrame(given, { names: NAMES })));
  });

  it('does not change the points passed to wideFrame', () => {
    const columns = new PointArena().hold([days(40, 7)])[0]!;
    const before = copyColumns(columns);
    const given = { series: [region(0), region(1)], batches: [columns, atPosition(days(40), 1)] };
    wideFrame(given, { names: NAMES });
    expect(copyColumns(columns)).toEqual(before);
  });
});
