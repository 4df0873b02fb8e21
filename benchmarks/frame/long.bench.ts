import type { Table } from 'apache-arrow';
import type { PointSet } from '../../src/columns/packed-points.js';
import { longFrame } from '../../src/frame/build/long.js';
import { frameBytes } from '../../src/frame/display/describe.js';
import { maker, rival, type WorkloadMaker, workload } from '../workload.js';
import { concatenateInArquero, loadArquero, plainLongOf } from './arquero.js';
import { concatenateInDuckDb, loadDuckDb, readLong } from './duckdb.js';
import { assertLongEqual } from './equal.js';
import { concatenatePlainly } from './plain-loops.js';
import { countRows, dailyPoints, namesOf } from './points.js';

/** Rows of all series in turn, so that they must be gathered again. */
function backwards({ series, runs }: PointSet): PointSet {
  return { series, runs: [...runs].reverse() };
}

export const workloads: WorkloadMaker[] = [
  maker('long frame from wire batches, 1,000 series × 3,650 days', async (name) => {
    const points = dailyPoints({ series: 1_000, days: 3_650 });
    const duck = await loadDuckDb(points);
    const tables = loadArquero(points);
    return workload<Table>({
      workload: name,
      rows: countRows(points),
      bytes: frameBytes,
      ours: () => longFrame(points),
      rivals: [
        rival({
          rival: 'plain typed-array loops',
          run: () => concatenatePlainly(points),
          assertEqual: assertLongEqual,
          wanted: 0.67,
        }),
        rival({
          rival: 'DuckDB (UNION ALL, JOIN)',
          run: () => concatenateInDuckDb(duck),
          assertEqual: async (ours: Table) => assertLongEqual(ours, await readLong(duck)),
        }),
        rival({
          rival: 'Arquero (concat)',
          run: () => concatenateInArquero(tables),
          assertEqual: (ours: Table, theirs) => assertLongEqual(ours, plainLongOf(theirs)),
        }),
      ],
      close: () => duck.close(),
    });
  }),
  maker('long frame from batches out of order, 1,000 series × 3,650 days', (name) => {
    const points = dailyPoints({ series: 1_000, days: 3_650 });
    const shuffled = backwards(points);
    return workload<Table>({
      workload: name,
      rows: countRows(points),
      bytes: frameBytes,
      ours: () => longFrame(shuffled),
      rivals: [
        rival({
          rival: 'plain typed-array loops, batches in order',
          run: () => concatenatePlainly(points),
          assertEqual: assertLongEqual,
        }),
      ],
    });
  }),
  maker('long frame with names, 1,000 series × 3,650 days', (name) => {
    const points = dailyPoints({ series: 1_000, days: 3_650 });
    const names = namesOf(points);
    return workload<Table>({
      workload: name,
      rows: countRows(points),
      bytes: frameBytes,
      ours: () => longFrame(points, { names }),
      rivals: [
        rival({
          rival: 'plain typed-array loops without names',
          run: () => concatenatePlainly(points),
          assertEqual: assertLongEqual,
        }),
      ],
    });
  }),
];
