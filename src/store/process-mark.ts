import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** The marks of this process. A process before it may have had the same id. */
const own = new Set<string>();

/** A mark for a thing of this process, which counts until `unmark`: the process, the machine, and an id. */
export function mark(): string {
  const text = `${process.pid} ${hostname()} ${randomUUID()}`;
  own.add(text);
  return text;
}

export function unmark(text: string): void {
  own.delete(text);
}

/** Whether the process of a mark runs. One of another machine, or of another container, counts as running. */
export function isMarkAlive(text: string): boolean {
  const [pid, host] = text.split(' ');
  if (host !== undefined && host !== hostname()) return true;
  return Number(pid) === process.pid ? own.has(text) : isRunning(Number(pid));
}

/** Whether a process of this machine runs. */
function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
