import { StoreError } from '../model/errors.js';
import type { Store } from './store.js';

/** How a store is opened. */
export interface OpenStoreOptions {
  /** For reading only: several processes may then share the file, and imports are refused. Default false. */
  readonly readOnly?: boolean | undefined;
}

/**
 * Opens a store: a file's path (created when absent, unless `readOnly`), or `:memory:` for one that ends with the
 * process. Close it when done.
 * @throws StoreError when the location is not a store, is of a newer version, or is in use
 */
export async function openStore(
  location: string,
  { readOnly = false }: OpenStoreOptions = {},
): Promise<Store> {
  if (location.trim() === '') {
    throw new StoreError(`a store needs a location: a file's path, or ":memory:"`);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(location)) {
    throw new StoreError(`${location}: no engine opens such a URL; name a file's path, or ":memory:"`);
  }
  const { openDuckdbStore } = await import('./duckdb/store.js');
  return openDuckdbStore(location, { readOnly });
}
