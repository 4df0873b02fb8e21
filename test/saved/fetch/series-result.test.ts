import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PointSet } from '../../../src/columns/packed-points.js';
import { atPosition } from '../../../src/columns/packed-points.js';
import { longFrame } from '../../../src/frame/build/long.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import { DAY_MS } from '../../../src/model/time.js';
import {
  arrivedResult,
  drainSeries,
  joinResults,
  type SeriesResult,
} from '../../../src/saved/fetch/fan-out.js';
import { countRuns } from '../../endurance.js';
import { anyPointSet, NAMES, runsOf } from '../../frame/points.js';

/** The points of each entry of a set, as if each had been fetched by itself. */
function resultsOf({ series, runs }: PointSet): SeriesResult[] {
  return series.map((one, entry) => {
    const ofSeries = runs.filter((run) => run.series === entry).map((run) => atPosition(run, 0));
    const origin = { fromCache: false, answeredAt: '', storeVersion: null };
    return arrivedResult(one, { series: one, runs: ofSeries, origin });
  });
}

const _days = (length: number, gap = -1) =>
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
        expect(wide.toRows()).toEqual(wideFrame(points, { names: NAMES }).toRows());
        const long = longFrame(joinResults(resultsOf(points)));
        expect(long.toRows()).toEqual(longFrame(points).toRows());
      }),
      { numRuns: countRuns({ quick: 40, all: 400 }) },
    );
  });
});
