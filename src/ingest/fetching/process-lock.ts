import { readFile, rm, stat, writeFile } from 'node:fs/promises';

/**
 * Creates a file that holds the id of this process, and returns a function that removes it; null when another process that
 * runs has it. The lock of a process that has ended is taken over.
 */
export async function takeLock(path: string): Promise<(() => Promise<void>) | null> {
  for (let tried = 0; tried < 2; tried++) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx', mode: 0o600 });
      return () => rm(path, { force: true });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
      if (await isHeld(path)) return null;
      await rm(path, { force: true });
    }
  }
  return null;
}

/** The time that a process has to write its id into its lock, in milliseconds. */
const MAX_WRITING_MS = 10_000;

async function isHeld(path: string): Promise<boolean> {
  const owner = await readFile(path, 'utf8').catch(() => null);
  if (owner === null) return false;
  if (owner !== '') return isRunning(Number(owner));
  const found = await stat(path).catch(() => null);
  return found !== null && Math.abs(Date.now() - found.mtimeMs) < MAX_WRITING_MS;
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
