import { Engine, type Total, type Wanted } from '../stores/engine.js';
import type { Fingerprint } from '../stores/fingerprint.js';
import { serveTasks } from './tasks.js';

/** Series to be read from a file with a table of points, each list in a query of its own. */
export interface Scan {
  readonly file: string;
  readonly queries: readonly Wanted[];
  /** Connections that share the queries; default one. */
  readonly readers?: number | undefined;
  /** Finds out the fastest way of reading the first list, and runs nothing else. */
  readonly prepare?: boolean | undefined;
}

export interface Scanned extends Total {
  /** Milliseconds of each query. */
  readonly times: readonly number[];
  /** Of the first list, once it is prepared. */
  readonly fingerprint: Fingerprint | null;
}

let engines: Engine[] = [];
let fingerprint: Fingerprint | null = null;

serveTasks(scan, (scanned: Omit<Scanned, 'fingerprint'>): Scanned => ({ ...scanned, fingerprint }));

async function scan({ file, queries, readers = 1, prepare = false }: Scan) {
  if (engines.length === 0) engines = await Engine.open(file, readers);
  const scanned = { rows: 0, sum: 0, times: [] as number[] };
  if (prepare) {
    await engines[0]!.prepare(queries[0]!);
    fingerprint = await engines[0]!.fingerprint(queries[0]!);
    return scanned;
  }
  const left = [...queries];
  const read = async (engine: Engine): Promise<void> => {
    for (let wanted = left.shift(); wanted !== undefined; wanted = left.shift()) {
      const began = performance.now();
      const { rows, sum } = await engine.scan(wanted);
      scanned.times.push(performance.now() - began);
      scanned.rows += rows;
      scanned.sum += sum;
    }
  };
  await Promise.all(engines.map(read));
  return scanned;
}
