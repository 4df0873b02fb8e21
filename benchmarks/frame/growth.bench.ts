import type { Table } from 'apache-arrow';
import { linearRegression, linearRegressionLine, rSquared } from 'simple-statistics';
import { longFrame } from '../../src/frame/build/long.js';
import { wideFrame } from '../../src/frame/build/wide.js';
import { frameBytes } from '../../src/frame/display/describe.js';
import { quantile } from '../measure.js';
import { type Figures, maker, rival, type WorkloadMaker, workload } from '../workload.js';
import { assertLongEqual, assertWideEqual } from './equal.js';
import { concatenatePlainly, gridPlainly } from './plain-loops.js';
import { countRows, dailyPoints, namesOf, type PointBatches } from './points.js';

const SIZES = [100, 300, 1_000, 3_000, 10_000];
const DAYS = 365;

const buildLong = (points: PointBatches) => () => longFrame(points);
const buildWide = (points: PointBatches) => {
  const names = namesOf(points);
  return () => wideFrame(points, { names });
};

/** How the cost grows from 100 series on: a straight line, and the exponent of a power (1 is linear). */
function growthOf(label: string, runOf: (points: PointBatches) => () => unknown): Figures {
  const measured = SIZES.map((series) => [series, costOf(runOf(dailyPoints({ series, days: DAYS })))]);
  const line = linearRegression(measured);
  const r2 = rSquared(measured, linearRegressionLine(line));
  const exponent = linearRegression(measured.map((pair) => pair.map(Math.log))).m;
  return {
    [`${label} µs a series`]: Math.round(line.m * 1_000),
    [`${label} R²`]: Number(r2.toFixed(3)),
    [`${label} exponent`]: Number(exponent.toFixed(2)),
  };
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

const many = () => dailyPoints({ series: SIZES.at(-1)!, days: DAYS });

export const workloads: WorkloadMaker[] = [
  maker(`long frame, 10,000 series × ${DAYS} days`, (name) => {
    const growth = growthOf('ours', buildLong);
    const plainGrowth = growthOf('rival', (points) => () => concatenatePlainly(points));
    const points = many();
    return workload<Table>({
      workload: name,
      rows: countRows(points),
      bytes: frameBytes,
      ours: buildLong(points),
      figures: { ...growth, ...plainGrowth },
      rivals: [
        rival({
          rival: 'plain typed-array loops',
          run: () => concatenatePlainly(points),
          assertEqual: assertLongEqual,
        }),
      ],
    });
  }),
  maker(`wide frame, 10,000 series × ${DAYS} days`, (name) => {
    const growth = growthOf('ours', buildWide);
    const plainGrowth = growthOf('rival', (points) => () => gridPlainly(points));
    const points = many();
    return workload<Table>({
      workload: name,
      rows: countRows(points),
      bytes: frameBytes,
      ours: buildWide(points),
      figures: { ...growth, ...plainGrowth },
      rivals: [
        rival({
          rival: 'plain day-grid loop',
          run: () => gridPlainly(points),
          assertEqual: assertWideEqual,
        }),
      ],
    });
  }),
];
