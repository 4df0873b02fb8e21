import { BenchCluster } from '../stores/cluster.js';
import { WHOLE } from '../stores/daily-store.js';

/** The nodes of the larger cluster. */
export const NODES = 3;

/** Nodes that no workload uses for so long are ended. */
const KEPT_MS = 10_000;

/** The clusters are filled once for the workloads that are run. */
class Clusters {
  #users = 0;
  #ending: NodeJS.Timeout | undefined;
  readonly #started = new Map<number, Promise<BenchCluster>>();

  /** Those with three nodes and with one; `leave` must be called afterwards. */
  async enter(): Promise<{ three: BenchCluster; one: BenchCluster }> {
    this.#users++;
    clearTimeout(this.#ending);
    return { three: await this.#of(NODES), one: await this.#of(1) };
  }

  leave(): void {
    this.#users--;
    if (this.#users > 0) return;
    this.#ending = setTimeout(async () => {
      const started = [...this.#started.values()];
      this.#started.clear();
      for (const cluster of started) await (await cluster).close();
    }, KEPT_MS);
  }

  #of(count: number): Promise<BenchCluster> {
    const started = this.#started.get(count) ?? BenchCluster.start(count, WHOLE);
    this.#started.set(count, started);
    return started;
  }
}

export const clusters = new Clusters();
