import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store, StoredToken } from '../../../src/store/store.js';
import type { OpenEmptyStore } from './sample-data.js';

export function describeAccess(open: OpenEmptyStore): void {
  describe('access', () => {
    let store: Store;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.close());

    const token = (hash: string, name: string): StoredToken => ({
      hash,
      name,
      email: null,
      createdMs: 1_700_000_000_123,
      expiresMs: null,
      revokedMs: null,
    });

    it('lists users, and removes one with the tokens', async () => {
      for (const email of ['b@x', 'a@x', 'b@x']) await store.access.putUser({ email, passwordHash: 'h' });
      await store.access.putToken({ ...token('aa', 'of b'), email: 'b@x' });
      await store.access.putToken({ ...token('bb', 'of a'), email: 'a@x' });
      expect(await store.access.userEmails()).toEqual(['a@x', 'b@x']);
      expect(await store.access.removeUser('b@x', 1_750_000_000_000)).toBe(true);
      expect(await store.access.removeUser('b@x', 1_750_000_000_000)).toBe(false);
      expect(await store.access.userEmails()).toEqual(['a@x']);
      expect(await store.access.user('b@x')).toBeNull();
      expect((await store.access.tokens()).map(({ revokedMs }) => revokedMs)).toEqual([
        1_750_000_000_000,
        null,
      ]);
    });

    it('stores users; storing one again replaces the password', async () => {
      expect(await store.access.user('a@b.example')).toBeNull();
      for (const passwordHash of ['one', "two' --", 'one']) {
        await store.access.putUser({ email: 'a@b.example', passwordHash });
        expect(await store.access.user('a@b.example')).toEqual({ email: 'a@b.example', passwordHash });
      }
    });

    it('stores tokens by hash and revokes them by name', async () => {
      await store.access.putToken(token('d1', 'laptop'));
      await store.access.putToken({
        ...token('d2', 'laptop'),
        email: 'a@b.example',
        expiresMs: 1_800_000_000_000,
      });
      await store.access.putToken(token('d3', 'server'));
      expect(await store.access.tokenByHash('d2')).toMatchObject({
        email: 'a@b.example',
        expiresMs: 1_800_000_000_000,
      });
      expect(await store.access.tokenByHash('zz')).toBeNull();
      expect(await store.access.revokeToken('laptop', 1_750_000_000_000)).toBe(2);
      expect(await store.access.revokeToken('laptop', 1_760_000_000_000)).toBe(0);
      const tokens = (await store.access.tokens()).filter(({ hash }) => hash.startsWith('d'));
      expect(tokens.map(({ hash, revokedMs }) => [hash, revokedMs])).toEqual([
        ['d1', 1_750_000_000_000],
        ['d2', 1_750_000_000_000],
        ['d3', null],
      ]);
    });

    it('removes logins that are over and the oldest of a user beyond 100, but no token created by name', async () => {
      const login = (i: number, more: Partial<StoredToken> = {}) =>
        store.access.putLogin({
          ...token(`login-${i}`, 'login'),
          ...{ email: 'many@b', createdMs: 1000 + i, expiresMs: 10_000, ...more },
        });
      const logins = async () => {
        const hashes = (await store.access.tokens()).map(({ hash }) => hash);
        expect(hashes).toContain('named');
        return hashes.filter((hash) => hash.startsWith('login-'));
      };
      await store.access.putToken({ ...token('named', 'named'), expiresMs: 5 });
      for (let i = 0; i < 101; i++) await login(i);
      await login(200, { email: 'other@b' });
      await login(201);
      expect(await logins()).toHaveLength(101);
      expect(await logins()).not.toContain('login-1');
      expect(await logins()).toContain('login-2');
      await store.access.revokeToken('login', 2_000);
      await login(202);
      expect(await logins()).toEqual(['login-202']);
      await login(300, { createdMs: 20_000, expiresMs: 30_000 });
      expect(await logins()).toEqual(['login-300']);
    });

    it('is written at once, also during an import, and is not part of the import', async () => {
      const transaction = await store.begin();
      await Promise.all(['x', 'y', 'z'].map((hash) => store.access.putToken(token(hash, 'n'))));
      await transaction.rollback();
      const hashes = (await store.access.tokens()).map(({ hash }) => hash);
      expect(hashes).toEqual(expect.arrayContaining(['x', 'y', 'z']));
    });
  });
}
