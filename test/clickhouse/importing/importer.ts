import { openStore } from '../../../src/store/open.js';
import { importSecond } from './two-imports.js';

/** Run as a separate process: the second import into a store. Prints what it counted, or why it failed. */
const store = await openStore(process.argv[2]!);
process.stdout.write('ready\n');
const said = await importSecond(store).then(JSON.stringify, (error: Error) => error.message);
process.stdout.write(`${said}\n`);
await store.close();
