import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as ClickHouse from '@clickhouse/client';
import { StoreError } from '../../../model/errors.js';

const PACKAGE = '@clickhouse/client';

/**
 * ClickHouse's client, which is installed only where a store is kept in ClickHouse: from the project that cropframe is
 * installed in, else from the project of the working directory.
 * @throws StoreError when it is in neither
 */
export function loadClickHouse(): typeof ClickHouse {
  for (const from of [import.meta.url, `${pathToFileURL(process.cwd())}/`]) {
    const require = createRequire(from);
    let path: string;
    try {
      path = require.resolve(PACKAGE);
    } catch {
      continue;
    }
    return require(path) as typeof ClickHouse;
  }
  throw new StoreError(`a store in ClickHouse needs the package ${PACKAGE}; run "npm install ${PACKAGE}"`);
}
