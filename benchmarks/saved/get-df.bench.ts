import { strict as assert } from 'node:assert';
import type { Table } from 'apache-arrow';
import { createClient } from '../../src/create-client.js';
import { readColumn } from '../../src/frame/columns.js';
import { frameBytes } from '../../src/frame/summary.js';
import { singleTokenAuthorizer } from '../../src/service/auth.js';
import { createService } from '../../src/service/service.js';
import { keyOf, openBigStore, POINTS_A_SERIES, SERIES } from '../service/big-store.js';
import { readPoints } from '../service/store-reading.js';
import { rival, type WorkloadMaker, workload } from '../workload.js';

const WANTED = Array.from({ length: 1_000 }, (_, i) => i * (SERIES / 1_000));

function sumOf(table: Table): number {
  const { values } = readColumn(table, 'value') as { values: Float64Array };
  return values.reduce((sum, value) => sum + value, 0);
}

/** The whole way of a frame: store, service, client and table in one process, beside the store alone. */
export const workloads: WorkloadMaker[] = [false, true].map((compress_format) => async () => {
  const store = await openBigStore();
  const fetch = createService(store, { authorize: singleTokenAuthorizer('bench') });
  const client = createClient({ api_host: 'http://embedded', access_token: 'bench', fetch });
  for (const i of WANTED) client.addSingleDataSeries(keyOf(i));
  return workload<Table>({
    workload: `getDf of ${WANTED.length.toLocaleString('en-US')} series × 2,000 days, ${compress_format ? 'wide' : 'long'}`,
    rows: WANTED.length * POINTS_A_SERIES,
    bytes: frameBytes,
    ours: () => client.getDf({ compress_format }),
    rivals: [
      rival({
        rival: 'reading the same points from the store alone',
        run: () => readPoints(store, WANTED),
        assertEqual: (table, batches) => {
          const sum = batches
            .flatMap(({ value, length }) => [...value.subarray(0, length)])
            .reduce((all, one) => all + one, 0);
          if (!compress_format) assert.ok(Math.abs(sumOf(table) - sum) < 1e-3);
          assert.equal(table.numRows, compress_format ? POINTS_A_SERIES : WANTED.length * POINTS_A_SERIES);
        },
      }),
    ],
    close: () => store.close(),
  });
});
