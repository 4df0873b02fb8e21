import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** The valid marks of this process. Any other mark with this process id was created by an earlier process. */
const own = new Set<string>();

/** Creates a string that identifies this process (process id, host name, random id) until `unmark` is called. */
export function mark(): string {
  const text = `${process.pid} ${hostname()} ${randomUUID()}`;
  own.add(text);
  return text;
}

export function unmark(text: string): void {
  own.delete(text);
}

/** Checks whether the process that created a mark is still running. A process on another host counts as running. */
export function isMarkAlive(text: string): boolean {
  const [pid, host] = text.split(' ');
  if (host !== undefined && host !== hostname()) return true;
  return Number(pid) === process.pid ? own.has(text) : isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
