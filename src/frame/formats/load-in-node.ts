import { createRequire } from 'node:module';
import type * as ParquetWasm from 'parquet-wasm';
import { provideInNode } from './in-node.js';
import { loadParquetBy } from './parquet/parquet-module.js';

const load = createRequire(import.meta.url);

// In Node, a failed WebAssembly instance can be replaced, which releases its memory.
loadParquetBy((): typeof ParquetWasm => {
  delete load.cache[load.resolve('parquet-wasm')];
  return load('parquet-wasm') as typeof ParquetWasm;
});

provideInNode({
  loadDanfo: async () => (await import('./optional-package.js')).loadDanfo(),
  writeFrame: async (...writing) => (await import('./write-frame.js')).writeFrame(...writing),
});
