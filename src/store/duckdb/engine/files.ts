import { existsSync, realpathSync, statSync, unlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StoreError } from '../../../model/errors.js';

/**
 * File locks hold between processes only: within one process a second engine on the same file would be let in and
 * damage it. So the files open in this process are listed here.
 */
const openFiles = new Map<string, 'reading' | 'writing'>();

/** Claims a file for this process until the returned function is called. */
export function claimFile(path: string, readOnly: boolean): () => void {
  const held = openFiles.get(path);
  if (held !== undefined) {
    throw new StoreError(
      `${path} is already open for ${held} in this process; share that store, or close it before opening it ` +
        `for ${readOnly ? 'reading' : 'writing'}`,
    );
  }
  openFiles.set(path, readOnly ? 'reading' : 'writing');
  return () => openFiles.delete(path);
}

/** The one absolute path of a store's file, links resolved, whether or not it exists. */
export function canonicalPath(location: string): string {
  const path = resolve(location);
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}

/** A crash at the very moment of creation may leave a file without a byte: it counts as absent. */
export function dropEmptyFile(path: string): void {
  if (existsSync(path) && statSync(path).isFile() && statSync(path).size === 0) unlinkSync(path);
}
