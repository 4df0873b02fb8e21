import { openStore } from '../../../src/store/open.js';

/** Run by itself: opens the store of its first argument and says how that went. */
const [location, mode] = process.argv.slice(2);
try {
  const store = await openStore(location!, { readOnly: mode === 'read' });
  await store.close();
  process.stdout.write('opened');
} catch (error) {
  process.stdout.write(String(error));
}
