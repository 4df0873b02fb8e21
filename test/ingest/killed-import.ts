import { documentImporter } from '../../src/ingest/document/define-dataset.js';
/**
 * Imports a Quick Stats file into a store, in a process that a test kills: `killed-import.ts STORE FILE`. Prints
 * "started" when the import starts, so that the test can time the kill.
 */
import { importDataset } from '../../src/ingest/import-dataset.js';
import { openStore } from '../../src/store/open.js';

const nass = documentImporter('nass');

const [location, file] = process.argv.slice(2) as [string, string];
const store = await openStore(location);
process.stdout.write('started\n');
await importDataset(store, nass, { files: [file] });
await store.close();
process.stdout.write('done\n');
