import { openAccess } from '../../src/store/access.js';

/** Adds so many tokens to a store, one after another; run as a process of its own. */
const [store, name, count] = process.argv.slice(2);
const access = openAccess(store!);
for (let i = 0; i < Number(count); i++) {
  const standard = { email: null, createdMs: i, expiresMs: null, revokedMs: null };
  await access.putToken({ hash: `${name}-${i}`, name: name!, ...standard });
}
