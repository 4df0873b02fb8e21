import { expect, it } from 'vitest';
import {
  createUnmatchedHash,
  hashPassword,
  passwordChecks,
  verifyPassword,
} from '../../../src/service/access/password-hash.js';
import { QUICK_HASH } from './quick-hash.js';

it('hashes passwords with a salt; only the password matches', async () => {
  const [one, other] = [await hashPassword('secret'), await hashPassword('secret')];
  expect(one).toMatch(/^scrypt\$/);
  expect(one).not.toBe(other);
  expect(one).not.toContain('secret');
  expect(await verifyPassword('secret', one)).toBe(true);
  expect(await verifyPassword('Secret', one)).toBe(false);
});

it('takes an invalid hash for one that nothing matches', async () => {
  for (const stored of ['plain', 'scrypt$32768$8$1', createUnmatchedHash()])
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

it('checks few passwords at once', async () => {
  const wrong = Array.from({ length: 10 }, () => verifyPassword('wrong', QUICK_HASH));
  await Promise.resolve();
  expect(passwordChecks().running).toBeLessThanOrEqual(2);
  expect(await Promise.all(wrong)).toEqual(Array(10).fill(false));
  expect(passwordChecks()).toEqual({ running: 0, waiting: 0 });
});
