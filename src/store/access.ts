import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StoreError } from '../model/errors.js';
import type { AccessStore, StoredToken, StoredUser } from './store.js';

/** Users and tokens as they stand in the file. */
interface AccessData {
  version: 1;
  users: StoredUser[];
  tokens: StoredToken[];
}

const MEMORY = ':memory:';

/**
 * Users and tokens of a store, in a file of their own beside it (`<store>.access.json`, readable by its owner alone).
 * They can be changed while a service runs on the store, which sees the change at once; the data file takes one
 * process at a time. Several processes may write: each change is made whole under a lock and put in place by a rename.
 */
export function openAccess(location: string): AccessStore {
  const file = location === MEMORY ? inMemory() : new AccessFile(`${location}.access.json`);
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

interface AccessHolder {
  read(): Promise<AccessData>;
  change<Result>(edit: (data: AccessData) => Result): Promise<Result>;
}

function inMemory(): AccessHolder {
  const data = emptyAccess();
  return { read: async () => data, change: async (edit) => edit(data) };
}

function emptyAccess(): AccessData {
  return { version: 1, users: [], tokens: [] };
}

const LOCK_WAIT_MS = 20;
const LONGEST_WAIT_MS = 10_000;

class AccessFile implements AccessHolder {
  #known: { stamp: string; data: AccessData } | null = null;
  #last: Promise<unknown> = Promise.resolve();

  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async read(): Promise<AccessData> {
    const stamp = await this.#stamp();
    if (stamp === null) return emptyAccess();
    if (this.#known?.stamp !== stamp) this.#known = { stamp, data: await this.#parse() };
    return this.#known.data;
  }

  change<Result>(edit: (data: AccessData) => Result): Promise<Result> {
    const done = this.#last.then(() => this.#locked(() => this.#rewrite(edit)));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #rewrite<Result>(edit: (data: AccessData) => Result): Promise<Result> {
    const data = structuredClone(await this.read());
    const result = edit(data);
    const whole = `${this.#path}.${process.pid}.new`;
    await writeFile(whole, `${JSON.stringify(data, null, 2)}\n`, { mode: 0o600 });
    await rename(whole, this.#path);
    return result;
  }

  async #locked<Result>(step: () => Promise<Result>): Promise<Result> {
    const lock = `${this.#path}.lock`;
    await this.#takeLock(lock);
    try {
      return await step();
    } finally {
      await rm(lock, { force: true });
    }
  }

  /** A lock that outlives the longest wait was left by a process that died. */
  async #takeLock(lock: string): Promise<void> {
    await mkdir(dirname(lock), { recursive: true });
    for (let waited = 0; ; waited += LOCK_WAIT_MS) {
      try {
        await (await open(lock, 'wx')).close();
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
          throw this.#failure('cannot be written', error);
      }
      if (waited >= LONGEST_WAIT_MS) await rm(lock, { force: true });
      await new Promise((resolve) => setTimeout(resolve, LOCK_WAIT_MS));
    }
  }

  async #stamp(): Promise<string | null> {
    try {
      const { mtimeMs, size, ino } = await stat(this.#path);
      return `${mtimeMs}/${size}/${ino}`;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw this.#failure('cannot be read', error);
    }
  }

  async #parse(): Promise<AccessData> {
    const text = await readFile(this.#path, 'utf8').catch((error) => {
      throw this.#failure('cannot be read', error);
    });
    try {
      const data = JSON.parse(text) as AccessData;
      if (data.version === 1 && Array.isArray(data.users) && Array.isArray(data.tokens)) return data;
    } catch (error) {
      throw this.#failure('is damaged', error);
    }
    throw this.#failure('is not a file of users and tokens of this version', undefined);
  }

  #failure(what: string, cause: unknown): StoreError {
    const remedy = 'restore it, or remove it and add users and tokens anew';
    return new StoreError(`${this.#path} ${what}; ${remedy}`, { cause });
  }
}
