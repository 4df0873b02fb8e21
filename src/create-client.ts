import './frame/formats/load-in-node.js';
import type { ClientOptions } from './client/client.js';
import type { AnswerCache, CacheOptions } from './client/http/answer-cache.js';
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

/** Loads the modules of the first request ahead. A request reports a failure. */
function loadAhead(): void {
  setTimeout(() => {
    // Node loads its own fetch with the first object of it.
    void new Headers();
    loadSend().catch(() => {});
  }, LOAD_AHEAD_AFTER_MS).unref();
}

/** The parts of a client in Node. Modules that few programs need are imported when they are first used. */
const NODE: Runtime = {
  send: async (...sending) => (await loadSend()).sendFromNode(...sending),
  openCache: lazyDiskCache,
  writeFile: writeWhole,
};

let loading: Promise<typeof import('./client/sending/node-send.js')> | undefined;

const loadSend = () => (loading ??= import('./client/sending/node-send.js'));

function lazyDiskCache(options: CacheOptions): AnswerCache {
  let opened: Promise<AnswerCache> | undefined;
  const open = () =>
    (opened ??= import('./client/http/disk-cache.js').then(({ diskCache }) => diskCache(options)));
  return {
    find: async (key) => (await open()).find(key),
    put: async (key, answer) => (await open()).put(key, answer),
    remove: async (key) => (await open()).remove(key),
  };
}
