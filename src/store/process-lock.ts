import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMarkAlive, mark, unmark } from './process-mark.js';
import { temporaryName } from './temporary-files.js';

const NEW_FILE = { flag: 'wx', mode: 0o600 };

/** The maximum number of attempts to take a lock whose holder keeps changing. After that, the lock counts as held. */
const MAX_TRIES = 5;

/** Error codes from file systems without hard links, such as FAT. */
const WITHOUT_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'];

/**
 * Creates a lock file that identifies this process. Returns a function that removes the file, or null if a running
 * process holds the lock. If the holder has ended, exactly one of the competing processes takes over the lock.
 */
export async function takeLock(path: string): Promise<(() => Promise<void>) | null> {
  const mine = mark();
  if (await tryToTake(path, mine))
    return async () => {
      await rm(path, { force: true });
      unmark(mine);
    };
  unmark(mine);
  return null;
}

const RETRY_MS = 20;
const MAX_RETRIES = 500;

/** Takes a lock, waiting up to ten seconds for it. @returns null if another process still holds the lock */
export async function waitForLock(path: string): ReturnType<typeof takeLock> {
  for (let tried = 0; ; tried++) {
    const release = await takeLock(path);
    if (release !== null || tried === MAX_RETRIES) return release;
    await sleep(RETRY_MS);
  }
}

async function tryToTake(path: string, mine: string): Promise<boolean> {
  for (let tried = 0; tried < MAX_TRIES; tried++) {
    if (await createWhole(path, mine)) return true;
    const found = await readLock(path);
    if (found === null) continue;
    if (isMarkAlive(found)) return false;
    // A process removes its lock before it invalidates its mark, so a lock that was released after the first read no
    // longer exists.
    if ((await readLock(path)) !== found) continue;
    if (await replaceLeft(path, found, mine)) return true;
  }
  return false;
}

/** Creates a file atomically, if the file system supports links. @returns false if the file already exists */
async function createWhole(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${temporaryName()}`;
  try {
    await writeFile(draft, text, NEW_FILE);
    await link(draft, path).catch((cause: NodeJS.ErrnoException) => {
      if (!WITHOUT_LINKS.includes(cause.code ?? '')) throw cause;
      return writeFile(path, text, NEW_FILE);
    });
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cause;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Replaces the lock of a process that has ended. A process must first take a second lock, named after the text in the
 * first lock. Each lock's text is unique, so a process that has read an outdated text cannot replace a newer lock.
 */
async function replaceLeft(path: string, found: string, mine: string): Promise<boolean> {
  const done = await takeLock(`${path}.${found.replace(/[^\w-]/g, '-').slice(-80)}`);
  if (done === null) return false;
  try {
    if ((await readLock(path)) !== found) return false;
    await rm(path, { force: true });
    return await createWhole(path, mine);
  } finally {
    await done();
  }
}

async function readLock(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return null;
    throw cause;
  });
}
