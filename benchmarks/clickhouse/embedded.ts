import { strict as assert } from 'node:assert';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import type { RawAsk, RawScan, RawScanned } from '../processes/clickhouse-process.js';
import type { Measured } from '../processes/tasks.js';
import { Worker } from '../processes/worker.js';
import type { BenchCluster } from '../stores/cluster.js';
import { dailyStore, POINTS_A_SERIES, WHOLE } from '../stores/daily-store.js';
import type { Total, Wanted } from '../stores/engine.js';
import { maker, rival, type WorkloadMaker, workload } from '../workload.js';
import { clusters, NODES } from './clusters.js';
import { cpuFigures, mean, type Used, withServers } from './server-usage.js';

/** What a store answers in this process, as its rivals' totals are compared. */
interface Read {
  readonly answer: Total;
  readonly ms: number;
  readonly cpuMs: number;
  readonly serverCpuMs: number;
}

export type AskStore = (store: Store) => Promise<Total>;

/** The store itself, against the raw queries, the store on one node, and DuckDB's. */
export function embedded(
  name: string,
  { ask, queries }: { ask: RawAsk; queries: readonly Wanted[] },
  askStore: AskStore,
): WorkloadMaker {
  return maker(`${name}, the store on ${NODES} nodes`, async (title) => {
    const { three, one } = await clusters.enter();
    const stores = await Promise.all(
      [three.location, one.location, await dailyStore(WHOLE)].map((at) => openStore(at, { readOnly: true })),
    );
    const raw = new Worker<RawScan, RawScanned>(
      new URL('../processes/clickhouse-process.ts', import.meta.url),
    );
    const read = async (at: number, cluster: BenchCluster | null): Promise<Read> => {
      const [began, cpu, servers] = [performance.now(), process.cpuUsage(), cluster?.cpuMs ?? 0];
      const answer = await askStore(stores[at]!);
      const { user, system } = process.cpuUsage(cpu);
      const ms = performance.now() - began;
      return { answer, ms, cpuMs: (user + system) / 1000, serverCpuMs: (cluster?.cpuMs ?? 0) - servers };
    };
    const other = (label: string, at: number, cluster: BenchCluster | null) =>
      rival<Read, Read>({
        rival: label,
        run: () => read(at, cluster),
        ownMs: ({ ms }) => ms,
        assertEqual: (ours, theirs) => assertSame(ours.answer, theirs.answer),
        figures: (_, runs) => ({
          [`${label}: CPU ms`]: mean(runs.map((run) => run.cpuMs + run.serverCpuMs)),
        }),
      });
    const scan: RawScan = { hosts: three.hosts, database: 'bench', ask, queries };
    return workload<Read>({
      workload: title,
      rows: queries.flat().length * POINTS_A_SERIES,
      bytes: () => 0,
      ours: () => read(0, three),
      ownMs: ({ ms }) => ms,
      figures: (_, runs) => cpuFigures('our', runs),
      rivals: [
        rival<Read, Used<Measured<RawScanned>>>({
          rival: `raw queries, ${NODES} nodes`,
          run: () => withServers(three, () => raw.run(scan)),
          ownMs: ({ ms }) => ms,
          assertEqual: (ours, theirs) => assertSame(ours.answer, theirs.answer),
          figures: (_, runs) => cpuFigures('raw', runs),
        }),
        other('the store on one node', 1, one),
        other('the store in DuckDB', 2, null),
      ],
      close: async () => {
        await Promise.all([...stores.map((store) => store.close()), raw.close()]);
        clusters.leave();
      },
    });
  });
}

/** Values of one decimal: sums of them in another order differ less. */
const MAX_DIFFERENCE = 0.01;

function assertSame(ours: Total, theirs: Total): void {
  assert.equal(ours.rows, theirs.rows);
  assert.ok(Math.abs(ours.sum - theirs.sum) < MAX_DIFFERENCE, `${ours.sum} is not ${theirs.sum}`);
}
