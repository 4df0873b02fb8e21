import { AuthenticationError } from '../../model/errors.js';
import type { Handlers } from '../handler.js';
import { hashPassword, hashToken, newToken, verifyPassword } from './auth.js';

const PATH = '/api-token';

let decoyHash: Promise<string> | undefined;

/** Creates a token for a user. Checking an unknown email takes as long as checking a wrong password. */
export const logIn: Handlers['accessToken'] = async ({ form }, { store, loginGuard }) => {
  const email = form.email.trim().toLowerCase();
  loginGuard.checkAttempt(email);
  decoyHash ??= hashPassword(newToken());
  const user = await store.access.user(email);
  const matches = await verifyPassword(form.password, user?.passwordHash ?? (await decoyHash));
  if (user === null || !matches) throw new AuthenticationError(401, PATH, 'email or password is wrong');
  loginGuard.reportSuccess(email);
  const accessToken = newToken();
  await store.access.putToken({
    hash: hashToken(accessToken),
    name: `login ${email}`,
    email,
    createdMs: Date.now(),
    expiresMs: null,
    revokedMs: null,
  });
  return { data: { accessToken } };
};
