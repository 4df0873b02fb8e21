import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StoreError } from '../../../model/errors.js';
import { takeLock } from '../../process-lock.js';
import { removeAbandonedFiles, temporaryName } from '../../temporary-files.js';
import { toStoreError } from './errors.js';
import { canonicalPath, logOf } from './files.js';

interface DraftTarget {
  /** The file's path, with symbolic links resolved. */
  readonly path: string;
  readonly name: string;
}

/**
 * Holds a file's lock while running a step that writes the file.
 * @throws StoreError if another process holds the lock
 */
export async function holdPlace<Result>(
  { path, name }: DraftTarget,
  step: () => Promise<Result>,
): Promise<Result> {
  const lock = `${path}.update-lock`;
  const release = await takeLock(lock).catch((error: unknown) => {
    throw toStoreError(error, name, 'writing');
  });
  if (release === null)
    throw new StoreError(
      `${name}: another update, restore, backup or copy is writing to it; wait for that to finish, or remove ${lock} if none is running`,
    );
  try {
    await removeAbandonedFiles(dirname(path));
    return await step();
  } finally {
    await release();
  }
}

/** Calls `step` with a path for a draft in a new folder that only this user can read, and then removes the folder. */
export async function withDraft<Result>(
  { path, name }: DraftTarget,
  step: (draft: string) => Promise<Result>,
): Promise<Result> {
  const folder = `${path}.${temporaryName()}`;
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    throw toStoreError(error, name, 'writing');
  });
  try {
    return await step(join(folder, basename(path)));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Moves a draft to `path`, and gives it the mode and owner of the file that it replaces. A new file gets the owner of
 * `like`, the source of its content, and at most the permissions of `like`. The caller must hold the file's lock.
 */
export function putInPlace(draft: string, path: string, like?: string): void {
  if (existsSync(path)) keepAccess(draft, path);
  else if (like !== undefined) keepAccess(draft, like, statSync(draft).mode);
  syncFile(draft);
  // Otherwise, the engine would apply the log of the replaced store to the new store.
  rmSync(logOf(path), { force: true });
  renameSync(draft, path);
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

interface NewFile {
  readonly to: string;
  /** The file's name in messages. */
  readonly name: string;
  /** The file from which the content comes. */
  readonly like?: string | undefined;
  readonly replace?: boolean | undefined;
}

/**
 * Writes a draft of a store file, and moves it to `to` once it is completely written to disk.
 * @throws StoreError if the file or its log already exists (without `replace`), or if a process has the old file open
 *   for writing; no draft is left behind
 */
export function writeNewFile<Result>(
  { to, name, like, replace = false }: NewFile,
  write: (draft: string) => Promise<Result>,
): Promise<Result> {
  const place = { path: canonicalPath(to), name: to };
  // Another store's log may be next to the file.
  const requireNoStore = () => {
    const present = [to, logOf(to)].find((file) => existsSync(file));
    if (present === undefined || replace) return;
    throw new StoreError(`${present} already exists; specify a different file for ${name}`);
  };
  return holdPlace(place, async () => {
    requireNoStore();
    return withDraft(place, async (draft) => {
      const result = await write(draft);
      // Syncing a large file is slow, so it is done before the check.
      syncFile(draft);
      requireNoStore();
      putInPlace(draft, place.path, like);
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
