import type { Table } from 'apache-arrow';
import { linearRegression, linearRegressionLine, rSquared } from 'simple-statistics';
import type { PointSet } from '../../src/columns/point-columns.js';
import { longFrame } from '../../src/frame/build/long.js';
import { wideFrame } from '../../src/frame/build/wide.js';
import { frameBytes } from '../../src/frame/display/summary.js';
import { quantile } from '../measure.js';
import { rival, type WorkloadMaker, workload } from '../workload.js';
import { assertLongEqual, assertWideEqual } from './equal.js';
import { concatenatePlainly, gridPlainly } from './plain-loops.js';
import { countRows, dailyPoints, namesOf } from './points.js';

const SIZES = [100, 300, 1_000, 3_000, 10_000];
const DAYS = 365;

const buildLong = (points: PointSet) => () => longFrame(points);
const buildWide = (points: PointSet) => {
  const names = namesOf(points);
  return () => wideFrame(points, { names });
};

/** The fit of the cost to the number of series: a straight line, and the exponent of a power (1 is linear). */
function fitOf(runOf: (points: PointSet) => () => unknown): string {
  const measured = SIZES.map(
    (series) => [series, costOf(runOf(dailyPoints({ series, days: DAYS })))] as const,
  );
  const pairs = measured.map(([series, ms]) => [series, ms]);
  const line = linearRegression(pairs);
  const r2 = rSquared(pairs, linearRegressionLine(line));
  const exponent = linearRegression(measured.map(([series, ms]) => [Math.log(series), Math.log(ms)])).m;
  return `${(line.m * 1_000).toFixed(0)} µs a series, R² ${r2.toFixed(3)}, exponent ${exponent.toFixed(2)}`;
}

function costOf(run: () => unknown): number {
  const times = Array.from({ length: 9 }, () => {
    globalThis.gc?.();
    const began = performance.now();
    run();
    return performance.now() - began;
  });
  return quantile(times.slice(2), 0.5);
}

export const workloads: WorkloadMaker[] = [
  () => {
    const plainFit = fitOf((points) => () => concatenatePlainly(points));
    const points = dailyPoints({ series: SIZES.at(-1)!, days: DAYS });
    return workload<Table>({
      workload: `long frame, 10,000 series × ${DAYS} days; from 100 series on ${fitOf(buildLong)}`,
      rows: countRows(points),
      bytes: frameBytes,
      ours: buildLong(points),
      rivals: [
        rival({
          rival: `plain typed-array loops; ${plainFit}`,
          run: () => concatenatePlainly(points),
          assertEqual: assertLongEqual,
        }),
      ],
    });
  },
  () => {
    const plainFit = fitOf((points) => () => gridPlainly(points));
    const points = dailyPoints({ series: SIZES.at(-1)!, days: DAYS });
    return workload<Table>({
      workload: `wide frame, 10,000 series × ${DAYS} days; from 100 series on ${fitOf(buildWide)}`,
      rows: countRows(points),
      bytes: frameBytes,
      ours: buildWide(points),
      rivals: [
        rival({
          rival: `plain day-grid loop; ${plainFit}`,
          run: () => gridPlainly(points),
          assertEqual: assertWideEqual,
        }),
      ],
    });
  },
];
