import { existsSync } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StoreError } from '../model/errors.js';
import { isSystemError, systemReason } from '../model/file-failure.js';
import { makeFolder } from '../model/make-folder.js';
import { check } from '../model/schema/check.js';
import { TEXT } from '../model/schema/schemas.js';
import { keepAccess } from './duckdb/engine/drafts.js';
import { waitForLock } from './process-lock.js';
import type { AccessStore, StoredToken, StoredUser } from './store.js';

/** The maximum number of valid login tokens per user. If a user has more, the oldest tokens are removed. */
const MAX_LOGINS_OF_USER = 100;

/**
 * Opens a store's users and tokens, which are kept next to the store, in the file `<store>.access.json`. Only the
 * file's owner can read it. Other processes can change it while a service runs, and the service sees changes at once.
 */
export function openAccess(location: string): AccessStore {
  check(TEXT, location, 'location');
  if (location !== ':memory:') return accessOver(new AccessFile(location));
  const data: AccessData = { users: [], tokens: [] };
  return accessOver({ read: async () => data, change: async (edit) => edit(data) });
}

export interface AccessData {
  users: readonly StoredUser[];
  tokens: readonly StoredToken[];
}

export interface AccessStorage {
  /** Reads users and tokens. If `only` is an email or a token hash, all other entries may be omitted. */
  read(only?: string): Promise<AccessData>;
  /** Changes users or tokens. `edit` must replace the lists and entries that it changes, not modify them in place. */
  change<Result>(edit: (data: AccessData) => Result): Promise<Result>;
}

export function accessOver(storage: AccessStorage): AccessStore {
  const putToken = (token: StoredToken) =>
    storage.change((data) => {
      const others = data.tokens.filter(({ hash }) => hash !== token.hash);
      data.tokens = token.login === true ? withLogin(others, token) : [...others, token];
    });
  const revoke = (data: AccessData, isMeant: (token: StoredToken) => boolean, revokedMs: number): number => {
    const revoked = new Set(data.tokens.filter((token) => token.revokedMs === null && isMeant(token)));
    data.tokens = data.tokens.map((token) => (revoked.has(token) ? { ...token, revokedMs } : token));
    return revoked.size;
  };
  return {
    user: async (email) => (await storage.read(email)).users.find((user) => user.email === email) ?? null,
    tokens: async () => [...(await storage.read()).tokens].sort(compareCreation),
    tokenByHash: async (hash) =>
      (await storage.read(hash)).tokens.find((token) => token.hash === hash) ?? null,
    putUser: (user) =>
      storage.change((data) => {
        data.users = [...data.users.filter(({ email }) => email !== user.email), user];
      }),
    userEmails: async () => (await storage.read()).users.map(({ email }) => email).sort(),
    removeUser: (email, revokedMs) =>
      storage.change((data) => {
        const before = data.users.length;
        data.users = data.users.filter((user) => user.email !== email);
        if (data.users.length === before) return false;
        revoke(data, (token) => token.email === email, revokedMs);
        return true;
      }),
    putToken,
    putLogin: (token) => putToken({ ...token, login: true }),
    revokeToken: (name, revokedMs) =>
      storage.change((data) => revoke(data, (token) => token.name === name, revokedMs)),
  };
}

/**
 * Adds a login token. Removes expired and revoked login tokens, and the user's oldest if there are more than 100.
 * Tokens that were not created by a login are kept, so that a list of tokens shows which have expired.
 */
function withLogin(tokens: readonly StoredToken[], added: StoredToken): StoredToken[] {
  const isOver = ({ login, expiresMs, revokedMs }: StoredToken): boolean =>
    login === true && (revokedMs !== null || (expiresMs !== null && expiresMs <= added.createdMs));
  const valid = [...tokens, added].filter((token) => !isOver(token));
  const own = valid.filter(({ login, email }) => login === true && email === added.email);
  const outdated = new Set(own.sort(compareCreation).slice(0, -MAX_LOGINS_OF_USER));
  return valid.filter((token) => !outdated.has(token));
}

function compareCreation(a: StoredToken, b: StoredToken): number {
  return a.createdMs - b.createdMs || (a.hash < b.hash ? -1 : 1);
}

/** Checks whether every entry in a list has a string property `name`. The file may have been edited by hand. */
function hasTexts(list: unknown, name: string): boolean {
  return Array.isArray(list) && list.every((entry) => typeof entry?.[name] === 'string');
}

const EMPTY: AccessData & { readonly version: number } = { version: 1, users: [], tokens: [] };

const OWNER_ONLY = 0o600;

/** Stores users and tokens in a file. A change writes a new file under a lock, so a failed change has no effect. */
class AccessFile implements AccessStorage {
  #cached: { stamp: string; data: typeof EMPTY } | null = null;
  readonly #path: string;
  readonly #store: string;

  /** @param store the path of the store's file. An access file created by root gets the owner of the store's file. */
  constructor(store: string) {
    this.#path = `${store}.access.json`;
    this.#store = store;
  }

  async read(): Promise<typeof EMPTY> {
    const stamp = await this.#stamp();
    if (stamp === null) return EMPTY;
    if (this.#cached?.stamp !== stamp) this.#cached = { stamp, data: await this.#parse() };
    return this.#cached.data;
  }

  async change<Result>(edit: (data: AccessData) => Result): Promise<Result> {
    try {
      await makeFolder(dirname(this.#path));
      const release = await waitForLock(`${this.#path}.lock`);
      if (release !== null) return await this.#rewrite(edit).finally(release);
      throw new StoreError(
        `${this.#path} was left unchanged, because another process is writing to it; try again, ` +
          `or remove ${this.#path}.lock if no such process is running`,
      );
    } catch (cause) {
      if (!isSystemError(cause)) throw cause;
      const reason = systemReason(cause);
      throw new StoreError(`${this.#path} could not be written and was left unchanged: ${reason}`, { cause });
    }
  }

  async #rewrite<Result>(edit: (data: AccessData) => Result): Promise<Result> {
    const data = { ...(await this.read()) };
    const result = edit(data);
    const text = `${JSON.stringify(data, null, 2)}\n`;
    const newFile = `${this.#path}.new`;
    // Only one process writes at a time, so an existing draft was left behind by a process that died.
    await rm(newFile, { force: true });
    try {
      await writeFile(newFile, text, { flag: 'wx', mode: OWNER_ONLY, flush: true });
      // If root changes the file, the service's user must still be able to read it.
      const like = [this.#path, this.#store].find((path) => existsSync(path));
      if (like !== undefined) keepAccess(newFile, like, OWNER_ONLY);
      await rename(newFile, this.#path);
    } catch (error) {
      await rm(newFile, { force: true }).catch(() => {});
      throw error;
    }
    return result;
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

  async #parse(): Promise<typeof EMPTY> {
    const text = await readFile(this.#path, 'utf8').catch((error) => {
      throw this.#damage('cannot be read', error);
    });
    try {
      const data = JSON.parse(text) as typeof EMPTY;
      if (data.version === 1 && hasTexts(data.users, 'email') && hasTexts(data.tokens, 'hash')) return data;
    } catch (error) {
      throw this.#damage('is damaged', error);
    }
    throw this.#damage('does not contain users and tokens in the format of this version', undefined);
  }

  #damage(problem: string, cause: unknown): StoreError {
    const remedy = 'restore it, or remove it and add users and tokens again';
    return new StoreError(`${this.#path} ${problem}; ${remedy}`, { cause });
  }
}
