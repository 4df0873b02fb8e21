import type { Table } from 'apache-arrow';
import { wideFrame } from '../../src/frame/build/wide.js';
import { frameBytes } from '../../src/frame/display/describe.js';
import { findPython, versionIn } from '../python.js';
import { maker, type Rival, rival, type WorkloadMaker, workload } from '../workload.js';
import { loadArquero, pivotInArquero, plainWideOf } from './arquero.js';
import { joinBatches, loadDuckDb, pivotInDuckDb, readWide } from './duckdb.js';
import { assertSameValues, assertWideEqual } from './equal.js';
import { loadPandas, pivotInPandas } from './pandas.js';
import { gridPlainly, mapPlainly } from './plain-loops.js';
import { countRows, dailyPoints, namesOf, type PointBatches } from './points.js';

const plainGrid = (points: PointBatches): Rival<Table> =>
  rival({
    rival: 'plain day-grid loop',
    run: () => gridPlainly(points),
    assertEqual: assertWideEqual,
    wanted: 0.67,
  });

const arquero = (points: PointBatches): Rival<Table> => {
  const tables = loadArquero(points);
  const all = tables[0]!.concat(...tables.slice(1)).reify();
  return rival({
    rival: 'Arquero (pivot)',
    run: () => pivotInArquero(all),
    assertEqual: (ours: Table, theirs) => assertWideEqual(ours, plainWideOf(theirs, points.series.length)),
    wanted: 10,
  });
};

async function duckDb(points: PointBatches): Promise<{ rival: Rival<Table>; close(): void }> {
  const duck = await loadDuckDb(points);
  await joinBatches(duck);
  const pivot = rival({
    rival: 'DuckDB (PIVOT)',
    run: () => pivotInDuckDb(duck),
    assertEqual: async (ours: Table) => assertWideEqual(ours, await readWide(duck, points.series.length)),
    wanted: 10,
  });
  return { rival: pivot, close: duck.close };
}

function pandas(points: PointBatches): { rivals: Rival<Table>[]; close(): void } {
  const python = findPython('pandas', 'numpy');
  if (python === null) return { rivals: [], close: () => undefined };
  const files = loadPandas(points);
  const pivot = rival({
    rival: `pandas ${versionIn(python, 'pandas')} (pivot_table)`,
    run: () => pivotInPandas(python, files, points.series.length),
    ownMs: ({ ms }) => ms,
    assertEqual: assertWideEqual,
    wanted: 10,
  });
  return { rivals: [pivot], close: files.close };
}

/** A wide frame by the grid and the same points with irregular dates. */
function irregular(workloadName: string, plan: Parameters<typeof dailyPoints>[0]): WorkloadMaker {
  return maker(workloadName, (name) => {
    const points = dailyPoints({ ...plan, offGrid: true });
    const regular = dailyPoints(plan);
    const names = namesOf(points);
    return workload<Table>({
      workload: name,
      rows: countRows(points),
      bytes: frameBytes,
      ours: () => wideFrame(points, { names }),
      rivals: [
        rival({
          rival: 'our own grid path on the same points at midnight',
          run: () => wideFrame(regular, { names }),
          assertEqual: assertSameValues,
          wanted: 0.33,
        }),
        rival({
          rival: 'plain loop with a hash map',
          run: () => mapPlainly(points),
          assertEqual: assertWideEqual,
        }),
      ],
    });
  });
}

export const workloads: WorkloadMaker[] = [
  maker('wide frame over a grid of days, 100 series × 3,650 days', async (name) => {
    const points = dailyPoints({ series: 100, days: 3_650 });
    const names = namesOf(points);
    const duck = await duckDb(points);
    return workload<Table>({
      workload: name,
      rows: countRows(points),
      bytes: frameBytes,
      ours: () => wideFrame(points, { names }),
      rivals: [plainGrid(points), duck.rival, arquero(points)],
      close: duck.close,
    });
  }),
  maker('wide frame over a grid of days, 1,000 series × 3,650 days', async (name) => {
    const points = dailyPoints({ series: 1_000, days: 3_650 });
    const names = namesOf(points);
    const duck = await duckDb(points);
    const python = pandas(points);
    return workload<Table>({
      workload: name,
      rows: countRows(points),
      bytes: frameBytes,
      ours: () => wideFrame(points, { names }),
      rivals: [plainGrid(points), duck.rival, ...python.rivals, arquero(points)],
      close: () => {
        duck.close();
        python.close();
      },
    });
  }),
  irregular('wide frame over irregular dates, 1,000 series × 3,650 points', { series: 1_000, days: 3_650 }),
  irregular('wide frame over irregular dates with gaps, 1,000 series × about 3,650 points', {
    series: 1_000,
    days: 4_867,
    share: 0.75,
  }),
];
