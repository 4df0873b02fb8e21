import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';

const COST = { N: 32_768, r: 8, p: 1 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** Limits password checks to a quarter of the processors, at most two, because queries use the same thread pool. */
const checks = pLimit(Math.max(1, Math.min(2, Math.floor(availableParallelism() / 4))));

export function passwordChecks(): { running: number; waiting: number } {
  return { running: checks.activeCount, waiting: checks.pendingCount };
}

/** Hashes a password with a random salt. The result has the form `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return formatHash(salt, await hashOf(password, salt, COST));
}

/** Returns a hash that no password matches. Checking a password against it takes as long as against a real hash. */
export function createUnmatchedHash(): string {
  return formatHash(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
}

function formatHash(salt: Uint8Array, hash: Uint8Array): string {
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  return ['scrypt', COST.N, COST.r, COST.p, base64(salt), base64(hash)].join('$');
}

/** Checks a password against a stored hash in constant time. A malformed hash never matches. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = stored.split('$');
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const computed = await checks(() => hashOf(password, Buffer.from(salt, 'base64'), cost));
  return computed.length === expected.length && timingSafeEqual(computed, expected);
}

function hashOf(password: string, salt: Uint8Array, cost: typeof COST): Promise<Buffer> {
  const maxmem = 256 * cost.r * (cost.N + cost.p + 64);
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, { ...cost, maxmem }, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    );
  });
}
