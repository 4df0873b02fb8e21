import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { AccessStore, StoredToken } from '../store.js';
import type { Engine } from './engine.js';
import type { Row } from './entity-tables.js';
import { storeFailure } from './failure.js';
import { text } from './literals.js';

const TOKEN_FIELDS = `hash, name, email, created_ms::DOUBLE AS created_ms, expires_ms::DOUBLE AS expires_ms,
  revoked_ms::DOUBLE AS revoked_ms`;

/** Users and tokens. Writes run one after the other, each in a transaction of its own, also during an import. */
export function createAccess(engine: Engine): AccessStore {
  let last: Promise<unknown> = Promise.resolve();
  const write = <Result>(change: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> => {
    const done = last.then(() => inTransaction(engine, change));
    last = done.catch(() => {});
    return done;
  };
  return {
    putUser: ({ email, passwordHash }) =>
      write(async (connection) => {
        await connection.run('DELETE FROM access_user WHERE email = ?', [email]);
        await connection.run('INSERT INTO access_user VALUES (?, ?)', [email, passwordHash]);
      }),
    async user(email) {
      const [row] = await engine.rows('SELECT * FROM access_user WHERE email = ?', [text(email)]);
      return row === undefined
        ? null
        : { email: row.email as string, passwordHash: row.password_hash as string };
    },
    putToken: (token) =>
      write(async (connection) => {
        await connection.run('DELETE FROM access_token WHERE hash = ?', [token.hash]);
        await connection.run('INSERT INTO access_token VALUES (?, ?, ?, ?, ?, ?)', tokenRow(token));
      }),
    async tokenByHash(hash) {
      const sql = `SELECT ${TOKEN_FIELDS} FROM access_token WHERE hash = ?`;
      const [row] = await engine.rows(sql, [text(hash)]);
      return row === undefined ? null : storedToken(row);
    },
    async tokens() {
      const rows = await engine.rows(`SELECT ${TOKEN_FIELDS} FROM access_token ORDER BY created_ms, hash`);
      return rows.map(storedToken);
    },
    revokeToken: (name, revokedMs) =>
      write(async (connection) => {
        const sql = 'UPDATE access_token SET revoked_ms = ? WHERE name = ? AND revoked_ms IS NULL';
        return (await connection.run(sql, [BigInt(Math.trunc(revokedMs)), name])).rowsChanged;
      }),
  };
}

async function inTransaction<Result>(
  engine: Engine,
  change: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await engine.connect();
  try {
    await connection.run('BEGIN TRANSACTION');
    const result = await change(connection);
    await connection.run('COMMIT');
    return result;
  } catch (error) {
    throw storeFailure(error, engine.location, 'writing to users and tokens');
  } finally {
    connection.disconnectSync();
  }
}

function tokenRow({ hash, name, email, createdMs, expiresMs, revokedMs }: StoredToken): DuckDBValue[] {
  const time = (ms: number | null) => (ms === null ? null : BigInt(Math.trunc(ms)));
  return [hash, name, email, time(createdMs), time(expiresMs), time(revokedMs)];
}

function storedToken(row: Row): StoredToken {
  return {
    hash: row.hash as string,
    name: row.name as string,
    email: row.email as string | null,
    createdMs: row.created_ms as number,
    expiresMs: row.expires_ms as number | null,
    revokedMs: row.revoked_ms as number | null,
  };
}
