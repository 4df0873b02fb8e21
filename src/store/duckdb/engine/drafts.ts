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

/** A file that is written as a whole. */
interface Place {
  /** Its path, with links resolved. */
  readonly path: string;
  /** Its name in messages. */
  readonly name: string;
}

/**
 * Runs a step that writes a whole file, or puts another one in its place, while no other process does. What killed processes
 * left of such steps is removed first, because only the holder of the lock has drafts of the file.
 * @param maxWaitMs how long another process may take to end
 * @throws StoreError when another process writes the file as a whole
 */
export async function holdPlace<Result>(
  { path, name, maxWaitMs = 0, signal, onProgress }: Place & LongOperation & { maxWaitMs?: number },
  step: () => Promise<Result>,
): Promise<Result> {
  const lock = `${path}.update-lock`;
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
      `${name}: another update, restore, backup or copy writes it; wait until that has ended (or remove ${lock} if none runs)`,
    );
  try {
    await removeLeft(path);
    return await step();
  } finally {
    await release();
  }
}

const RETRY_MS = 250;

/** The work that a draft is for. */
type DraftKind = 'update' | 'restore' | 'new';

const DRAFT_FOLDER = /^\.[\da-f-]{36}\.(update|restore|new)$/;

/** The log that `replaceStore` takes from an earlier store. */
const OLD_LOG = 'old-log';

/**
 * Runs a step with the path of a draft of a file, in a folder that only this user may read: a draft may be more readable than
 * its file. The folder is removed after the step, with all that the engine writes beside the draft.
 */
export async function withDraft<Result>(
  { path, name, kind }: Place & { readonly kind: DraftKind },
  step: (draft: string) => Promise<Result>,
): Promise<Result> {
  const folder = `${path}.${randomUUID()}.${kind}`;
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    throw toStoreError(error, name, 'writing');
  });
  try {
    return await step(join(folder, basename(path)));
  } finally {
    await removeDraft(folder, path);
  }
}

/** Removes the drafts of processes that were killed. */
async function removeLeft(path: string): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)];
  for (const found of readdirSync(folder))
    if (found.startsWith(name) && DRAFT_FOLDER.test(found.slice(name.length)))
      await removeDraft(join(folder, found), path);
}

/** Removes a draft. Where it has not replaced its store, that store gets its log back. */
async function removeDraft(folder: string, path: string): Promise<void> {
  const oldLog = join(folder, OLD_LOG);
  if (existsSync(join(folder, basename(path))) && existsSync(oldLog)) renameSync(oldLog, logOf(path));
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * Puts a draft in the place of a file, whose mode and owner it takes. A file that did not exist is readable for nobody who may
 * not read `like`.
 * @param like the file that the content comes from
 * @param replaces whether a file that exists is replaced
 * @throws StoreError when the file exists and is not replaced
 */
export function putInPlace(
  draft: string,
  { path, name }: Place,
  { like, replaces }: { readonly like?: string | undefined; readonly replaces: boolean },
): void {
  if (existsSync(path)) keepAccess(draft, path);
  else if (like !== undefined) chmodSync(draft, statSync(draft).mode & statSync(like).mode & 0o777);
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

/** Puts a draft in the place of a store, as `putInPlace` does. The log of the earlier store must not become its log. */
export function replaceStore(draft: string, place: Place, how: Parameters<typeof putInPlace>[2]): void {
  const log = logOf(place.path);
  if (existsSync(log)) renameSync(log, join(dirname(draft), OLD_LOG));
  putInPlace(draft, place, how);
}

/** Gives a new file the mode of another one, and its owner when root writes it: the owner must still be able to use it. */
export function keepAccess(file: string, like: string): void {
  const { mode, uid, gid } = statSync(like);
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
  chmodSync(file, mode & 0o777);
}

/**
 * Writes a new file of a store, which gets its name when it is on its disk.
 * @param name what the file is, for people
 * @param like the file that the content comes from
 * @throws StoreError when the file exists, or its log; nothing is left behind then
 */
export function writeNewFile<Result>(
  { path, to, name, like }: { path: string; to: string; name: string; like?: string | undefined },
  write: (draft: string) => Promise<Result>,
): Promise<Result> {
  const place = { path, name: to };
  return holdPlace(place, async () => {
    requireNoStore(path, { to, name });
    return withDraft({ ...place, kind: 'new' }, async (draft) => {
      const result = await write(draft);
      requireNoStore(path, { to, name });
      putInPlace(draft, place, { like, replaces: false });
      return result;
    });
  });
}

/**
 * A log without its store would be taken for the log of the new one.
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
