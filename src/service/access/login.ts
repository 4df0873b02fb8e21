import { AuthenticationError } from '../../model/errors.js';
import type { AccessStore } from '../../store/store.js';
import type { Handlers } from '../handler.js';
import { hashToken, newToken, withoutPaths } from './auth.js';
import { addressGroup } from './client-address.js';
import { type PasswordWaiter, unmatchedHash, verifyPassword } from './password-hash.js';

/** Calls in the same process have no address. */
const NO_ADDRESS = 'this process';

const UNKNOWN_USER = unmatchedHash();

/** Creates a token for a user. Checking an unknown email takes as long as checking a wrong password. */
export const logIn: Handlers['accessToken'] = async ({ form, address, signal }, service) => {
  const email = form.email.trim().toLowerCase();
  const group = address === null ? NO_ADDRESS : addressGroup(address);
  const attempt = service.loginGuard.admit(email, group);
  const waiter = { email, address: group, signal };
  const matches = await checkPassword(service.store.access, form.password, waiter).catch((error: unknown) => {
    attempt.withdraw();
    throw error;
  });
  if (!matches) throw new AuthenticationError(401, '/api-token', 'email or password is wrong');
  attempt.succeed();
  const accessToken = newToken();
  const createdMs = Date.now();
  await withoutPaths(() =>
    service.store.access.putLogin({
      hash: hashToken(accessToken),
      name: `login ${email}`,
      email,
      createdMs,
      expiresMs: createdMs + service.loginTtlMs,
      revokedMs: null,
      rights: ['read'],
    }),
  );
  return { data: { accessToken } };
};

async function checkPassword(
  access: AccessStore,
  password: string,
  { email, ...waiter }: PasswordWaiter & { email: string },
): Promise<boolean> {
  const user = await withoutPaths(() => access.user(email));
  const matches = await verifyPassword(password, user?.passwordHash ?? UNKNOWN_USER, waiter);
  return matches && user !== null;
}
