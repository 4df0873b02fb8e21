import { checkText, needed } from '../model/arguments/checks.js';
import { type AccessData, AccessFile, type AccessStorage, emptyAccess } from './access-file.js';
import type { AccessStore, StoredToken } from './store.js';

const MEMORY = ':memory:';

/** The oldest tokens of a user's logins beyond this are removed. */
const MAX_LOGINS_OF_USER = 100;

/**
 * Users and tokens of a store, in a separate file beside it: `<store>.access.json`, readable only by its owner. Unlike the
 * data file, it can be changed by other processes while a service runs, which sees changes at once.
 */
export function openAccess(location: string): AccessStore {
  needed(checkText)(location, 'location');
  const file = location === MEMORY ? memoryAccess() : new AccessFile(location);
  return {
    user: async (email) => (await file.read()).users.find((user) => user.email === email) ?? null,
    tokens: async () => [...(await file.read()).tokens].sort(byCreation),
    tokenByHash: async (hash) => (await file.read()).tokens.find((token) => token.hash === hash) ?? null,
    putUser: (user) =>
      file.change((data) => {
        data.users = [...data.users.filter(({ email }) => email !== user.email), user];
      }),
    putToken: (token) => file.change((data) => put(data, token)),
    putLogin: (token) =>
      file.change((data) => {
        put(data, { ...token, login: true });
        removeOldLogins(data, token);
      }),
    revokeToken: (name, revokedMs) =>
      file.change((data) => {
        const revoked = data.tokens.filter((token) => token.name === name && token.revokedMs === null);
        data.tokens = data.tokens.map((token) => (revoked.includes(token) ? { ...token, revokedMs } : token));
        return revoked.length;
      }),
  };
}

function put(data: AccessData, token: StoredToken): void {
  data.tokens = [...data.tokens.filter(({ hash }) => hash !== token.hash), token];
}

function removeOldLogins(data: AccessData, login: StoredToken): void {
  const old = new Set(outdatedLogins(data.tokens, login));
  data.tokens = data.tokens.filter((token) => !old.has(token));
}

/**
 * The tokens to remove when a user logs in: logins that are over, and the user's oldest beyond 100. Tokens that were
 * created by name stay, so that a list of them shows which have expired.
 */
export function outdatedLogins(
  tokens: readonly StoredToken[],
  { email, createdMs: nowMs }: StoredToken,
): StoredToken[] {
  const logins = tokens.filter(({ login }) => login === true);
  const isOver = ({ expiresMs, revokedMs }: StoredToken): boolean =>
    revokedMs !== null || (expiresMs !== null && expiresMs <= nowMs);
  const valid = logins.filter((token) => token.email === email && !isOver(token)).sort(byCreation);
  return [...logins.filter(isOver), ...valid.slice(0, -MAX_LOGINS_OF_USER)];
}

function byCreation(a: StoredToken, b: StoredToken): number {
  return a.createdMs - b.createdMs || (a.hash < b.hash ? -1 : 1);
}

function memoryAccess(): AccessStorage {
  const data = emptyAccess();
  return { read: async () => data, change: async (edit) => edit(data) };
}
