import { type AccessData, type AccessStorage, accessOver } from '../access.js';
import type { AccessStore } from '../store.js';
import type { Shard } from './engine/shard.js';

/**
 * Users and tokens in a table of the first server. Rows are only added, the last one of a user or a token is true, and every
 * question is put to the server: all processes see a change at once.
 */
export function openTableAccess(server: Shard): AccessStore {
  const storage: AccessStorage = {
    async read(only) {
      // Of two rows of one moment, that of the revocation is true.
      const rows = await server.rows(
        `SELECT kind, json FROM access WHERE ${only === undefined ? 'true' : 'id = {only:String}'}
        ORDER BY changed_us DESC, revoked DESC LIMIT 1 BY id`,
        only === undefined ? {} : { only },
      );
      const ofKind = (kind: string) =>
        rows.filter((row) => row.kind === kind).map(({ json }) => JSON.parse(String(json)) as never);
      return { users: ofKind('user'), tokens: ofKind('token') };
    },
    async change(edit) {
      const data = await storage.read();
      const before = rowsOf(data);
      const result = edit(data);
      const now = rowsOf(data);
      const [items, ids] = [new Set(before.map(({ item }) => item)), new Set(now.map(({ id }) => id))];
      const added = now.filter(({ item }) => !items.has(item));
      const removed = before.flatMap(({ id }) => (ids.has(id) ? [] : [id]));
      if (added.length > 0)
        await server.insertRows(
          'access',
          added.map(({ item, ...row }) => ({ ...row, json: JSON.stringify(item) })),
        );
      if (removed.length > 0)
        await server.run('DELETE FROM access WHERE id IN {removed:Array(String)}', { removed });
      return result;
    },
  };
  return accessOver(storage);
}

function rowsOf({ users, tokens }: AccessData) {
  return [
    ...users.map((item) => ({ kind: 'user', id: item.email, revoked: false, item })),
    ...tokens.map((item) => ({ kind: 'token', id: item.hash, revoked: item.revokedMs !== null, item })),
  ];
}
