import type { Endpoint } from '../../contract/addresses.js';
import type { Right } from '../../model/access.js';
import { CropframeError, HttpError, StoreError } from '../../model/errors.js';
import type { AccessStore } from '../../store/store.js';
import { type Authorizer, allowAnyone, type Holder, storeAuthorizer } from './auth.js';

/** Lets a request in by its token. @returns the token's name */
export type Admission = (endpoint: Endpoint, token: string | null) => Promise<string>;

/**
 * Checks the token of each request, and that it has the right that the endpoint needs. `'anyone'` may read without a token;
 * every other right needs one of the store's tokens.
 */
export function createAdmission(
  access: AccessStore,
  authorize: Authorizer | 'anyone' = storeAuthorizer(access),
): Admission {
  const byToken = authorize === 'anyone' ? storeAuthorizer(access) : authorize;
  return async ({ right = 'read', withoutData = false }, token) => {
    if (authorize === 'anyone' && withoutData) return allowAnyone(token) as Promise<string>;
    const decide = authorize === 'anyone' && right === 'read' ? allowAnyone : byToken;
    const holder = holderOf(await withoutPaths(() => decide(token)));
    if (!holder.rights.includes(right)) throw lacking(right, holder);
    return holder.name;
  };
}

function holderOf(decided: string | Holder): Holder {
  return typeof decided === 'string' ? { name: decided, rights: ['read'] } : decided;
}

function lacking(right: Right, { name }: Holder): CropframeError {
  return new CropframeError(
    'forbidden',
    `the access token "${name}" lacks the right "${right}"; create one with "cropframe token create --right ${right}"`,
  );
}

/**
 * Reads users and tokens. Where their file is damaged or unreadable, only the log says which file it is.
 * @throws HttpError (503) for a stranger, with the reason as its cause
 */
export async function withoutPaths<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause;
    const message =
      'users and tokens cannot be read now; an administrator finds the file and the remedy in the log of the service';
    throw Object.assign(new HttpError(503, 'authorization', message, 'store'), { cause });
  }
}
