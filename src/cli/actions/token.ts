import { RIGHTS } from '../../model/access.js';
import { badArgument } from '../../model/errors.js';
import { nearestWord } from '../../model/names/edit-distance.js';
import { plural } from '../../model/names/plural.js';
import { hashToken, newToken } from '../../service/access/auth.js';
import { hashPassword } from '../../service/access/password-hash.js';
import { openAccess } from '../../store/access.js';
import { openStore } from '../../store/open.js';
import type { AccessStore, StoredToken } from '../../store/store.js';
import type * as access from '../commands/access.js';
import { isOnServers, requireStore } from '../connection/store-file.js';
import type { Action } from '../options/flags.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { remark, writeJson, writeLine } from '../terminal/io.js';
import { readNewPassword } from '../terminal/password.js';
import { writeTable } from '../terminal/text-table.js';

/** Calls `step` with access to a store's users and tokens, even while a service is using the store. */
async function withStoreAccess<Result>(
  file: string,
  step: (access: AccessStore) => Promise<Result>,
): Promise<Result> {
  requireStore(file);
  if (!isOnServers(file)) return step(openAccess(file));
  const store = await openStore(file);
  try {
    return await step(store.access);
  } finally {
    await store.close();
  }
}

export const createToken: Action<typeof access.CREATE_TOKEN> = async (context, options) => {
  const { name, email = null, json } = options;
  const token = newToken();
  const times = { createdMs: Date.now(), expiresMs: options.expires ?? null, revokedMs: null };
  const rights = RIGHTS.filter((right) => right === 'read' || options.right?.includes(right));
  await withStoreAccess(options.store, async (access) => {
    if ((await access.tokens()).some((known) => known.name === name && stateOf(known) === 'valid'))
      throw badArgument('name', `"${name}" is already a valid token; revoke it, or choose another name`);
    await access.putToken({ hash: hashToken(token), name, email, rights, ...times });
  });
  if (json === true) {
    const { createdMs, expiresMs } = times;
    const shown = { name, email, rights, created: timeText(createdMs), expires: timeText(expiresMs), token };
    return writeJson(context.stdout, shown);
  }
  await writeLine(context.stdout, token);
  await remark(
    context,
    'Save it now: it is not shown again. Use it as --token, or as API_TOKEN in the environment.',
  );
};

export const listTokens: Action<typeof access.LIST_TOKENS> = async (context, { store: file, json }) => {
  const tokens = await withStoreAccess(file, (access) => access.tokens());
  const shown = tokens.map((token) => ({
    name: token.name,
    email: token.email,
    rights: (token.rights ?? ['read']).join(', '),
    created: timeText(token.createdMs),
    expires: timeText(token.expiresMs),
    revoked: timeText(token.revokedMs),
    state: stateOf(token),
  }));
  if (json === true) return writeJson(context.stdout, shown);
  if (shown.length === 0) return remark(context, 'there are no tokens');
  const titles = ['name', 'email', 'rights', 'created', 'expires', 'revoked', 'state'] as const;
  const columns = titles.map((title) => ({ title, of: (token: (typeof shown)[0]) => token[title] ?? '-' }));
  await writeTable(context, shown, columns);
};

export const revokeToken: Action<typeof access.REVOKE_TOKEN> = async (context, { name, store: file }) => {
  const revoked = await withStoreAccess(file, (access) => access.revokeToken(name, Date.now()));
  if (revoked === 0)
    throw new NothingFoundError(
      `there is no valid token "${name}"; see "cropframe token list --store ${file}"`,
    );
  await writeLine(context.stdout, `revoked ${revoked} ${plural('token', revoked)} "${name}"`);
};

function stateOf({ revokedMs, expiresMs }: StoredToken): 'valid' | 'revoked' | 'expired' {
  if (revokedMs !== null) return 'revoked';
  return expiresMs !== null && expiresMs <= Date.now() ? 'expired' : 'valid';
}

function timeText(ms: number | null): string | null {
  return ms === null ? null : `${new Date(ms).toISOString().slice(0, 16)}Z`;
}

export const listUsers: Action<typeof access.LIST_USERS> = async (context, { store: file, json }) => {
  const emails = await withStoreAccess(file, (access) => access.userEmails());
  if (json === true) return writeJson(context.stdout, emails);
  if (emails.length === 0) return remark(context, 'there are no users');
  for (const email of emails) await writeLine(context.stdout, email);
};

export const removeUser: Action<typeof access.REMOVE_USER> = async (context, { email, store: file }) => {
  const emails = await withStoreAccess(file, async (access) =>
    (await access.removeUser(email, Date.now())) ? null : access.userEmails(),
  );
  if (emails === null)
    return writeLine(context.stdout, `removed ${email}, and revoked the tokens of this user`);
  const nearest = nearestWord(email, emails);
  const list = `"cropframe user list --store ${file}" lists the users`;
  const advice = nearest === undefined ? list : `did you mean ${nearest}?`;
  throw new NothingFoundError(`there is no user ${email}; ${advice}`);
};

export const addUser: Action<typeof access.ADD_USER> = async (context, { email, store: file }) => {
  const known = await withStoreAccess(file, async (access) => {
    const before = await access.user(email);
    const password = await readNewPassword(context);
    await access.putUser({ email, passwordHash: await hashPassword(password) });
    return before;
  });
  await writeLine(context.stdout, known === null ? `added ${email}` : `changed the password of ${email}`);
};
