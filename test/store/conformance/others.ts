import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IdRedirect, Store, StoredToken } from '../../../src/store/store.js';
import { importVintages, type OpenEmpty } from './world.js';

export function describeOthers(open: OpenEmpty): void {
  let store: Store;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  describe('shapes', () => {
    it('come in the wanted detail, or in the only one there is', async () => {
      await importVintages(store, []);
      const transaction = await store.begin();
      await transaction.putShapes([
        { region_id: 21, detail: 'full', geojson: '{"old":1}' },
        { region_id: 21, detail: 'simple', geojson: '{"s":1}' },
        { region_id: 22, detail: 'full', geojson: '{"f":2}' },
        { region_id: 21, detail: 'full', geojson: '{"f":1}' },
      ]);
      await transaction.commit();
      expect(await store.shapes([22, 21, 99], 'full')).toEqual([
        { region_id: 21, geojson: '{"f":1}' },
        { region_id: 22, geojson: '{"f":2}' },
      ]);
      expect(await store.shapes([21, 22], 'simple')).toEqual([
        { region_id: 21, geojson: '{"s":1}' },
        { region_id: 22, geojson: '{"f":2}' },
      ]);
    });
  });

  describe('moved ids', () => {
    it('are kept by field, old id and source, the last word counting', async () => {
      const move = (newId: number, sourceId: number | null): IdRedirect => ({
        field: 'metric_id',
        oldId: 14,
        newId,
        sourceId,
      });
      const put = async (moved: IdRedirect[]) => {
        const transaction = await store.begin();
        await transaction.putIdRedirects(moved);
        await transaction.commit();
      };
      await put([move(15, null), move(16, 2)]);
      await put([move(17, null), { ...move(3, null), field: 'item_id' }]);
      expect(await store.idRedirects()).toEqual([
        { ...move(3, null), field: 'item_id' },
        move(17, null),
        move(16, 2),
      ]);
    });
  });

  describe('access', () => {
    const token = (hash: string, name: string): StoredToken => ({
      hash,
      name,
      email: null,
      createdMs: 1_700_000_000_123,
      expiresMs: null,
      revokedMs: null,
    });

    it('keeps users, and replaces the password of one who is known', async () => {
      expect(await store.access.user('a@b.example')).toBeNull();
      await store.access.putUser({ email: 'a@b.example', passwordHash: 'one' });
      await store.access.putUser({ email: 'a@b.example', passwordHash: "two' --" });
      expect(await store.access.user('a@b.example')).toEqual({
        email: 'a@b.example',
        passwordHash: "two' --",
      });
    });

    it('keeps tokens by hash and revokes them by name', async () => {
      await store.access.putToken(token('aa', 'laptop'));
      await store.access.putToken({
        ...token('bb', 'laptop'),
        email: 'a@b.example',
        expiresMs: 1_800_000_000_000,
      });
      await store.access.putToken(token('cc', 'server'));
      expect(await store.access.tokenByHash('bb')).toMatchObject({
        email: 'a@b.example',
        expiresMs: 1_800_000_000_000,
      });
      expect(await store.access.tokenByHash('zz')).toBeNull();
      expect(await store.access.revokeToken('laptop', 1_750_000_000_000)).toBe(2);
      expect(await store.access.revokeToken('laptop', 1_760_000_000_000)).toBe(0);
      expect((await store.access.tokens()).map(({ hash, revokedMs }) => [hash, revokedMs])).toEqual([
        ['aa', 1_750_000_000_000],
        ['bb', 1_750_000_000_000],
        ['cc', null],
      ]);
    });

    it('is written at once, also during an import, and no rollback undoes it', async () => {
      const transaction = await store.begin();
      await Promise.all(['x', 'y', 'z'].map((hash) => store.access.putToken(token(hash, 'n'))));
      await transaction.rollback();
      expect(await store.access.tokens()).toHaveLength(3);
    });
  });
}
