import { outdatedLogins } from '../access.js';
import type { AccessStore, StoredToken } from '../store.js';
import type { Row, Shard } from './engine/shard.js';

/** The rows that are true: the last one of each token. Of two of one moment, that of the revocation. */
const TOKENS = `SELECT * FROM access_token
  ORDER BY changed_us DESC, revoked_ms IS NOT NULL DESC LIMIT 1 BY hash`;

/**
 * Users and tokens in tables of the first server. Rows are only added, and every question is put to the server: all
 * processes see a change at once.
 */
export function openTableAccess(server: Shard): AccessStore {
  const tokens = async (where: string, parameters = {}): Promise<StoredToken[]> => {
    const rows = await server.rows(
      `SELECT * FROM (${TOKENS}) WHERE ${where} ORDER BY created_ms, hash`,
      parameters,
    );
    return rows.map(toToken);
  };
  const putToken = (token: StoredToken) => server.insertRows('access_token', [toRow(token)]);
  return {
    async user(email) {
      const [row] = await server.rows(
        'SELECT * FROM access_user WHERE email = {email:String} ORDER BY changed_us DESC LIMIT 1',
        { email },
      );
      return row === undefined ? null : { email, passwordHash: String(row.password_hash) };
    },
    putUser: ({ email, passwordHash }) =>
      server.insertRows('access_user', [{ email, password_hash: passwordHash }]),
    async userEmails() {
      const rows = await server.rows('SELECT DISTINCT email FROM access_user ORDER BY email');
      return rows.map(({ email }) => String(email));
    },
    async removeUser(email, revokedMs) {
      const [found] = await server.rows('SELECT 1 FROM access_user WHERE email = {email:String} LIMIT 1', {
        email,
      });
      if (found === undefined) return false;
      const valid = await tokens('email = {email:String} AND revoked_ms IS NULL', { email });
      if (valid.length > 0) {
        await server.insertRows(
          'access_token',
          valid.map((token) => toRow({ ...token, revokedMs })),
        );
      }
      await server.run('DELETE FROM access_user WHERE email = {email:String}', { email });
      return true;
    },
    tokens: () => tokens('true'),
    async tokenByHash(hash) {
      const rows = await server.rows(
        `SELECT * FROM access_token WHERE hash = {hash:String}
        ORDER BY changed_us DESC, revoked_ms IS NOT NULL DESC LIMIT 1`,
        { hash },
      );
      return rows.map(toToken)[0] ?? null;
    },
    putToken,
    async putLogin(token) {
      await putToken({ ...token, login: true });
      const outdated = outdatedLogins(await tokens('login'), token);
      if (outdated.length === 0) return;
      await server.run('DELETE FROM access_token WHERE hash IN {hashes:Array(String)}', {
        hashes: outdated.map(({ hash }) => hash),
      });
    },
    async revokeToken(name, revokedMs) {
      const revoked = await tokens('name = {name:String} AND revoked_ms IS NULL', { name });
      if (revoked.length > 0) {
        await server.insertRows(
          'access_token',
          revoked.map((token) => toRow({ ...token, revokedMs })),
        );
      }
      return revoked.length;
    },
  };
}

function toRow(token: StoredToken): Row {
  return {
    hash: token.hash,
    name: token.name,
    email: token.email,
    created_ms: token.createdMs,
    expires_ms: token.expiresMs,
    revoked_ms: token.revokedMs,
    rights: token.rights ?? [],
    login: token.login === true,
  };
}

function toToken(row: Row): StoredToken {
  const rights = row.rights as NonNullable<StoredToken['rights']>;
  return {
    hash: String(row.hash),
    name: String(row.name),
    email: row.email as string | null,
    createdMs: Number(row.created_ms),
    expiresMs: row.expires_ms as number | null,
    revokedMs: row.revoked_ms as number | null,
    ...(rights.length > 0 && { rights }),
    ...(row.login === true && { login: true }),
  };
}
