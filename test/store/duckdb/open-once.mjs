import { openStore } from '../../../dist/service.js';

/** Run as a separate process: opens a store and prints the outcome. */
const [location, mode] = process.argv.slice(2);
try {
  const store = await openStore(location, { read_only: mode === 'read' });
  await store.close();
  process.stdout.write('opened');
} catch (error) {
  process.stdout.write(String(error));
}
