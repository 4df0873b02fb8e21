import { openAccess } from '../../src/store/access.js';

/** Run as a separate process: adds a number of tokens to a store, one after another. */
const [store, name, count] = process.argv.slice(2);
const access = openAccess(store!);
for (let i = 0; i < Number(count); i++) {
  const standard = { email: null, createdMs: i, expiresMs: null, revokedMs: null };
  await access.putToken({ hash: `${name}-${i}`, name: name!, ...standard });
}
