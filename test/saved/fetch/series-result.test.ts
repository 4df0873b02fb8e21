import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packColumns } from '../../../src/columns/packed-points.js';
import { atPosition, unpackSet } from '../../../src/columns/packed-set.js';
import type { PointSet } from '../../../src/columns/point-columns.js';
import { longFrame } from '../../../src/frame/build/long.js';
import { wideFrame, wideFrameFromParts } from '../../../src/frame/build/wide.js';
import { toRows } from '../../../src/frame/formats/rows.js';
import {
  arrivedResults,
  drainSeries,
  joinResults,
  type SeriesResult,
} from '../../../src/saved/fetch/series-result.js';
import { anyPointSet, NAMES } from '../../frame/points.js';

/** The points of each entry of a set, as if each had been fetched by itself. */
function resultsOf({ series, batches }: PointSet): SeriesResult[] {
  const runs = batches.flatMap(packColumns);
  return series.map((one, entry) => {
    const ofSeries = runs.filter((run) => run.series === entry).map((run) => atPosition(run, 0));
    const origin = { fromCache: false, answeredAt: '' };
    return arrivedResults(one, [{ series: one, runs: ofSeries, origin }])[0]!;
  });
}

describe('points that were fetched series by series', () => {
  it.each([true, false])('yield the same frames as the original points (only whole days: %s)', (gridded) => {
    fc.assert(
      fc.property(anyPointSet({ gridded }), (points) => {
        const parts = [...drainSeries(resultsOf(points))].map(unpackSet);
        const wide = wideFrameFromParts(parts, { names: NAMES });
        expect(toRows(wide)).toEqual(toRows(wideFrame(points, { names: NAMES })));
        const long = longFrame(unpackSet(joinResults(resultsOf(points))));
        expect(toRows(long)).toEqual(toRows(longFrame(points)));
      }),
      { numRuns: 200 },
    );
  });
});
