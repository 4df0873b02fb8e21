import { existsSync, realpathSync, statSync, unlinkSync } from 'node:fs';
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
