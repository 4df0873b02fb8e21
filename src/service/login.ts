import { AuthenticationError } from '../model/errors.js';
import { hashPassword, hashToken, newToken, verifyPassword } from './auth.js';
import type { Handlers } from './handlers.js';

let decoy: Promise<string> | undefined;

/** A token for an email and its password. An unknown email takes as long as a wrong password. */
export const logIn: Handlers['accessToken'] = async ({ form }, { store }) => {
  decoy ??= hashPassword(newToken());
  const email = form.email.trim().toLowerCase();
  const user = await store.access.user(email);
  const matches = await verifyPassword(form.password, user?.passwordHash ?? (await decoy));
  if (user === null || !matches) {
    throw new AuthenticationError(401, '/api-token', 'email or password is wrong');
  }
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
