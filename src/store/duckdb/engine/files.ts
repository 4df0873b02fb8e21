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

/** The files open in this process. DuckDB's locks apply only between processes, and opening a file twice damages it. */
const openFiles = new Map<string, 'reading' | 'writing'>();

/** Claims a file until the returned function is called. @throws StoreError if this process already has it open */
export function claimFile(path: string, readOnly: boolean): () => void {
  const openFor = openFiles.get(path);
  if (openFor !== undefined)
    throw new StoreError(
      `${path} is already open for ${openFor} in this process; use that store, or close it before opening it again ` +
        `for ${readOnly ? 'reading' : 'writing'}`,
    );
  openFiles.set(path, readOnly ? 'reading' : 'writing');
  return () => openFiles.delete(path);
}

export function canonicalPath(location: string): string {
  const path = resolve(location);
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}

/** The size of the header pages, which the engine rewrites only at a checkpoint. */
const HEADER_BYTES = 3 * 4096;

/**
 * Detects whether another file's content was copied over an open store. The engine would then mix pages of both files,
 * and crash or return wrong values. Replacing the file by renaming does not affect the open file.
 */
export class FileWatch {
  readonly #path: string;
  /** The file's descriptor. It is closed last, because closing it releases this process's locks on the file. */
  readonly #file: number;
  #header!: Buffer;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'r');
    this.renew();
  }

  /** Accepts the current header as valid. Called after a checkpoint. */
  renew(): void {
    this.#header = this.#readHeader();
  }

  /** Whether the path still refers to the open file. If not, commits would be written to another file's log and lost. */
  get isNamed(): boolean {
    const named = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    const { dev, ino } = fstatSync(this.#file, { bigint: true });
    return named?.ino === ino && named.dev === dev;
  }

  /** An error if something other than the engine has overwritten the file; otherwise null. */
  get problem(): StoreError | null {
    if (this.#readHeader().equals(this.#header)) return null;
    return new StoreError(
      `${this.#path} was overwritten while it was open, and can no longer be read; close it and open it again. ` +
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

/** Checks a store's location. @throws StoreError if the location is a URL, such as the URL of a service */
export function refuseUrl(location: string): void {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(location)) return;
  const shown = location.replace(/\/\/[^/]*@/, '//…@');
  throw new StoreError(
    `${shown}: only clickhouse://… URLs can be opened as a store; otherwise, specify a file path or ":memory:"`,
  );
}

/** Checks that a file exists. @throws StoreError with the name of a similar file and then the advice in `creation` */
export function requireFile(path: string, creation: string): void {
  if (existsSync(path)) return;
  refuseUrl(path);
  const folder = dirname(path);
  const nearest = existsSync(folder) ? nearestWord(basename(path), readdirSync(folder)) : undefined;
  const meant = nearest === undefined ? '.' : `; did you mean ${join(folder, nearest)}?`;
  throw new StoreError(`there is no store at ${path}${meant} ${creation}`);
}

/** Returns the path of a store's write-ahead log, whose commits are not yet merged into the store's file. */
export const logOf = (path: string): string => `${path}.wal`;

export const fileBytes = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

export function freeBytes(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** Removes a store's files. The caller must have the store open, so that no other process writes to these files. */
export function removeStoreFiles(path: string): void {
  const kept = SEARCHABLE_TYPES.map((type) => `${path}.search-${type}`);
  for (const file of [path, logOf(path), ...kept]) rmSync(file, { force: true });
}
