import { readFileSync, writeFileSync } from 'node:fs';

/** A process: this one, or another by its id. */
export type ProcessId = number | 'self';

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** The process's resident memory in bytes, now or at its peak; 0 where the system does not tell it. */
export function resident(field: 'VmRSS' | 'VmHWM', id: ProcessId = 'self'): number {
  try {
    const line = readFileSync(`/proc/${id}/status`, 'utf8').match(new RegExp(`${field}:\\s+(\\d+) kB`));
    return Number(line?.[1] ?? 0) * 1024;
  } catch {
    return id === 'self' ? process.memoryUsage().rss : 0;
  }
}

/** Linux only; elsewhere the peak is what is held after the run. */
export function resetPeak(id: ProcessId = 'self'): void {
  try {
    writeFileSync(`/proc/${id}/clear_refs`, '5');
  } catch {
    return;
  }
}

/** Processor time of another process with all its threads, in milliseconds; 0 where the system does not tell it. */
export function cpuMsOf(id: number): number {
  try {
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}
