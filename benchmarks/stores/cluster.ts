import { importDataset } from '../../src/ingest/import-dataset.js';
import { parseTime } from '../../src/model/time.js';
import { initClickhouseStore } from '../../src/store/clickhouse/open-cluster.js';
import { openStore } from '../../src/store/open.js';
import { Nodes } from '../../test/clickhouse/nodes.js';
import { installOwnPackages } from '../../test/install/own-packages.js';
import { cpuMsOf, resident } from '../usage.js';
import type { Figures } from '../workload.js';
import { type StoreShape, syntheticWeather } from './synthetic-weather.js';

const DATABASE = 'bench';
const IMPORTED = parseTime('2021-01-01', 'import');

/** A store of daily points on ClickHouse servers of this machine, filled by our own import. */
export class BenchCluster {
  readonly #nodes: Nodes;
  /** What the import took, and what came of it. */
  readonly filled: Figures;

  private constructor(nodes: Nodes, filled: Figures) {
    this.#nodes = nodes;
    this.filled = filled;
  }

  static async start(count: number, shape: StoreShape): Promise<BenchCluster> {
    const missing = installOwnPackages('test/clickhouse');
    if (missing !== null) throw new Error(missing);
    const nodes = await Nodes.start(count);
    try {
      await initClickhouseStore(nodes.address(DATABASE));
      const filled = await fill(nodes, shape);
      console.log(`filled ${count} nodes: ${JSON.stringify(filled)}`);
      return new BenchCluster(nodes, filled);
    } catch (error) {
      await nodes.stop();
      throw error;
    }
  }

  get location(): string {
    return this.#nodes.address(DATABASE);
  }

  get hosts(): readonly string[] {
    return this.#nodes.hosts;
  }

  /** Processor time of all servers so far. */
  get cpuMs(): number {
    return this.#sum(cpuMsOf);
  }

  /** Memory of all servers now. */
  get residentMb(): number {
    return Math.round(this.#sum((pid) => resident('VmRSS', pid)) / 1e6);
  }

  close(): Promise<void> {
    return this.#nodes.stop();
  }

  #sum(of: (pid: number) => number): number {
    return this.hosts.reduce((sum, _, i) => sum + of(this.#nodes.pid(i)), 0);
  }
}

/** Imports the points, and merges them as a server does in the course of time. */
async function fill(nodes: Nodes, shape: StoreShape): Promise<Figures> {
  const store = await openStore(nodes.address(DATABASE));
  try {
    const began = performance.now();
    await importDataset(store, syntheticWeather(shape, [0, shape.series]), { importedMs: IMPORTED });
    const seconds = (performance.now() - began) / 1000;
    for (const i of nodes.hosts.keys()) await nodes.query(i, `OPTIMIZE TABLE ${DATABASE}.point FINAL`);
    const bytes = await Promise.all(
      [...nodes.hosts.keys()].map((i) =>
        nodes.query(
          i,
          `SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = '${DATABASE}' AND table = 'point'`,
        ),
      ),
    );
    const sum = bytes.reduce((all, one) => all + Number(one), 0);
    return {
      'import s': Number(seconds.toPrecision(3)),
      'bytes a point': Number((sum / (shape.series * shape.days * shape.share)).toPrecision(3)),
    };
  } finally {
    await store.close();
  }
}
