import { expect, it } from 'vitest';
import { storeAuthorizer } from '../../../src/service/access/auth.js';
import { openTokenStore } from '../token-service.js';

it('names the holder of a valid token and its rights, and refuses unknown, revoked and expired ones', async () => {
  const store = await openTokenStore(
    { token: 'good', name: 'notebook' },
    { token: 'load', name: 'loader', rights: ['import', 'read'] },
    { token: 'odd', name: 'odd', rights: ['everything' as never, 'administer'] },
    { token: 'gone', name: 'gone', revokedMs: 5 },
    { token: 'late', name: 'late', expiresMs: 100 },
  );
  const authorize = storeAuthorizer(store.access, () => 101);
  expect(await authorize('good')).toEqual({ name: 'notebook', rights: ['read'] });
  expect(await authorize('load')).toEqual({ name: 'loader', rights: ['read', 'import'] });
  expect(await authorize('odd')).toEqual({ name: 'odd', rights: ['administer'] });
  await expect(authorize('gone')).rejects.toThrow('revoked');
  await expect(authorize('late')).rejects.toThrow('expired');
  await expect(authorize('other')).rejects.toThrow('unknown');
  await expect(authorize(null)).rejects.toThrow('the access token is missing');
  await store.close();
});
