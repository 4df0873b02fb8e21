import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HIERARCHY = '/sys/fs/cgroup/memory';

/** A memory limit as a container has it, for processes that are started in it. */
export interface MemoryCgroup {
  /** Runs a command within the limit. */
  readonly wrapped: (command: readonly string[]) => string[];
  /** How often the kernel killed a process for want of memory. */
  readonly kills: () => number;
  readonly remove: () => void;
}

/** A cgroup with so much memory; null where this process may not make one (it needs root and the memory hierarchy of cgroup v1). */
export function makeMemoryCgroup(mebibytes: number): MemoryCgroup | null {
  const folder = join(HIERARCHY, `cropframe-attack-${process.pid}-${mebibytes}`);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'memory.limit_in_bytes'), String(mebibytes * 2 ** 20));
  } catch {
    return null;
  }
  const enter = `echo $$ > ${folder}/cgroup.procs; exec "$@"`;
  return {
    wrapped: (command) => ['bash', '-c', enter, 'bash', ...command],
    kills: () => Number(/oom_kill (\d+)/.exec(readFileSync(join(folder, 'memory.oom_control'), 'utf8'))![1]),
    remove: () => rmdirSync(folder),
  };
}
