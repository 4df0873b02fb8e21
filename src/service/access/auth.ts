import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AuthenticationError } from '../../model/errors.js';
import type { AccessStore } from '../../store/store.js';

const scryptAsync = promisify(scrypt) as (
  password: string,
  salt: Buffer,
  length: number,
  options: { N: number; r: number; p: number; maxmem: number },
) => Promise<Buffer>;

const COST = { N: 32_768, r: 8, p: 1 };
const HASH_BYTES = 32;

/** Decides about a request's token: returns a name for the holder, or throws AuthenticationError. */
export type Authorizer = (token: string | null) => Promise<string>;

/** A password as it is kept: `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

/** Compares in constant time; a kept text that is no scrypt hash never matches. */
export async function verifyPassword(password: string, kept: string): Promise<boolean> {
  const [scheme, n, r, p, salt, hash] = kept.split('$');
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64');
  const cost = { N: Number(n), r: Number(r), p: Number(p) };
  const given = await derive(password, Buffer.from(salt, 'base64'), cost);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function derive(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  return scryptAsync(password.normalize('NFKC'), salt, HASH_BYTES, {
    ...cost,
    maxmem: 256 * cost.N * cost.r,
  });
}

/** A new random token: 256 bits, safe in URLs and headers. */
export function newToken(): string {
  return `cf_${randomBytes(32).toString('base64url')}`;
}

/** What is kept of a token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Accepts the tokens that the store knows, that are not revoked and have not expired. */
export function storeAuthorizer(access: AccessStore, now: () => number = Date.now): Authorizer {
  return async (token) => {
    if (token === null) throw denied('there is no access token; send "authorization: Bearer <token>"');
    const known = await access.tokenByHash(hashToken(token));
    if (known === null) throw denied('the access token is unknown');
    if (known.revokedMs !== null) throw denied('the access token was revoked');
    if (known.expiresMs !== null && known.expiresMs <= now()) throw denied('the access token has expired');
    return known.name;
  };
}

/** Accepts one token alone, as the embedded service does. */
export function singleTokenAuthorizer(accepted: string): Authorizer {
  const expected = Buffer.from(hashToken(accepted));
  return async (token) => {
    const given = Buffer.from(hashToken(token ?? ''));
    if (!timingSafeEqual(given, expected)) throw denied('the access token is unknown');
    return 'embedded';
  };
}

/** Accepts every request, with or without a token; for loopback addresses only. */
export const allowAnyone: Authorizer = async () => 'anyone';

/** The token of an authorization header; null when there is none. */
export function bearerToken(request: Request): string | null {
  const header = request.headers.get('authorization');
  return /^Bearer\s+(\S+)\s*$/i.exec(header ?? '')?.[1] ?? null;
}

function denied(message: string): AuthenticationError {
  return new AuthenticationError(401, 'authorization', message);
}
