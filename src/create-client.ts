import './frame/formats/load-in-node.js';
import type { ClientOptions } from './client/client.js';
import { type Client, composeClient, type Runtime } from './compose-client.js';
import { writeWhole } from './frame/formats/write-file.js';

export type { Client };

/**
 * Makes a client of a service.
 * @throws RuntimeError when there is neither an access token nor the environment variable `API_TOKEN`; ArgumentError when
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

/** A program that ends sooner loads nothing ahead. */
const LOAD_AHEAD_AFTER_MS = 5;

/** Has Node load its own fetch, which it does with the first object of it. */
function loadAhead(): void {
  setTimeout(() => new Headers(), LOAD_AHEAD_AFTER_MS).unref();
}

/** The parts of a client in Node. Modules that few programs need are imported when they are first used. */
const NODE: Runtime = {
  openCache: async (options) => (await import('./client/http/disk-cache.js')).diskCache(options),
  writeFile: writeWhole,
};
