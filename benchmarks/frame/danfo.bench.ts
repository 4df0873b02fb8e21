import { deepStrictEqual } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Table } from 'apache-arrow';
import { longFrame } from '../../src/frame/build/long.js';
import { frameBytes } from '../../src/frame/display/describe.js';
import { loadDanfo, toDanfo } from '../../src/frame/formats/danfo-node.js';
import { toRows } from '../../src/frame/formats/rows.js';
import { maker, rival, type WorkloadMaker, workload } from '../workload.js';
import { countRows, dailyPoints } from './points.js';

const folder = fileURLToPath(new URL('../../test/danfo', import.meta.url));
const installed = existsSync(`${folder}/node_modules/danfojs-node`);
if (!installed) console.log('Danfo is left out: run npm ci --prefix test/danfo');

/** What is used here of Danfo. */
interface Danfo {
  concat(options: { dfList: object[]; axis: 0 | 1 }): { values: unknown[][]; shape: [number, number] };
}

export const workloads: WorkloadMaker[] = installed
  ? [
      maker('long frame, 20 series × 365 days', async (name) => {
        const points = dailyPoints({ series: 20, days: 365 });
        const danfo = await loadDanfo([folder]);
        const { concat } = danfo as unknown as Danfo;
        const parts = await Promise.all(
          points.series.map((_, position) => {
            const runs = points.runs.filter((run) => run.series === position);
            return toDanfo(longFrame({ series: points.series, runs }), { danfo });
          }),
        );
        return workload<Table>({
          workload: name,
          rows: countRows(points),
          bytes: frameBytes,
          ours: () => longFrame(points),
          rivals: [
            rival({
              rival: 'Danfo (concat of a frame a series)',
              run: () => concat({ dfList: parts, axis: 0 }),
              assertEqual: async (ours: Table, theirs) => {
                const expected = (await toDanfo(ours, { danfo })).values;
                deepStrictEqual(theirs.values, expected);
                deepStrictEqual(theirs.shape, [toRows(ours).length, 11]);
              },
            }),
          ],
        });
      }),
    ]
  : [];
