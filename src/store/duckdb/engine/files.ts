import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SEARCHABLE_TYPES } from '../../../model/entity.js';
import { StoreError } from '../../../model/errors.js';
import { nearestWord } from '../../../model/names/edit-distance.js';

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

/** Returns the absolute path of a file with links resolved. The file need not exist. */
export function canonicalPath(location: string): string {
  const path = resolve(location);
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}

/** The pages of a file that the engine rewrites with each checkpoint, and at no other time. */
const HEADER_BYTES = 3 * 4096;

/**
 * Watches the file of an open store: another one may be copied over it, whose pages the engine would confuse with those
 * that it knows, and crash or read other figures. What is moved into its place leaves the open file as it is.
 */
export class FileWatch {
  readonly #path: string;
  /** Closing a file gives up this process's locks on it: it is closed last. */
  readonly #file: number;
  #header!: Buffer;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'r');
    this.renew();
  }

  /** Takes the file as it is, after a checkpoint. */
  renew(): void {
    this.#header = this.#readHeader();
  }

  /**
   * Checks that the file still has its name.
   * @throws StoreError when it does not, because everything written would be lost
   */
  requireNamed(): void {
    const named = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    const { dev, ino } = fstatSync(this.#file, { bigint: true });
    if (named?.ino === ino && named.dev === dev) return;
    throw new StoreError(
      `${this.#path} was replaced or removed while it was open, so nothing was written; close it and try again`,
    );
  }

  /** The error of a file that something else than the engine has written into; null for another. */
  get problem(): StoreError | null {
    if (this.#readHeader().equals(this.#header)) return null;
    return new StoreError(
      `${this.#path} was overwritten while it was open, and is not read any further; close it and open it again. ` +
        'To replace a store, use "cropframe store restore --replace"',
    );
  }

  close(): void {
    closeSync(this.#file);
  }

  #readHeader(): Buffer {
    const header = Buffer.alloc(HEADER_BYTES);
    readSync(this.#file, header, 0, HEADER_BYTES, 0);
    return header;
  }
}

/** @throws StoreError when a location is a URL, such as that of a service */
export function refuseUrl(location: string): void {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(location)) return;
  const shown = location.replace(/\/\/[^/]*@/, '//…@');
  throw new StoreError(
    `${shown}: a store cannot be opened by URL, except clickhouse://…; name a file's path, or ":memory:"`,
  );
}

/** @throws StoreError when there is no file, which names the nearest one of its folder, and how to create it */
export function requireFile(path: string, creation: string): void {
  if (existsSync(path)) return;
  refuseUrl(path);
  const folder = dirname(path);
  const nearest = existsSync(folder) ? nearestWord(basename(path), readdirSync(folder)) : undefined;
  const meant = nearest === undefined ? '.' : `; did you mean ${join(folder, nearest)}?`;
  throw new StoreError(`there is no store at ${path}${meant} ${creation}`);
}

/** Returns the path of a store's write-ahead log: commits that are not yet merged into its file. */
export function logOf(path: string): string {
  return `${path}.wal`;
}

/** Returns the size of a file in bytes, or 0 if it does not exist. */
export function fileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Returns the number of free bytes on the disk of a file, or null if the system does not tell. */
export function freeBytes(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** @throws StoreError when the disk of a file has clearly too little room for something */
export function requireRoom(
  path: string,
  { bytes, what, remedy }: { bytes: number; what: string; remedy: string },
): void {
  const free = freeBytes(path);
  if (free === null || free >= bytes) return;
  const [needed, left] = [Math.ceil(bytes / 1e5), Math.floor(free / 1e5)].map((tenths) =>
    (tenths / 10).toFixed(1),
  );
  throw new StoreError(
    `${what} needs about ${needed} MB or more, and its disk has ${left} MB free; free some space, or ${remedy}`,
  );
}

/**
 * Removes the files of a store that could not be created, and the names that a search cached. The caller still has the
 * file open, because another process could write into it otherwise.
 */
export function removeStoreFiles(path: string): void {
  const kept = SEARCHABLE_TYPES.map((type) => `${path}.search-${type}`);
  for (const file of [path, logOf(path), ...kept]) rmSync(file, { force: true });
}
