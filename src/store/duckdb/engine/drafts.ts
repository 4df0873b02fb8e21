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
import { StoreError } from '../../../model/errors.js';
import type { LongOperation } from '../../../model/progress.js';
import { takeLock, waitForLock } from '../../process-lock.js';
import { toStoreError } from './errors.js';
import { canonicalPath, logOf } from './files.js';

interface DraftTarget {
  /** The file's path, with symbolic links resolved. */
  readonly path: string;
  readonly name: string;
}

/**
 * Runs a step that writes a file while holding the file's lock. Only the holder can have drafts (temporary versions).
 * @throws StoreError if another process still holds the lock after `maxWaitMs`
 */
export async function holdPlace<Result>(
  { path, name, maxWaitMs = 0, signal, onProgress }: DraftTarget & LongOperation & { maxWaitMs?: number },
  step: () => Promise<Result>,
): Promise<Result> {
  const lock = lockOf(path);
  const onWait = (waitedMs: number) =>
    onProgress?.({ label: `waiting for ${lock}`, done: waitedMs / 1000, total: maxWaitMs / 1000, unit: 's' });
  const waiting = waitForLock(lock, { maxWaitMs, retryMs: RETRY_MS, signal, onWait });
  const release = await waiting.catch((error: unknown) => {
    signal?.throwIfAborted();
    throw toStoreError(error, name, 'writing');
  });
  if (release === null)
    throw new StoreError(
      `${name}: another update, restore, backup or copy is writing to it; wait for that to finish, or remove ${lock} if none is running`,
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

/** The file name under which the log of a replaced store is set aside, so that it is not applied to the new store. */
const OLD_LOG = 'old-log';

/** Runs a step with a draft in a new folder that only this user can read, and then removes the folder. */
export async function withDraft<Result>(
  { path, name }: DraftTarget,
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

/** Removes drafts left behind by killed processes, unless a process holds the file's lock. Failures are ignored. */
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

/** Removes a draft. If the draft has not replaced its store, the log that was set aside is moved back to the store. */
async function removeDraft(folder: string, path: string): Promise<void> {
  const oldLog = join(folder, OLD_LOG);
  if (existsSync(join(folder, basename(path))) && existsSync(oldLog)) renameSync(oldLog, logOf(path));
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * Moves a draft to its path, and gives it the mode and owner of the file that it replaces. A new file gets the owner of
 * `like`, from which its content comes, and at most the permissions of `like`.
 */
export function putInPlace(
  draft: string,
  { path, name }: DraftTarget,
  { like, replaces }: { readonly like?: string | undefined; readonly replaces: boolean },
): void {
  if (existsSync(path)) keepAccess(draft, path);
  else if (like !== undefined) keepAccess(draft, like, statSync(draft).mode);
  syncFile(draft);
  if (replaces) {
    const log = logOf(path);
    if (existsSync(log)) renameSync(log, join(dirname(draft), OLD_LOG));
    renameSync(draft, path);
    return;
  }
  try {
    // Unlike a rename, this fails if another process has created the file meanwhile.
    linkSync(draft, path);
    rmSync(draft);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new StoreError(`${name} already exists; specify a different file`, { cause: error });
    // Some file systems have no hard links.
    renameSync(draft, path);
  }
}

/**
 * Gives a file the mode of `like`, without permissions outside `mask`. If this process runs as root, the file also gets
 * the owner of `like`, who must still be able to use the file.
 */
export function keepAccess(file: string, like: string, mask = 0o777): void {
  const { mode, uid, gid } = statSync(like);
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
  chmodSync(file, mode & mask & 0o777);
}

/**
 * Writes a draft of a new store file, and moves it to `to` once it is completely written to disk.
 * @throws StoreError, which calls the file `name`, if the file or its log already exists; no draft is left behind
 */
export function writeNewFile<Result>(
  { to, name, like }: { to: string; name: string; like?: string | undefined },
  write: (draft: string) => Promise<Result>,
): Promise<Result> {
  const place = { path: canonicalPath(to), name: to };
  // A log of another store may be next to the file. The engine would apply it to the new store.
  const requireNoStore = () => {
    const present = [to, logOf(to)].find((file) => existsSync(file));
    if (present === undefined) return;
    throw new StoreError(`${present} already exists; specify a different file for ${name}`);
  };
  return holdPlace(place, async () => {
    requireNoStore();
    return withDraft(place, async (draft) => {
      const result = await write(draft);
      requireNoStore();
      putInPlace(draft, place, { like, replaces: false });
      return result;
    });
  });
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
