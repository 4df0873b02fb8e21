import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../../../model/errors.js';
import type { LongOperation } from '../../../model/progress.js';
import { takeLock } from '../../process-lock.js';
import { toStoreError } from './errors.js';
import { logOf } from './files.js';

/** A file that is written as a whole, under a lock. */
interface Place {
  /** Its path, with symbolic links resolved. */
  readonly path: string;
  /** Its name in messages. */
  readonly name: string;
}

/**
 * Runs a step that writes or replaces a whole file, under a lock. Drafts of killed processes are removed first: only the
 * holder of the lock can have drafts of the file.
 * @param maxWaitMs how long to wait for another process
 * @throws StoreError when another process holds the lock
 */
export async function holdPlace<Result>(
  { path, name, maxWaitMs = 0, signal, onProgress }: Place & LongOperation & { maxWaitMs?: number },
  step: () => Promise<Result>,
): Promise<Result> {
  const lock = lockOf(path);
  const take = () =>
    takeLock(lock).catch((error: unknown) => {
      throw toStoreError(error, name, 'writing');
    });
  let release = await take();
  for (let waitedMs = 0; release === null && waitedMs < maxWaitMs; waitedMs += RETRY_MS) {
    onProgress?.({ label: `waiting for ${lock}`, done: waitedMs / 1000, total: maxWaitMs / 1000, unit: 's' });
    await sleep(RETRY_MS, undefined, { signal }).catch(() => signal?.throwIfAborted());
    release = await take();
  }
  if (release === null)
    throw new StoreError(
      `${name}: another update, restore, backup or copy is writing it; wait until it ends, or remove ${lock} if none is running`,
    );
  try {
    await removeAbandonedDrafts(path);
    return await step();
  } finally {
    await release();
  }
}

const RETRY_MS = 250;

const lockOf = (path: string) => `${path}.update-lock`;

const DRAFT_FOLDER = /^\.[\da-f-]{36}\.draft$/;

/** The log that `replaceStore` sets aside for the earlier store. */
const OLD_LOG = 'old-log';

/**
 * Runs a step with the path of a draft, in a folder that only this user can read, because a draft may be more readable
 * than its file. The folder is removed after the step, with all files that the engine writes beside the draft.
 */
export async function withDraft<Result>(
  { path, name }: Place,
  step: (draft: string) => Promise<Result>,
): Promise<Result> {
  const folder = `${path}.${randomUUID()}.draft`;
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    throw toStoreError(error, name, 'writing');
  });
  try {
    return await step(join(folder, basename(path)));
  } finally {
    await removeDraft(folder, path);
  }
}

/** Removes the drafts of killed processes, unless a process holds the lock of the file or the system refuses. */
export async function sweepDrafts(path: string): Promise<void> {
  if (draftsOf(path).length === 0) return;
  const release = await takeLock(lockOf(path)).catch(() => null);
  if (release === null) return;
  await removeAbandonedDrafts(path).catch(() => {});
  await release();
}

async function removeAbandonedDrafts(path: string): Promise<void> {
  for (const folder of draftsOf(path)) await removeDraft(folder, path);
}

function draftsOf(path: string): string[] {
  const [folder, name] = [dirname(path), basename(path)];
  return readdirSync(folder)
    .filter((found) => found.startsWith(name) && DRAFT_FOLDER.test(found.slice(name.length)))
    .map((found) => join(folder, found));
}

/** Removes a draft. If it has not replaced its store, the store gets its log back. */
async function removeDraft(folder: string, path: string): Promise<void> {
  const oldLog = join(folder, OLD_LOG);
  if (existsSync(join(folder, basename(path))) && existsSync(oldLog)) renameSync(oldLog, logOf(path));
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * Moves a draft to the place of a file, and gives it the mode and owner of that file. A new file has the owner of `like`,
 * and is not readable by anyone who may not read `like`.
 * @param like the file that the content comes from
 * @param replaces whether an existing file is replaced
 * @throws StoreError when the file exists and is not replaced
 */
export function putInPlace(
  draft: string,
  { path, name }: Place,
  { like, replaces }: { readonly like?: string | undefined; readonly replaces: boolean },
): void {
  if (existsSync(path)) keepAccess(draft, path);
  else if (like !== undefined) keepAccess(draft, like, statSync(draft).mode);
  syncFile(draft);
  if (replaces) {
    renameSync(draft, path);
    return;
  }
  try {
    // Unlike renaming, this fails where another process has created the file meanwhile.
    linkSync(draft, path);
    rmSync(draft);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new StoreError(`${name} exists already; name another file`, { cause: error });
    // There are file systems without links.
    renameSync(draft, path);
  }
}

/**
 * Moves a draft to the place of a store, as `putInPlace` does. The log of the earlier store is set aside, so that the
 * engine does not apply it.
 */
export function replaceStore(draft: string, place: Place, how: Parameters<typeof putInPlace>[2]): void {
  const log = logOf(place.path);
  if (existsSync(log)) renameSync(log, join(dirname(draft), OLD_LOG));
  putInPlace(draft, place, how);
}

/**
 * Gives a new file the mode of another one, and when root writes it also the owner, who must still be able to use it.
 * @param mask the permissions that the file may have
 */
export function keepAccess(file: string, like: string, mask = 0o777): void {
  const { mode, uid, gid } = statSync(like);
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
  chmodSync(file, mode & mask & 0o777);
}

/**
 * Writes a new store file, which gets its name once it is complete on disk.
 * @param name the name of the file in messages
 * @param like the file that the content comes from
 * @throws StoreError when the file or its log exists; nothing is left behind then
 */
export function writeNewFile<Result>(
  { path, to, name, like }: { path: string; to: string; name: string; like?: string | undefined },
  write: (draft: string) => Promise<Result>,
): Promise<Result> {
  const place = { path, name: to };
  return holdPlace(place, async () => {
    requireNoStore(path, { to, name });
    return withDraft(place, async (draft) => {
      const result = await write(draft);
      requireNoStore(path, { to, name });
      putInPlace(draft, place, { like, replaces: false });
      return result;
    });
  });
}

/**
 * Refuses to create a store beside the log of another one, which would be taken for its own.
 * @throws StoreError when the file of a new store exists, or its log
 */
function requireNoStore(path: string, { to, name }: { to: string; name: string }): void {
  const present = [path, logOf(path)].find((file) => existsSync(file));
  if (present === undefined) return;
  throw new StoreError(`${present === path ? to : logOf(to)} exists already; name another file for ${name}`);
}

/** Waits until a file that was written is on its disk. */
function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
