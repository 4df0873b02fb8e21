import type { BenchCluster } from '../stores/cluster.js';
import type { Figures } from '../workload.js';

/** What a side took, and the servers for it. */
export type Used<Answer> = Answer & { readonly serverCpuMs: number };

/** Does work, and tells what the servers took for it. */
export async function withServers<Answer extends object>(
  cluster: BenchCluster,
  work: () => Promise<Answer>,
): Promise<Used<Answer>> {
  const before = cluster.cpuMs;
  const answer = await work();
  return { ...answer, serverCpuMs: cluster.cpuMs - before };
}

export const mean = (values: readonly number[]) =>
  Math.round(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length));

/** The processor time of runs: of all processes, and of the servers alone. */
export function cpuFigures(label: string, runs: readonly { cpuMs: number; serverCpuMs: number }[]): Figures {
  return {
    [`${label} CPU ms`]: mean(runs.map(({ cpuMs, serverCpuMs }) => cpuMs + serverCpuMs)),
    [`${label} CPU ms of the servers`]: mean(runs.map(({ serverCpuMs }) => serverCpuMs)),
  };
}
