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

/** Checks a request's token. It returns a name for the token's holder, or throws AuthenticationError. */
export type Authorizer = (token: string | null) => Promise<string>;

/** The salted hash of a password, as `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

/** Whether a password matches a stored hash, compared in constant time. Invalid hashes never match. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, n, r, p, salt, hash] = stored.split('$');
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

/** A new random token of 256 bits that is safe in URLs and headers. */
export function newToken(): string {
  return `cf_${randomBytes(32).toString('base64url')}`;
}

/** The hash that is stored of a token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Accepts the store's tokens, except revoked and expired ones. */
export function storeAuthorizer(access: AccessStore, now: () => number = Date.now): Authorizer {
  return async (token) => {
    if (token === null)
      throw authenticationError('the access token is missing; send "authorization: Bearer <token>"');
    const stored = await access.tokenByHash(hashToken(token));
    if (stored === null) throw authenticationError('the access token is unknown; log in or use another one');
    if (stored.revokedMs !== null)
      throw authenticationError('the access token was revoked; log in or use another one');
    if (stored.expiresMs !== null && stored.expiresMs <= now())
      throw authenticationError('the access token has expired; log in or use another one');
    return stored.name;
  };
}

/** Accepts exactly one token; used by the embedded service. */
export function singleTokenAuthorizer(accepted: string): Authorizer {
  const expected = Buffer.from(hashToken(accepted));
  return async (token) => {
    const given = Buffer.from(hashToken(token ?? ''));
    if (!timingSafeEqual(given, expected))
      throw authenticationError('the access token is unknown; log in or use another one');
    return 'embedded';
  };
}

/** Accepts every request, with or without a token. It checks no Host: a service over a socket has `'anyone'` instead. */
export const allowAnyone: Authorizer = async () => 'anyone';

/** The bearer token of a request; null when it has none. */
export function bearerToken(request: Request): string | null {
  const header = request.headers.get('authorization');
  return /^Bearer\s+(\S+)\s*$/i.exec(header ?? '')?.[1] ?? null;
}

function authenticationError(message: string): AuthenticationError {
  return new AuthenticationError(401, 'authorization', message);
}
