import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readZstandardBy } from './zstandard.js';

readZstandardBy(() => {
  const script = createRequire(import.meta.url).resolve('@bokuweb/zstd-wasm');
  return readFileSync(join(dirname(script), 'zstd.wasm'));
});
