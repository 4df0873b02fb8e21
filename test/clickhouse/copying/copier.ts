import { copyStore } from '../../../src/store/copying/copy-store.js';

/** Run as a separate process: copies a store. Prints what was copied, or why it was not. */
const [from, to] = process.argv.slice(2);
const said = await copyStore(from!, to!).then(JSON.stringify, (error: Error) => error.message);
process.stdout.write(`${said}\n`);
