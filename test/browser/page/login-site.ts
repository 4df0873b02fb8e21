import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { hashToken } from '../../../src/service/access/auth.js';
import { hashPassword } from '../../../src/service/access/password-hash.js';
import type { Store } from '../../../src/store/store.js';
import { siteForTests } from './open-site.js';

export const TOKEN = 'cf_token-of-the-tests';
export const EMAIL = 'ada@example.org';
export const PASSWORD = 'correct horse battery staple';

/** Opens a site for tests that asks for a login. */
export const siteWithLogin = () => siteForTests({ authorize: undefined, fill });

async function fill(store: Store): Promise<void> {
  await importDataset(store, documentImporter('demo'));
  await putToken(store, TOKEN);
  await store.access.putUser({ email: EMAIL, passwordHash: await hashPassword(PASSWORD) });
}

export function putToken(store: Store, token: string): Promise<unknown> {
  return store.access.putToken({
    hash: hashToken(token),
    name: token,
    email: null,
    createdMs: 0,
    expiresMs: null,
    revokedMs: null,
  });
}
