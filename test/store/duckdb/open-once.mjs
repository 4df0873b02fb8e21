import { openStore } from '../../../dist/service.js';

/** Run as a separate process: opens stores, each given as its path and a mode, and prints the outcomes. */
const asked = process.argv.slice(2);
for (let i = 0; i < asked.length; i += 2) {
  try {
    const store = await openStore(asked[i], { read_only: asked[i + 1] === 'read' });
    await store.close();
    console.log('opened');
  } catch (error) {
    console.log(String(error));
  }
}
