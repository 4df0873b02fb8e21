import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ParquetModule } from '../../../../src/frame/formats/parquet/parquet.js';

/** The form of parquet-wasm for browsers, which Node does not have: it is started with the place of its WebAssembly. */
const start = vi.fn<(options?: { module_or_path: ParquetModule }) => Promise<void>>();
const load = () => import('../../../../src/frame/formats/parquet/parquet.js');

beforeEach(() => {
  vi.resetModules();
  vi.doMock('parquet-wasm', () => ({ default: start }));
  start.mockReset();
});
afterEach(() => {
  vi.doUnmock('parquet-wasm');
  vi.resetModules();
});

describe('parquet-wasm in a browser', () => {
  it('is started once, beside the script', async () => {
    const { loadParquet } = await load();
    expect(await loadParquet()).toBe(await loadParquet());
    expect(start.mock.calls).toEqual([[undefined]]);
  });

  it('is started again where it is said to be', async () => {
    const { loadParquet, setParquetModule } = await load();
    await loadParquet();
    setParquetModule('/assets/parquet.wasm');
    await loadParquet();
    expect(start.mock.calls).toEqual([[undefined], [{ module_or_path: '/assets/parquet.wasm' }]]);
  });

  it('that could not be started says what to do, and is started again', async () => {
    const { loadParquet } = await load();
    start.mockRejectedValueOnce(new TypeError('404'));
    const failure = await loadParquet().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'NetworkError',
      message: expect.stringMatching(
        /^parquet-wasm cannot be loaded; say by setParquetModule .*: TypeError: 404$/,
      ),
      cause: new TypeError('404'),
    });
    await loadParquet();
    expect(start).toHaveBeenCalledTimes(2);
  });
});
