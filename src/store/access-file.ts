import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StoreError } from '../model/errors.js';
import { takeLock } from './process-lock.js';
import type { StoredToken, StoredUser } from './store.js';

/** Users and tokens, as the file holds them. */
export interface AccessData {
  version: 1;
  users: StoredUser[];
  tokens: StoredToken[];
}

/** Where users and tokens are: in a file, or in memory. */
export interface AccessStorage {
  read(): Promise<AccessData>;
  change<Result>(edit: (data: AccessData) => Result): Promise<Result>;
}

export function emptyAccess(): AccessData {
  return { version: 1, users: [], tokens: [] };
}

const ACCESS_SUFFIX = '.access.json';
const OWNER_ONLY = 0o600;
const LOCK_RETRY_MS = 20;
const MAX_LOCK_WAIT_MS = 10_000;

/**
 * The file of users and tokens. Each change is made under a lock file, written whole beside the file, and replaces it by a
 * rename: whatever fails before that, the file stays as it was.
 */
export class AccessFile implements AccessStorage {
  #cached: { stamp: string; data: AccessData } | null = null;
  #lastChange: Promise<unknown> = Promise.resolve();

  readonly #path: string;

  /** @param store the file of the store, whose owner is that of a new file */
  constructor(store: string) {
    this.#path = `${store}${ACCESS_SUFFIX}`;
  }

  async read(): Promise<AccessData> {
    const stamp = await this.#stamp();
    if (stamp === null) return emptyAccess();
    if (this.#cached?.stamp !== stamp) this.#cached = { stamp, data: await this.#parse() };
    return this.#cached.data;
  }

  change<Result>(edit: (data: AccessData) => Result): Promise<Result> {
    const done = this.#lastChange.then(() => this.#withLock(() => this.#rewrite(edit)));
    this.#lastChange = done.catch(() => undefined);
    return done;
  }

  async #rewrite<Result>(edit: (data: AccessData) => Result): Promise<Result> {
    const data = structuredClone(await this.read());
    const result = edit(data);
    const newFile = `${this.#path}.new`;
    try {
      await this.#write(newFile, `${JSON.stringify(data, null, 2)}\n`);
      await rename(newFile, this.#path);
    } catch (error) {
      await rm(newFile, { force: true }).catch(() => {});
      throw this.#unwritable(error);
    }
    return result;
  }

  /** Only one process writes at a time, so that a file of this name was left by one that died. */
  async #write(newFile: string, text: string): Promise<void> {
    await rm(newFile, { force: true });
    const file = await open(newFile, 'wx', OWNER_ONLY);
    try {
      await file.writeFile(text);
      await this.#keepOwner(file);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** When root changes the file of a service that runs as another user, that user must still be able to read it. */
  async #keepOwner(file: { chown(uid: number, gid: number): Promise<void> }): Promise<void> {
    if (process.getuid?.() !== 0) return;
    const owner = await stat(this.#path)
      .catch(() => stat(this.#path.slice(0, -ACCESS_SUFFIX.length)))
      .catch(() => null);
    if (owner !== null) await file.chown(owner.uid, owner.gid);
  }

  async #withLock<Result>(work: () => Promise<Result>): Promise<Result> {
    const release = await this.#takeLock(`${this.#path}.lock`);
    try {
      return await work();
    } finally {
      await release();
    }
  }

  async #takeLock(lock: string): Promise<() => Promise<void>> {
    await mkdir(dirname(lock), { recursive: true });
    for (let waited = 0; waited < MAX_LOCK_WAIT_MS; waited += LOCK_RETRY_MS) {
      const release = await takeLock(lock).catch((error: unknown) => {
        throw this.#unwritable(error);
      });
      if (release !== null) return release;
      await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
    }
    const problem = 'cannot be written, and is as it was: another process is changing it';
    throw new StoreError(`${this.#path} ${problem}; try again, or remove ${lock} if none is`);
  }

  async #stamp(): Promise<string | null> {
    try {
      const { mtimeMs, size, ino } = await stat(this.#path);
      return `${mtimeMs}/${size}/${ino}`;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw this.#damage('cannot be read', error);
    }
  }

  async #parse(): Promise<AccessData> {
    const text = await readFile(this.#path, 'utf8').catch((error) => {
      throw this.#damage('cannot be read', error);
    });
    try {
      const data = JSON.parse(text) as AccessData;
      if (data.version === 1 && Array.isArray(data.users) && Array.isArray(data.tokens)) return data;
    } catch (error) {
      throw this.#damage('is damaged', error);
    }
    throw this.#damage('does not contain users and tokens of this version', undefined);
  }

  #damage(problem: string, cause: unknown): StoreError {
    const remedy = 'restore it, or remove it and add users and tokens again';
    return new StoreError(`${this.#path} ${problem}; ${remedy}`, { cause });
  }

  #unwritable(cause: unknown): StoreError {
    if (cause instanceof StoreError) return cause;
    const { code = '', message } = cause as NodeJS.ErrnoException;
    const reason = WRITE_REASONS[code] ?? message;
    return new StoreError(`${this.#path} cannot be written, and is as it was: ${reason}`, { cause });
  }
}

/** Why a file cannot be written, by the code of the system's error, and the remedy. */
const WRITE_REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'the quota of the disk is used up; free some space',
  EFBIG: 'the process may not write files of this size; raise its limit (ulimit -f)',
  EACCES: 'permission denied; give this user the right to write into its folder',
  EPERM: 'permission denied; give this user the right to write into its folder',
  EROFS: 'the disk is read-only',
};
