import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packColumns, unpackPoints } from '../../../src/columns/packed-points.js';
import { atPosition } from '../../../src/columns/packed-set.js';
import type { PointSet } from '../../../src/columns/point-columns.js';
import { longFrame, longFrameFromRuns } from '../../../src/frame/build/long.js';
import { wideFrame, wideFrameFromRuns } from '../../../src/frame/build/wide.js';
import { toRows } from '../../../src/frame/formats/rows.js';
import { DAY_MS } from '../../../src/model/time.js';
import {
  arrivedResults,
  drainSeries,
  joinResults,
  type SeriesResult,
} from '../../../src/saved/fetch/series-result.js';
import { anyPointSet, batchOf, NAMES, seriesOf } from '../../frame/points.js';

/** The points of each entry of a set, as if each had been fetched by itself. */
function resultsOf({ series, batches }: PointSet): SeriesResult[] {
  const runs = batches.flatMap(packColumns);
  return series.map((one, entry) => {
    const ofSeries = runs.filter((run) => run.series === entry).map((run) => atPosition(run, 0));
    const origin = { fromCache: false, answeredAt: '' };
    return arrivedResults(one, [{ series: one, runs: ofSeries, origin }])[0]!;
  });
}

const days = (length: number, gap = -1) =>
  batchOf(
    Array.from({ length }, (_, day) => day)
      .filter((day) => day !== gap)
      .map((day) => ({ series: 0, start: day * DAY_MS, end: day * DAY_MS, value: day === 3 ? null : day })),
  );

describe('points that were fetched series by series', () => {
  it.each([true, false])('yield the same frames as the original points (only whole days: %s)', (gridded) => {
    fc.assert(
      fc.property(anyPointSet({ gridded }), (points) => {
        const wide = wideFrameFromRuns(drainSeries(resultsOf(points)), { names: NAMES });
        expect(toRows(wide)).toEqual(toRows(wideFrame(points, { names: NAMES })));
        const long = longFrameFromRuns(joinResults(resultsOf(points)));
        expect(toRows(long)).toEqual(toRows(longFrame(points)));
      }),
      { numRuns: 200 },
    );
  });

  it('yield the same long frames with names, available dates and remarks, in either order', () => {
    fc.assert(
      fc.property(anyPointSet(), fc.boolean(), fc.constantFrom(1, 3), (points, index_by_series, captures) => {
        const batches = points.batches.map((columns) => ({
          ...columns,
          available_date: columns.start_date.map((_, row) => BigInt((row % captures) * DAY_MS)),
          metadata: Array.from({ length: columns.length }, (_, row) =>
            row % 4 === 0 ? null : `{"n":${row}}`,
          ),
        }));
        const given = { series: points.series, batches };
        const options = { names: NAMES, index_by_series, show_available_date: true, show_metadata: true };
        const packed = { series: points.series, runs: batches.flatMap(packColumns) };
        expect(toRows(longFrameFromRuns(packed, options))).toEqual(toRows(longFrame(given, options)));
      }),
    );
  });

  it('lie in the columns of a wide frame uncopied where they have every date, and are never changed', () => {
    const region = (region_id: number) => seriesOf({ region_id });
    const columns = [days(40), days(40, 7)];
    const runs = columns.flatMap(packColumns);
    const parts = runs.map((run, at) => ({ series: [region(at)], runs: [run] }));
    const before = unpackPoints(runs);
    const table = wideFrameFromRuns(parts, { names: NAMES });
    expect(table.getChildAt(1)!.data[0]!.values.buffer).toBe(runs[0]!.value.buffer);
    expect(table.getChildAt(2)!.data[0]!.values.buffer).not.toBe(runs[1]!.value.buffer);
    expect(unpackPoints(runs)).toEqual(before);
    const moved = { ...columns[1]!, series: new Uint32Array(39).fill(1) };
    const given = { series: [region(0), region(1)], batches: [columns[0]!, moved] };
    expect(toRows(table)).toEqual(toRows(wideFrame(given, { names: NAMES })));
  });
});
