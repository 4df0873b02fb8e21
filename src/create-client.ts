import './frame/formats/load-in-node.js';
import type { ClientOptions } from './client/client.js';
import { type Client, composeClient, type Runtime } from './compose-client.js';
import { writeWhole } from './frame/formats/write-file.js';

export type { Client };

/**
 * Creates a client of a service.
 * @throws RuntimeError if there is neither an access token nor the environment variable `API_TOKEN`; ArgumentError if
 * an option is invalid
 * @example
 * ```ts
 * const client = createClient({ api_host: 'data.example.org', access_token });
 * await client.addDataSeries({ metric: 'yield', item: 'corn', region: 'iowa' });
 * const table = await client.getDf();
 * ```
 */
export function createClient(options: ClientOptions = {}): Client {
  const client = composeClient(options, NODE);
  loadAhead();
  return client;
}

/** The delay before loading ahead. A program that ends sooner loads nothing. */
const LOAD_AHEAD_AFTER_MS = 5;

/** Makes Node load its `fetch` implementation, which happens when the first of its objects is created. */
function loadAhead(): void {
  setTimeout(() => new Headers(), LOAD_AHEAD_AFTER_MS).unref();
}

/** The parts of a client in Node. Rarely needed modules are imported on first use. */
const NODE: Runtime = {
  openCache: async (options) => (await import('./client/http/disk-cache.js')).diskCache(options),
  writeFile: writeWhole,
};
