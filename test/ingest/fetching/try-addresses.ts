import { loadImporters } from '../../../src/ingest/datasets.js';
import { findFiles } from '../../../src/ingest/fetching/fetched-inputs.js';
import { createFetcher } from '../../../src/ingest/fetching/fetcher.js';
import { createHttpClient, dump } from '../../../src/ingest/fetching/http-client.js';

/**
 * `node --import tsx test/ingest/fetching/try-addresses.ts [name…]` asks the agencies for the examples of all data sets, or of
 * those named, and prints the status of each address. It downloads no file. Ends with an error if an address does not answer.
 */
const only = process.argv.slice(2);
const settings = { env: process.env, userAgent: 'cropframe/try-addresses', retry: { retries: 0 } };

for (const importer of await loadImporters()) {
  const { dataset, fetch } = importer;
  if (fetch?.example === undefined || (only.length > 0 && !only.includes(dataset))) continue;
  try {
    const { listing } = createFetcher(dataset, settings);
    const { files } = await findFiles(importer, fetch.example, { listing, nowMs: Date.now() });
    const get = createHttpClient(dataset, settings);
    for (const { address } of files) {
      const answer = await get(address, {});
      await dump(answer);
      console.log(`${dataset}: ${answer.statusCode} ${address}`);
      if (answer.statusCode !== 200) process.exitCode = 1;
    }
  } catch (error) {
    console.log(`${dataset}: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
