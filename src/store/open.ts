import { checkFlag, checkString, needed } from '../model/arguments/checks.js';
import { checkOptions } from '../model/arguments/option-keys.js';
import { StoreError } from '../model/errors.js';
import type { Store } from './store.js';

/** How a store is opened. */
export interface OpenStoreOptions {
  /** Several processes may share a file opened for reading only; imports are refused. Default false. */
  readonly readOnly?: boolean | undefined;
}

/**
 * Opens a store. Close it when done.
 * @param location a file's path, created when absent unless `readOnly`; or `:memory:` for a store that ends with the process
 * @throws StoreError when the file is not a store, is of a newer version, or is in use
 */
export async function openStore(location: string, options: OpenStoreOptions = {}): Promise<Store> {
  needed(checkString)(location, 'location');
  checkOptions(options, { readOnly: checkFlag }, 'openStore');
  const { readOnly = false } = options;
  if (location.trim() === '') {
    throw new StoreError(`a store needs a location; name a file's path, or ":memory:"`);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(location)) {
    throw new StoreError(`${location}: a store cannot be opened by URL; name a file's path, or ":memory:"`);
  }
  const { openDuckdbStore } = await import('./duckdb/store.js');
  return openDuckdbStore(location, { readOnly });
}
