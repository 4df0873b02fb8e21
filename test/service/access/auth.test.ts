import { expect, it } from 'vitest';
import type { Endpoint } from '../../../src/contract/addresses.js';
import { createAdmission, storeAuthorizer } from '../../../src/service/access/auth.js';
import { openTokenStore } from '../token-service.js';

const READ: Endpoint = { method: 'GET', path: '/r', answer: null };
const IMPORT: Endpoint = { ...READ, method: 'POST', right: 'import' };

const openTokens = () =>
  openTokenStore(
    { token: 'good', name: 'notebook' },
    { token: 'load', name: 'loader', rights: ['import', 'read'] },
    { token: 'odd', name: 'odd', rights: ['everything' as never, 'administer'] },
    { token: 'gone', name: 'gone', revokedMs: 5 },
    { token: 'late', name: 'late', expiresMs: 100 },
  );

it('names the holder of a valid token and its rights, and refuses unknown, revoked and expired ones', async () => {
  const store = await openTokens();
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

it('lets a token do what it has the right to; without tokens anyone reads, and nobody imports without one', async () => {
  const store = await openTokens();
  const [admit, anyone] = [createAdmission(store.access), createAdmission(store.access, 'anyone')];
  expect(await admit(READ, 'good')).toBe('notebook');
  expect(await anyone(READ, null)).toBe('anyone');
  for (const one of [admit, anyone]) {
    expect(await one(IMPORT, 'load')).toBe('loader');
    await expect(one(IMPORT, null)).rejects.toMatchObject({ code: 'authentication' });
    await expect(one(IMPORT, 'wrong')).rejects.toMatchObject({ code: 'authentication' });
    await expect(one(IMPORT, 'good')).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(
        /"notebook" does not have the right "import".*token create --right import/,
      ),
    });
  }
  await store.close();
});
