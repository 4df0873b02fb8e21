import './frame/formats/load-in-node.js';
import type { ClientOptions } from './client/client.js';
import { type Client, composeClient, type Runtime } from './compose-client.js';
import { writeWhole } from './frame/formats/write-file.js';

export type { Client };

/**
 * Creates a client for a service.
 * @throws RuntimeError if no access token is passed or set in the environment; ArgumentError if an option is invalid
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

/** The delay before `fetch` is preloaded. A program that ends sooner does not load it. */
const LOAD_AHEAD_AFTER_MS = 5;

/** Makes Node load its `fetch` implementation, which it does when the first `Headers` object is created. */
function loadAhead(): void {
  setTimeout(() => new Headers(), LOAD_AHEAD_AFTER_MS).unref();
}

/** The Node-specific parts of a client. Rarely needed modules are imported on first use. */
const NODE: Runtime = {
  openCache: async (options) => (await import('./client/http/disk-cache.js')).diskCache(options),
  writeFile: writeWhole,
};
