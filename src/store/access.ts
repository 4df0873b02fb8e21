import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkText, needed } from '../model/arguments/checks.js';
import { StoreError } from '../model/errors.js';
import type { AccessStore, StoredToken, StoredUser } from './store.js';

/** The content of the file. */
interface AccessData {
  version: 1;
  users: StoredUser[];
  tokens: StoredToken[];
}

const MEMORY = ':memory:';

/**
 * Users and tokens of a store, in a separate file beside it: `<store>.access.json`, readable only by its owner. Unlike the
 * data file, it can be changed by other processes while a service runs, which sees changes at once. Each change is made
 * under a lock file and replaces the file by a rename.
 */
export function openAccess(location: string): AccessStore {
  needed(checkText)(location, 'location');
  const file = location === MEMORY ? memoryAccess() : new AccessFile(`${location}.access.json`);
  return {
    user: async (email) => (await file.read()).users.find((user) => user.email === email) ?? null,
    tokens: async () => [...(await file.read()).tokens].sort(byCreation),
    tokenByHash: async (hash) => (await file.read()).tokens.find((token) => token.hash === hash) ?? null,
    putUser: (user) =>
      file.change((data) => {
        data.users = [...data.users.filter(({ email }) => email !== user.email), user];
      }),
    putToken: (token) =>
      file.change((data) => {
        data.tokens = [...data.tokens.filter(({ hash }) => hash !== token.hash), token];
      }),
    revokeToken: (name, revokedMs) =>
      file.change((data) => {
        const revoked = data.tokens.filter((token) => token.name === name && token.revokedMs === null);
        data.tokens = data.tokens.map((token) => (revoked.includes(token) ? { ...token, revokedMs } : token));
        return revoked.length;
      }),
  };
}

function byCreation(a: StoredToken, b: StoredToken): number {
  return a.createdMs - b.createdMs || (a.hash < b.hash ? -1 : 1);
}

interface AccessStorage {
  read(): Promise<AccessData>;
  change<Result>(edit: (data: AccessData) => Result): Promise<Result>;
}

function memoryAccess(): AccessStorage {
  const data = emptyAccess();
  return { read: async () => data, change: async (edit) => edit(data) };
}

function emptyAccess(): AccessData {
  return { version: 1, users: [], tokens: [] };
}

const LOCK_RETRY_MS = 20;
const MAX_LOCK_WAIT_MS = 10_000;

class AccessFile implements AccessStorage {
  #cached: { stamp: string; data: AccessData } | null = null;
  #lastChange: Promise<unknown> = Promise.resolve();

  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
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
    const newFile = `${this.#path}.${process.pid}.new`;
    await writeFile(newFile, `${JSON.stringify(data, null, 2)}\n`, { mode: 0o600 });
    await rename(newFile, this.#path);
    return result;
  }

  async #withLock<Result>(work: () => Promise<Result>): Promise<Result> {
    const lock = `${this.#path}.lock`;
    await this.#acquireLock(lock);
    try {
      return await work();
    } finally {
      await rm(lock, { force: true });
    }
  }

  /** A lock that is still there after the maximum wait was left by a process that died. It is removed. */
  async #acquireLock(lock: string): Promise<void> {
    await mkdir(dirname(lock), { recursive: true });
    for (let waited = 0; ; waited += LOCK_RETRY_MS) {
      try {
        await (await open(lock, 'wx')).close();
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw this.#error('cannot be written', error);
      }
      if (waited >= MAX_LOCK_WAIT_MS) await rm(lock, { force: true });
      await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
    }
  }

  async #stamp(): Promise<string | null> {
    try {
      const { mtimeMs, size, ino } = await stat(this.#path);
      return `${mtimeMs}/${size}/${ino}`;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw this.#error('cannot be read', error);
    }
  }

  async #parse(): Promise<AccessData> {
    const text = await readFile(this.#path, 'utf8').catch((error) => {
      throw this.#error('cannot be read', error);
    });
    try {
      const data = JSON.parse(text) as AccessData;
      if (data.version === 1 && Array.isArray(data.users) && Array.isArray(data.tokens)) return data;
    } catch (error) {
      throw this.#error('is damaged', error);
    }
    throw this.#error('does not contain users and tokens of this version', undefined);
  }

  #error(problem: string, cause: unknown): StoreError {
    const remedy = 'restore it, or remove it and add users and tokens again';
    return new StoreError(`${this.#path} ${problem}; ${remedy}`, { cause });
  }
}
