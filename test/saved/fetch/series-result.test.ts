import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PointSet } from '../../../src/columns/packed-points.js';
import { atPosition, unpackPoints } from '../../../src/columns/packed-points.js';
import { longFrame } from '../../../src/frame/build/long.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import { toRows } from '../../../src/frame/formats/rows.js';
import { DAY_MS } from '../../../src/model/time.js';
import {
  arrivedResults,
  drainSeries,
  joinResults,
  type SeriesResult,
} from '../../../src/saved/fetch/fan-out.js';
import { countRuns } from '../../endurance.js';
import { anyPointSet, NAMES, runsOf, seriesOf } from '../../frame/points.js';

/** The points of each entry of a set, as if each had been fetched by itself. */
function resultsOf({ series, runs }: PointSet): SeriesResult[] {
  return series.map((one, entry) => {
    const ofSeries = runs.filter((run) => run.series === entry).map((run) => atPosition(run, 0));
    const origin = { fromCache: false, answeredAt: '' };
    return arrivedResults(one, [{ series: one, runs: ofSeries, origin }])[0]!;
  });
}

const days = (length: number, gap = -1) =>
  runsOf(
    Array.from({ length }, (_, day) => day)
      .filter((day) => day !== gap)
      .map((day) => ({ series: 0, start: day * DAY_MS, end: day * DAY_MS, value: day === 3 ? null : day })),
  );

describe('points that were fetched series by series', () => {
  it.each([true, false])('yield the same frames as the original points (only whole days: %s)', (gridded) => {
    fc.assert(
      fc.property(anyPointSet({ gridded }), (points) => {
        const wide = wideFrame(drainSeries(resultsOf(points)), { names: NAMES });
        expect(toRows(wide)).toEqual(toRows(wideFrame(points, { names: NAMES })));
        const long = longFrame(joinResults(resultsOf(points)));
        expect(toRows(long)).toEqual(toRows(longFrame(points)));
      }),
      { numRuns: countRuns({ quick: 40, all: 400 }) },
    );
  });

  it('lie in the columns of a wide frame uncopied where they have every date, and are never changed', () => {
    const region = (region_id: number) => seriesOf({ region_id });
    const runs = [...days(40), ...days(40, 7)];
    const parts = runs.map((run, at) => ({ series: [region(at)], runs: [run] }));
    const before = unpackPoints(runs);
    const table = wideFrame(parts, { names: NAMES });
    expect(table.getChildAt(1)!.data[0]!.values.buffer).toBe(runs[0]!.value.buffer);
    expect(table.getChildAt(2)!.data[0]!.values.buffer).not.toBe(runs[1]!.value.buffer);
    expect(unpackPoints(runs)).toEqual(before);
    const given = { series: [region(0), region(1)], runs: runs.map(atPosition) };
    expect(toRows(table)).toEqual(toRows(wideFrame(given, { names: NAMES })));
  });
});
