import { strictEqual } from 'node:assert/strict';
import type { Table } from 'apache-arrow';
import { linearRegression, linearRegressionLine, rSquared } from 'simple-statistics';
import { frameBytes } from '../../src/frame/describe.js';
import { longFrame } from '../../src/frame/long.js';
import { wideFrame } from '../../src/frame/wide.js';
import { quantile } from '../measure.js';
import { rival, type WorkloadMaker, workload } from '../workload.js';
import { countRows, dailyPoints, namesOf } from './points.js';

const SIZES = [100, 300, 1_000, 3_000, 10_000];
const DAYS = 365;

/** How the cost grows with the number of series; the rival is a straight line through what 100 series take. */
function growth(shape: 'long' | 'wide'): WorkloadMaker {
  return async () => {
    const measured = SIZES.map((series) => ({ series, ms: costOf(shape, series) }));
    const line = linearRegression(measured.map(({ series, ms }) => [series, ms]));
    const r2 = rSquared(
      measured.map(({ series, ms }) => [series, ms]),
      linearRegressionLine(line),
    );
    const exponent = linearRegression(measured.map(({ series, ms }) => [Math.log(series), Math.log(ms)])).m;
    const points = dailyPoints({ series: SIZES.at(-1)!, days: DAYS });
    const hundredth = dailyPoints({ series: 100, days: DAYS });
    const names = namesOf(points);
    const build = (set: typeof points) => (shape === 'long' ? longFrame(set) : wideFrame(set, { names }));
    const fit = `${line.m.toPrecision(3)} ms a series, R² ${r2.toFixed(3)}, exponent ${exponent.toFixed(2)}`;
    return workload<Table>({
      workload: `${shape} frame, growth from 100 to 10,000 series × ${DAYS} days: ${fit}`,
      rows: countRows(points),
      bytes: frameBytes,
      ours: () => build(points),
      rivals: [
        rival({
          rival: '100 times what 100 series take',
          run: () => {
            const began = performance.now();
            let rows = 0;
            for (let time = 0; time < 100; time++) rows += rowsOf(build(hundredth), shape);
            return { rows, ms: performance.now() - began };
          },
          ownMs: ({ ms }) => ms,
          assertEqual: (ours: Table, { rows }) => strictEqual(rowsOf(ours, shape), rows),
        }),
      ],
    });
  };
}

/** Points in a frame; in a wide one its columns, since dates do not grow with the series. */
function rowsOf(table: Table, shape: 'long' | 'wide'): number {
  return shape === 'long' ? table.numRows : table.numCols - 1;
}

function costOf(shape: 'long' | 'wide', series: number): number {
  const points = dailyPoints({ series, days: DAYS });
  const names = namesOf(points);
  const times = Array.from({ length: 9 }, () => {
    globalThis.gc?.();
    const began = performance.now();
    if (shape === 'long') longFrame(points);
    else wideFrame(points, { names });
    return performance.now() - began;
  });
  return quantile(times.slice(2), 0.5);
}

export const workloads: WorkloadMaker[] = [growth('long'), growth('wide')];
