import type { RawScan, RawScanned } from '../processes/clickhouse-process.js';
import { assertSameTotal } from '../processes/engine-rival.js';
import { servedBasics } from '../processes/served-workload.js';
import { type Answered, ServiceReader } from '../processes/service-reader.js';
import type { Measured } from '../processes/tasks.js';
import { Worker } from '../processes/worker.js';
import type { BenchCluster } from '../stores/cluster.js';
import { dailyStore, WHOLE } from '../stores/daily-store.js';
import type { Wanted } from '../stores/engine.js';
import { maker, type Rival, rival, type WorkloadMaker, workload } from '../workload.js';
import { clusters, NODES } from './clusters.js';
import { cpuFigures, mean, type Used, withServers } from './server-usage.js';

const cpuOf = ({ cpuMs, service }: Answered) => cpuMs + service.cpuMs;

interface Asked {
  readonly name: string;
  readonly requests: readonly Wanted[];
  /** As many times as long as the raw queries the service may take. */
  readonly maxOverhead?: number | undefined;
}

/** The service on three nodes, against the raw queries, the service on one node, and the service on DuckDB. */
export function served({ name, requests, maxOverhead }: Asked): WorkloadMaker {
  return maker(`${name}, the service on ${NODES} nodes`, async (title) => {
    const { three, one } = await clusters.enter();
    const readers = await Promise.all(
      [three.location, one.location, await dailyStore(WHOLE)].map((at) => ServiceReader.open(at)),
    );
    const [ours, single, duckdb] = readers as [ServiceReader, ServiceReader, ServiceReader];
    const raw = new Worker<RawScan, RawScanned>(
      new URL('../processes/clickhouse-process.ts', import.meta.url),
    );
    const ask = async (cluster: BenchCluster, reader: ServiceReader) => {
      const used = await withServers(cluster, () => reader.ask({ requests }));
      return { ...used, cpuMs: cpuOf(used) };
    };
    type OnServers = Awaited<ReturnType<typeof ask>>;
    return workload<OnServers>({
      workload: title,
      ...servedBasics(requests.flat().length),
      figures: (_, runs) => cpuFigures('our', runs),
      ours: () => ask(three, ours),
      rivals: [
        rawRival(raw, three, { requests, maxOverhead }),
        rival<Answered, OnServers>({
          rival: 'the service on one node',
          run: () => ask(one, single),
          ownMs: ({ ms }) => ms,
          assertEqual: assertSameTotal,
          figures: (_, runs) => cpuFigures('one node’s', runs),
        }),
        rival<Answered, Answered>({
          rival: 'the service on DuckDB',
          run: () => duckdb.ask({ requests }),
          ownMs: ({ ms }) => ms,
          assertEqual: assertSameTotal,
          figures: (_, runs) => ({ 'DuckDB’s CPU ms': mean(runs.map(cpuOf)) }),
        }),
      ],
      close: async () => {
        await Promise.all([...readers.map((reader) => reader.close()), raw.close()]);
        clusters.leave();
      },
    });
  });
}

function rawRival(
  raw: Worker<RawScan, RawScanned>,
  cluster: BenchCluster,
  { requests, maxOverhead }: Pick<Asked, 'requests' | 'maxOverhead'>,
): Rival<Answered> {
  const scan: RawScan = { hosts: cluster.hosts, database: 'bench', ask: 'latest', queries: requests };
  return rival<Answered, Used<Measured<RawScanned>>>({
    rival: `raw queries, ${NODES} nodes`,
    run: () => withServers(cluster, () => raw.run(scan)),
    ownMs: ({ ms }) => ms,
    assertEqual: assertSameTotal,
    figures: (_, runs) => cpuFigures('raw', runs),
    wanted: maxOverhead === undefined ? undefined : 1 / maxOverhead,
  });
}
