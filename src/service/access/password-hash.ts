import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { FairQueue } from './fair-queue.js';

const COST = { N: 32_768, r: 8, p: 1 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** A stored hash that takes more than this is refused: it would take the memory of the service. */
const MAX_COST = { N: 1_048_576, r: 32, p: 16 };

/** A quarter of the processors checks passwords, so that the rest answers requests; the engine works in the same threads. */
const MAX_CHECKS = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 4)));

const queue = new FairQueue({
  total: MAX_CHECKS,
  perHolder: MAX_CHECKS,
  waiting: 8,
  totalWaiting: 32,
  maxWaitMs: 30_000,
});

/** Who waits for a password to be checked. */
export interface PasswordWaiter {
  /** Addresses take turns. */
  readonly address: string;
  /** Aborting it gives the place in the queue up. */
  readonly signal: AbortSignal;
}

/** Counts the password checks that are running and waiting. */
export function passwordChecks(): { running: number; waiting: number } {
  const { running, waiting } = queue;
  return { running, waiting };
}

/** Hashes a password with a salt, as `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return storedForm(salt, await hashOf(password, salt, COST));
}

/** Returns a hash that no password matches. Checking it takes as long as checking that of a user. */
export function unmatchedHash(): string {
  return storedForm(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
}

function storedForm(salt: Uint8Array, hash: Uint8Array): string {
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  return ['scrypt', COST.N, COST.r, COST.p, base64(salt), base64(hash)].join('$');
}

/**
 * Checks a password against a stored hash in constant time. Invalid hashes never match.
 * @throws RateLimitError when too many passwords are being checked
 */
export async function verifyPassword(
  password: string,
  stored: string,
  { address, signal }: PasswordWaiter,
): Promise<boolean> {
  const parsed = parseStored(stored);
  if (parsed === null) return false;
  const leave = await queue.enter(address, '/api-token', signal);
  try {
    const computed = await hashOf(password, parsed.salt, parsed.cost);
    return computed.length === parsed.hash.length && timingSafeEqual(computed, parsed.hash);
  } finally {
    leave();
  }
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

function hashOf(password: string, salt: Uint8Array, cost: typeof COST): Promise<Buffer> {
  const maxmem = 256 * cost.r * (cost.N + cost.p + 64);
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, { ...cost, maxmem }, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    );
  });
}
