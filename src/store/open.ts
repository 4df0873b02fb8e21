import * as v from 'valibot';
import { StoreError } from '../model/errors.js';
import { check, checkOptions, fieldsOf, required } from '../model/schema/check.js';
import { FUNCTION } from '../model/schema/schemas.js';
import { isClickHouseAddress } from './clickhouse/engine/address.js';
import { refuseUrl } from './duckdb/engine/files.js';
import type { Store } from './store.js';

/** Options for `openStore`. */
export interface OpenStoreOptions {
  /** Opens the store for reading only, so that several processes can open it. Imports are refused. Default false. */
  readonly read_only?: boolean | undefined;
}

/**
 * Opens a store. The caller must close it.
 * @param location the path of a file, which is created if it does not exist, unless `read_only` is set; `:memory:` for
 *   a store that exists only until the process ends; or `clickhouse://HOST[:PORT][,HOST…]/DATABASE` for a store that
 *   `cropframe store init` created on ClickHouse servers
 * @throws StoreError if the location is not a store, has a different schema version, is in use, or cannot be reached
 */
export function openStore(location: string, options: OpenStoreOptions = {}): Promise<Store> {
  return open(location, options, false);
}

/** Opens a store for users' queries. The engine can read only the store's files and the files being imported. */
export function openStoreToAsk(location: string, options: OpenStoreOptions = {}): Promise<Store> {
  return open(location, options, true);
}

async function open(location: string, options: OpenStoreOptions, isConfined: boolean): Promise<Store> {
  check(v.string(), location, 'location');
  checkOptions(options, { read_only: v.boolean() }, 'openStore');
  const { read_only: readOnly = false } = options;
  if (location.trim() === '')
    throw new StoreError(`a store needs a location; specify a file path or ":memory:"`);
  if (isClickHouseAddress(location)) {
    const { openClickhouseStore } = await import('./clickhouse/store.js');
    return openClickhouseStore(location, { readOnly });
  }
  refuseUrl(location);
  const { openDuckdbStore } = await import('./duckdb/store.js');
  return openDuckdbStore(location, { readOnly, isConfined });
}

export const STORE = fieldsOf({
  engine: required(v.string()),
  access: required(v.looseObject({})),
  version: required(FUNCTION),
  begin: required(FUNCTION),
});
