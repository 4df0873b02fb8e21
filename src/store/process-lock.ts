import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { isMarkAlive, mark, unmark } from './process-mark.js';
import { temporaryName } from './temporary-files.js';

/** Only the owner may read it. */
const NEW_FILE = { flag: 'wx', mode: 0o600 };

/** The lock changes hands while it is looked at; more often than this, somebody else has it. */
const MAX_TRIES = 5;

/** The errors of file systems without hard links, such as FAT. */
const WITHOUT_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'];

/**
 * Creates a file that says which process has it, and returns a function that removes it; null when another process that
 * runs has it. The lock of a process that has ended is taken over, by one of all that try.
 */
export async function takeLock(path: string): Promise<(() => Promise<void>) | null> {
  const mine = mark();
  let isTaken = false;
  try {
    isTaken = await tryToTake(path, mine);
  } finally {
    if (!isTaken) unmark(mine);
  }
  if (!isTaken) return null;
  return async () => {
    await rm(path, { force: true });
    unmark(mine);
  };
}

async function tryToTake(path: string, mine: string): Promise<boolean> {
  for (let tried = 0; tried < MAX_TRIES; tried++) {
    if (await createWhole(path, mine)) return true;
    const found = await readLock(path);
    if (found === null) continue;
    if (isMarkAlive(found)) return false;
    // A lock is removed before its mark ends: one that was given back since it was read is not there any more.
    if ((await readLock(path)) !== found) continue;
    if (await replaceLeft(path, found, mine)) return true;
  }
  return false;
}

/** Creates the file with its content in one step: nobody reads half of it. @returns false where it exists */
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
 * Replaces the lock that a process left when it ended. Whoever does holds a lock on that very lock, whose text no later one
 * has: a process that read the text before the replacement finds another one after it, and replaces nothing.
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
