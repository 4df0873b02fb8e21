import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StoreError } from '../../../model/errors.js';

/**
 * The files open in this process. DuckDB's file locks work between processes only: opening a file twice in one process
 * would succeed and damage it.
 */
const openFiles = new Map<string, 'reading' | 'writing'>();

/** Claims a file for this process until the returned function is called. */
export function claimFile(path: string, readOnly: boolean): () => void {
  const openFor = openFiles.get(path);
  if (openFor !== undefined) {
    throw new StoreError(
      `${path} is already open for ${openFor} in this process; share that store, or close it before opening it ` +
        `for ${readOnly ? 'reading' : 'writing'}`,
    );
  }
  openFiles.set(path, readOnly ? 'reading' : 'writing');
  return () => openFiles.delete(path);
}

/** The absolute path of a file with links resolved; the file need not exist. */
export function canonicalPath(location: string): string {
  const path = resolve(location);
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}

/** Deletes an empty file, which a crash during creation can leave behind and which is not a valid database. */
export function dropEmptyFile(path: string): void {
  if (existsSync(path) && statSync(path).isFile() && statSync(path).size === 0) unlinkSync(path);
}

/** The log of a store's file: what is committed and not yet folded into it. */
export function logOf(path: string): string {
  return `${path}.wal`;
}

/**
 * A log without its store would be taken for the log of the new one.
 * @throws StoreError when the file of a new store exists, or its log
 */
export function requireNoStore(path: string, { to, name }: { to: string; name: string }): void {
  const present = [path, logOf(path)].find((file) => existsSync(file));
  if (present === undefined) return;
  throw new StoreError(`${present === path ? to : logOf(to)} exists already; name another file for ${name}`);
}

/** Length of a file; 0 when it does not exist. */
export function fileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Bytes that may still be written to the disk of a file; null where the system does not say. */
export function freeBytes(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** Removes the files of a store that could not be created, or restored. */
export function removeStoreFiles(path: string): void {
  for (const file of [path, logOf(path), `${path}.tmp`]) rmSync(file, { recursive: true, force: true });
}

/** Waits until a file that was written is on its disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
