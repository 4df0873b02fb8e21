import { AuthenticationError } from '../../model/errors.js';
import type { Handlers } from '../handlers.js';
import { hashPassword, hashToken, newToken, verifyPassword } from './auth.js';

const PATH = '/api-token';

let decoy: Promise<string> | undefined;

/** A token for an email and its password. An unknown email takes as long as a wrong password. */
export const logIn: Handlers['accessToken'] = async ({ form }, { store, logins }) => {
  const email = form.email.trim().toLowerCase();
  logins.attempt(email);
  decoy ??= hashPassword(newToken());
  const user = await store.access.user(email);
  const matches = await verifyPassword(form.password, user?.passwordHash ?? (await decoy));
  if (user === null || !matches) throw new AuthenticationError(401, PATH, 'email or password is wrong');
  logins.succeeded(email);
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
