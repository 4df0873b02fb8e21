import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Endpoint } from '../../contract/addresses.js';
import { RIGHTS, type Right } from '../../model/access.js';
import { AuthenticationError, CropframeError } from '../../model/errors.js';
import type { AccessStore } from '../../store/store.js';
import type { Handlers } from '../handler.js';
import { addressGroup } from './client-address.js';
import { createUnmatchedHash, verifyPassword } from './password-hash.js';

/** The holder of an access token. */
export interface Holder {
  /** The name of the token's holder, as used in the log and for rate limits. */
  readonly name: string;
  /** The rights of the token. */
  readonly rights: readonly Right[];
}

/**
 * Checks a request's token. Returns the token's holder, or just the holder's name if the holder may only read. Throws
 * AuthenticationError if the token is not accepted.
 */
export type Authorizer = (token: string | null) => Promise<string | Holder>;

export function newToken(): string {
  return `cf_${randomBytes(32).toString('base64url')}`;
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export function storeAuthorizer(access: AccessStore, now: () => number = Date.now): Authorizer {
  return async (token) => {
    if (token === null)
      throw authenticationError('the access token is missing; send "authorization: Bearer <token>"');
    const stored = await access.tokenByHash(hashToken(token));
    if (stored === null) throw unusableToken('is unknown');
    if (stored.revokedMs !== null) throw unusableToken('was revoked');
    if (stored.expiresMs !== null && stored.expiresMs <= now()) throw unusableToken('has expired');
    const { name, rights = ['read'] } = stored;
    return { name, rights: RIGHTS.filter((right) => rights.includes(right)) };
  };
}

/** Creates an authorizer for the embedded service. It accepts a single token, which by default allows only reading. */
export function singleTokenAuthorizer(accepted: string, holder: string | Holder = 'embedded'): Authorizer {
  const expected = Buffer.from(hashToken(accepted));
  return async (token) => {
    const hashed = Buffer.from(hashToken(token ?? ''));
    if (!timingSafeEqual(hashed, expected)) throw unusableToken('is unknown');
    return holder;
  };
}

/** Accepts every request. A service on a socket uses `'anyone'` instead, which also checks the Host header. */
export const allowAnyone: Authorizer = async () => 'anyone';

export function bearerToken(request: Request): string | null {
  const header = request.headers.get('authorization');
  return /^Bearer\s+(\S+)\s*$/i.exec(header ?? '')?.[1] ?? null;
}

function authenticationError(message: string): AuthenticationError {
  return new AuthenticationError(401, 'authorization', message);
}

function unusableToken(why: string): AuthenticationError {
  return authenticationError(`the access token ${why}; log in or use another one`);
}

/** Creates a function that returns the name of a token's holder, or throws if the token may not use the endpoint. */
export function createAdmission(
  access: AccessStore,
  authorize: Authorizer | 'anyone' = storeAuthorizer(access),
): (endpoint: Endpoint, token: string | null) => Promise<string> {
  const byToken = authorize === 'anyone' ? storeAuthorizer(access) : authorize;
  return async ({ right = 'read', withoutData = false }, token) => {
    if (authorize === 'anyone' && withoutData) return allowAnyone(token) as Promise<string>;
    const decide = authorize === 'anyone' && right === 'read' ? allowAnyone : byToken;
    const decided = await decide(token);
    const holder: Holder = typeof decided === 'string' ? { name: decided, rights: ['read'] } : decided;
    if (holder.rights.includes(right)) return holder.name;
    throw new CropframeError(
      'forbidden',
      `the access token "${holder.name}" does not have the right "${right}"; create one that has it with "cropframe token create --right ${right}"`,
    );
  };
}

const UNKNOWN_USER = createUnmatchedHash();

/** Creates a token for a user. An unknown email takes as long as a wrong password, so timing does not reveal users. */
export const logIn: Handlers['accessToken'] = async (
  { form, address },
  { store, loginGuard, loginTtlMs },
) => {
  const email = form.email.trim().toLowerCase();
  const attempt = loginGuard.admit(email, address === null ? 'this process' : addressGroup(address));
  const { access } = store;
  const user = await access.user(email);
  const matches = await verifyPassword(form.password, user?.passwordHash ?? UNKNOWN_USER);
  if (!matches || user === null)
    throw new AuthenticationError(401, '/api-token', 'the email or password is wrong');
  attempt.succeed();
  const accessToken = newToken();
  const createdMs = Date.now();
  await access.putLogin({
    hash: hashToken(accessToken),
    name: `login ${email}`,
    email,
    createdMs,
    expiresMs: createdMs + loginTtlMs,
    revokedMs: null,
    rights: ['read'],
  });
  return { data: { accessToken } };
};
