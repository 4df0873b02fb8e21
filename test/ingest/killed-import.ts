/**
 * Imports a Quick Stats file into a store, in a process of its own that a test may kill:
 * `killed-import.ts STORE FILE`. Says "begun" when the import begins, so that the test knows from when to count.
 */
import { importDataset } from '../../src/ingest/importer.js';
import { nass } from '../../src/ingest/nass/nass.js';
import { openStore } from '../../src/store/open.js';

const [location, file] = process.argv.slice(2) as [string, string];
const store = await openStore(location);
process.stdout.write('begun\n');
await importDataset(store, nass, { files: [file] });
await store.close();
process.stdout.write('done\n');
