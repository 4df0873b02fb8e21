import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { RIGHTS, type Right } from '../../model/access.js';
import { AuthenticationError } from '../../model/errors.js';
import type { AccessStore, StoredToken } from '../../store/store.js';

/** Who makes a request. */
export interface Holder {
  /** A name for the log and for limits. */
  readonly name: string;
  /** What the token allows. */
  readonly rights: readonly Right[];
}

/**
 * Checks a request's token. It returns the token's holder, or a name for one who may only read; or throws
 * AuthenticationError.
 */
export type Authorizer = (token: string | null) => Promise<string | Holder>;

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
    return { name: stored.name, rights: rightsOf(stored) };
  };
}

function rightsOf({ rights = ['read'] }: StoredToken): Right[] {
  return RIGHTS.filter((right) => rights.includes(right));
}

/** Accepts exactly one token; used by the embedded service. Its holder may only read, unless given. */
export function singleTokenAuthorizer(accepted: string, holder: string | Holder = 'embedded'): Authorizer {
  const expected = Buffer.from(hashToken(accepted));
  return async (token) => {
    const given = Buffer.from(hashToken(token ?? ''));
    if (!timingSafeEqual(given, expected))
      throw authenticationError('the access token is unknown; log in or use another one');
    return holder;
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
