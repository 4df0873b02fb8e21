import { randomBytes, timingSafeEqual } from 'node:crypto';
import { HashPool, type HashWaiter } from './hash-pool.js';

const COST = { N: 32_768, r: 8, p: 1 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** A stored hash that takes more than this is refused: it would take the memory of the service. */
const MAX_COST = { N: 1_048_576, r: 32, p: 16 };

const pool = new HashPool();

/** How many passwords are being checked, and how many wait for it. */
export function passwordChecks(): { running: number; waiting: number } {
  const { running, waiting } = pool;
  return { running, waiting };
}

/** The salted hash of a password, as `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await pool.hash({ password: normal(password), salt, bytes: HASH_BYTES, cost: COST });
  return storedForm(salt, hash);
}

/** A hash that no password has. Checking it takes as long as checking that of a user. */
export function unmatchedHash(): string {
  return storedForm(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
}

function storedForm(salt: Uint8Array, hash: Uint8Array): string {
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  return ['scrypt', COST.N, COST.r, COST.p, base64(salt), base64(hash)].join('$');
}

/**
 * Whether a password matches a stored hash, compared in constant time. Invalid hashes never match.
 * @throws RateLimitError when too many passwords are being checked
 */
export async function verifyPassword(
  password: string,
  stored: string,
  waiter: HashWaiter = {},
): Promise<boolean> {
  const known = parseStored(stored);
  if (known === null) return false;
  const { hash, ...rest } = known;
  const given = await pool.hash({ password: normal(password), bytes: HASH_BYTES, ...rest }, waiter);
  return given.length === hash.length && timingSafeEqual(given, hash);
}

function parseStored(stored: string): { hash: Buffer; salt: Buffer; cost: typeof COST } | null {
  const [scheme, n, r, p, salt, hash] = stored.split('$');
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) return null;
  const cost = { N: Number(n), r: Number(r), p: Number(p) };
  const isPower = Number.isSafeInteger(Math.log2(cost.N)) && cost.N > 1;
  const fits = (name: 'r' | 'p'): boolean =>
    Number.isInteger(cost[name]) && cost[name] >= 1 && cost[name] <= MAX_COST[name];
  if (!isPower || cost.N > MAX_COST.N || !fits('r') || !fits('p')) return null;
  return { hash: Buffer.from(hash, 'base64'), salt: Buffer.from(salt, 'base64'), cost };
}

function normal(password: string): string {
  return password.normalize('NFKC');
}
