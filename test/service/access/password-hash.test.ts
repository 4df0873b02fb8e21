import { expect, it } from 'vitest';
import {
  hashPassword,
  passwordChecks,
  unmatchedHash,
  verifyPassword as verify,
} from '../../../src/service/access/password-hash.js';
import { QUICK_HASH } from './quick-hash.js';

const { signal } = new AbortController();
const verifyPassword = (password: string, stored: string, address = 'home') =>
  verify(password, stored, { address, signal });

it('hashes passwords with a salt; only the password matches', async () => {
  const [one, other] = [await hashPassword('secret'), await hashPassword('secret')];
  expect(one).toMatch(/^scrypt\$/);
  expect(one).not.toBe(other);
  expect(one).not.toContain('secret');
  expect(await verifyPassword('secret', one)).toBe(true);
  expect(await verifyPassword('Secret', one)).toBe(false);
});

it('takes an invalid hash for one that nothing matches, and computes none that takes too much', async () => {
  const [salt, hash] = ['c2FsdA==', 'aGFzaA=='];
  for (const stored of [
    'plain',
    'scrypt$32768$8$1',
    `scrypt$0$8$1$${salt}$${hash}`,
    `scrypt$32767$8$1$${salt}$${hash}`,
    `scrypt$x$8$1$${salt}$${hash}`,
    `scrypt$1073741824$8$1$${salt}$${hash}`,
    `scrypt$32768$8$1000$${salt}$${hash}`,
    unmatchedHash(),
  ])
    expect(await verifyPassword('secret', stored), stored).toBe(false);
});

it('verifies a hash that scrypt made elsewhere', async () => {
  // RFC 7914, section 12: the second test vector, cut to the 32 bytes that are stored.
  const salt = Buffer.from('NaCl').toString('base64');
  const hash = Buffer.from(
    'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162',
    'hex',
  ).toString('base64');
  expect(await verifyPassword('password', `scrypt$1024$8$16$${salt}$${hash}`)).toBe(true);
});

it('checks few passwords at once, those of one address behind each other, and refuses more than may wait', async () => {
  const wrong = Array.from({ length: 40 }, () =>
    verifyPassword('wrong', QUICK_HASH, 'attacker').catch((error: unknown) => error),
  );
  const right = verifyPassword('right', QUICK_HASH, 'owner');
  await Promise.resolve();
  expect(passwordChecks().running).toBeLessThanOrEqual(2);
  expect(await right).toBe(true);
  const results = await Promise.all(wrong);
  expect(results.filter((result) => result === false).length).toBeLessThanOrEqual(10);
  expect(results.find((result) => result !== false)).toMatchObject({ status: 429, retryAfterMs: 1000 });
  expect(passwordChecks()).toEqual({ running: 0, waiting: 0 });
});
