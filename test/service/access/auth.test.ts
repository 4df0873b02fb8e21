import { expect, it } from 'vitest';
import { hashPassword, newToken, storeAuthorizer, verifyPassword } from '../../../src/service/access/auth.js';
import { openTokenStore } from '../token-service.js';

it('hashes passwords with a salt; only the password matches', async () => {
  const [one, other] = [await hashPassword('secret'), await hashPassword('secret')];
  expect(one).toMatch(/^scrypt\$/);
  expect(one).not.toBe(other);
  expect(one).not.toContain('secret');
  expect(await verifyPassword('secret', one)).toBe(true);
  expect(await verifyPassword('Secret', one)).toBe(false);
  expect(await verifyPassword('secret', 'plain')).toBe(false);
});

it('creates tokens of 256 random bits', () => {
  const tokens = new Set(Array.from({ length: 100 }, newToken));
  expect(tokens.size).toBe(100);
  for (const token of tokens) expect(token).toMatch(/^cf_[\w-]{43}$/);
});

it('names the holder of a valid token, and refuses unknown, revoked and expired ones', async () => {
  const store = await openTokenStore(
    { token: 'good', name: 'notebook' },
    { token: 'gone', name: 'gone', revokedMs: 5 },
    { token: 'late', name: 'late', expiresMs: 100 },
  );
  const authorize = storeAuthorizer(store.access, () => 101);
  expect(await authorize('good')).toBe('notebook');
  await expect(authorize('gone')).rejects.toThrow('revoked');
  await expect(authorize('late')).rejects.toThrow('expired');
  await expect(authorize('other')).rejects.toThrow('unknown');
  await expect(authorize(null)).rejects.toThrow('the access token is missing');
  await store.close();
});
