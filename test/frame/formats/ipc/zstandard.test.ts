import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Table, vectorFromArray } from 'apache-arrow';
import { beforeEach, expect, test, vi } from 'vitest';
import { compressedArrow } from '../compressed-arrow.js';

const packed = compressedArrow(
  new Table({ day: vectorFromArray(Float64Array.from({ length: 3000 }, (_, i) => i % 7)) }),
  'stream',
  'zstd',
);

const file = join(dirname(createRequire(import.meta.url).resolve('@bokuweb/zstd-wasm')), 'zstd.wasm');

/** The reader as a browser loads it: without the file of Node. */
async function load() {
  const { fromArrow } = await import('../../../../src/frame/formats/read-arrow.js');
  const { setZstandardModule } = await import('../../../../src/frame/formats/ipc/zstandard.js');
  return { fromArrow, setZstandardModule };
}

beforeEach(() => void vi.resetModules());

test('without a decoder, Zstandard is refused with the remedy', async () => {
  const { fromArrow } = await load();
  expect(() => fromArrow(packed)).toThrow(/^bytes: .*set one with setZstandardModule/);
});

test.each([
  ['bytes', () => readFileSync(file)],
  ['a compiled module', () => new WebAssembly.Module(readFileSync(file))],
])('setZstandardModule takes %s', async (_, module) => {
  const { fromArrow, setZstandardModule } = await load();
  setZstandardModule(module());
  expect(fromArrow(packed).numRows).toBe(3000);
});

test('the root reads Zstandard as it is', async () => {
  const { fromArrow } = await import('../../../../src/index.js');
  expect(fromArrow(packed).numRows).toBe(3000);
});
