import { createRequire } from 'node:module';
import type * as ParquetWasm from 'parquet-wasm';
import { loadParquetBy } from './parquet.js';

/** Node makes another instance of the module, so that the memory of one that failed is given back. */
loadParquetBy((): typeof ParquetWasm => {
  const load = createRequire(import.meta.url);
  delete load.cache[load.resolve('parquet-wasm')];
  return load('parquet-wasm') as typeof ParquetWasm;
});
