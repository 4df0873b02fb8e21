import { quantile } from '../measure.js';
import type { Figures } from '../workload.js';
import type { Reading, ReadingResult } from './reader-process.js';
import { ServedStore, type ServiceUsage } from './served-store.js';
import type { Measured } from './tasks.js';
import { Worker } from './worker.js';

export type Asked = Pick<Reading, 'requests'> & Partial<Reading>;

/** What a process read from the service, what it took, and what the service took. */
export type Answered = Measured<ReadingResult> & { readonly service: ServiceUsage };

/** A served store, and a process that asks it. */
export class ServiceReader {
  readonly #served: ServedStore;
  readonly #worker = new Worker<Reading, ReadingResult>(new URL('./reader-process.ts', import.meta.url));

  private constructor(served: ServedStore) {
    this.#served = served;
  }

  static async open(file: string): Promise<ServiceReader> {
    return new ServiceReader(await ServedStore.start(file));
  }

  async ask(asked: Asked): Promise<Answered> {
    const reading: Reading = { url: this.#served.url, format: 'arrow', readers: 1, ...asked };
    const { answer, service } = await this.#served.during(() => this.#worker.run(reading));
    return { ...answer, service };
  }

  async close(): Promise<void> {
    await this.#worker.close();
    await this.#served.close();
  }
}

/** The spread of the single requests of all runs, and what both processes took. */
export function servedFigures(first: Answered, runs: readonly Answered[]): Figures {
  return {
    ...spreadOf('', runs),
    'CPU ms': medianCpu(runs.map(({ cpuMs, service }) => ({ cpuMs: cpuMs + service.cpuMs }))),
    'service peak MB': Math.round(first.service.peakBytes / 1e6),
    'first run ms': Math.round(first.ms),
  };
}

/** The median processor time of runs. */
export function medianCpu(runs: readonly { readonly cpuMs: number }[]): number {
  return Math.round(
    quantile(
      runs.map(({ cpuMs }) => cpuMs),
      0.5,
    ),
  );
}

/** Median and 99th percentile of the requests of all runs. */
export function spreadOf(
  label: string,
  runs: readonly Measured<{ readonly times: readonly number[] }>[],
): Figures {
  const times = runs.flatMap(({ answer }) => answer.times);
  const ms = (share: number) => Number(quantile(times, share).toPrecision(3));
  return { [`${label}p50 ms`]: ms(0.5), [`${label}p99 ms`]: ms(0.99) };
}
